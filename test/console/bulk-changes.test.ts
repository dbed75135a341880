/** Changes of selected policies and binding rules, each with its preview. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { createSigningKey } from "../support/key-server.ts";
import { bearer, MAPPINGS } from "../support/login.ts";
import { choose } from "./forms.ts";
import { faultsInBoth } from "./looks.ts";
import { inBrowser, useConsole } from "./use-console.ts";

const ACCESS = "access/default/default";
const KEY = createSigningKey("k1");

const at = useConsole({
  async prepare({ client, url }) {
    const Config = { JWTValidationPubKeys: [KEY.publicKey], ...MAPPINGS };
    await client.authMethods.create({ body: { Name: "ci", Type: "jwt", MaxTokenTTL: "1h", Config } });
    for (const Name of ["old-team", "new-team"]) {
      await client.policies.create({ body: { Name, Rules: `acl = "${Name === "old-team" ? "read" : "write"}"` } });
      await client.roles.create({ body: { Name, Policies: [{ Name }] } });
    }
    const rule = { AuthMethod: "ci", BindType: "role", BindName: "old-team" } as const;
    for (const Description of ["rule-a", "rule-b"]) {
      await client.bindingRules.create({ body: { ...rule, Description, Selector: `value.team == "${Description}"` } });
    }
    // A login that uses what the rule grants: the replay knows of it.
    const login = { AuthMethod: "ci", BearerToken: bearer(KEY, { sub: "rule-a", team: "rule-a" }) };
    const made = await fetch(`${url}/v1/acl/login`, { method: "POST", body: JSON.stringify(login) });
    const { SecretID } = (await made.json()) as { SecretID: string };
    const used = await fetch(`${url}/v1/acl/policies`, { headers: { "x-consul-token": SecretID } });
    expect([made.status, used.status]).toEqual([200, 200]);
    // After the login: it did not match.
    await client.bindingRules.create({ body: { ...rule, Description: "rule-c", BindName: "new-team" } });
  },
});

async function selectAll(page: Page, ...names: readonly string[]): Promise<Locator> {
  for (const name of names) await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).click();
  return page.getByRole("region", { name: "Selection" });
}

inBrowser("selected policies", () => {
  it("are added to roles in one write per role, with the impact before, and removed again", async () => {
    const { client } = at;
    for (const Name of ["many-a", "many-b"]) {
      await client.policies.create({ body: { Name, Rules: `key "${Name}" { policy = "write" }` } });
    }
    const both = [{ Name: "many-a" }, { Name: "many-b" }];
    const { ID: id } = await client.roles.create({ body: { Name: "gets-both" } });
    await client.roles.create({ body: { Name: "has-both", Policies: both } });
    const { page } = await at.open(`${ACCESS}/policies?q=many-`);
    const change = async (button: string) => {
      const selection = await selectAll(page, "many-a", "many-b");
      await selection.getByRole("button", { name: "Roles", exact: true }).click();
      if (button === "Remove") await page.getByRole("dialog").getByText("Remove", { exact: true }).click();
      await choose(page, "Roles", "gets-both", ...(button === "Add" ? ["has-both"] : []));
      return page.getByRole("dialog", { name: "Change 1 role?" });
    };
    const dialog = await change("Add");
    await dialog.getByText("has-both: already has the policies and roles").waitFor();
    const impact = dialog.getByRole("region", { name: "Impact" });
    await impact.getByRole("button", { name: "key many-a deny → write 1 role" }).waitFor();
    expect(await dialog.getByRole("list", { name: "To change" }).getByRole("listitem").allTextContents()).toEqual([
      "gets-both",
    ]);
    expect(await faultsInBoth(page, "policies to roles")).toEqual([]);
    const policies = async () => (await client.roles.read({ id })).Policies?.map(({ Name }) => Name) ?? [];
    expect(await policies()).toEqual([]);
    await dialog.getByRole("button", { name: "Change 1 role" }).click();
    await page.getByText("Changed 1 role.").waitFor();
    expect(await policies()).toEqual(["many-a", "many-b"]);
    await page.keyboard.press("Escape");
    const removal = await change("Remove");
    await removal.getByText("Lose permissions:").waitFor();
    await removal.getByRole("button", { name: "Change 1 role" }).click();
    await page.getByText("Changed 1 role.").waitFor();
    expect(await policies()).toEqual([]);
  });
});

inBrowser("selected binding rules", () => {
  it("get a condition, beside the selector that they have", async () => {
    const { page } = await at.open(`${ACCESS}/binding-rules?q=rule-`);
    const selection = await selectAll(page, "rule-a", "rule-b", "rule-c");
    await selection.getByRole("button", { name: "Change", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Change 3 binding rules?" });
    await dialog.getByText("Condition", { exact: true }).first().click();
    const confirm = dialog.getByRole("button", { name: "Change 3 binding rules" });
    expect(await confirm.isDisabled()).toBe(true);
    const field = dialog.getByRole("textbox", { name: "Condition", exact: true });
    await field.fill("value.team ==");
    // An error of the selector is shown before something is written.
    await dialog.getByRole("alert").waitFor();
    await field.fill('value.team != "retired"');
    await dialog.getByText('rule-a: (value.team == "rule-a") and (value.team != "retired")').waitFor();
    await dialog.getByText('rule-c: value.team != "retired"').waitFor();
    await dialog.getByText("No recorded use is denied.").waitFor();
    await confirm.click();
    await page.getByText("Changed 3 binding rules.").waitFor();
    const selectors = (await at.client.bindingRules.list({ search: "rule-" }).all()).map(({ Selector }) => Selector);
    const wanted = [
      '(value.team == "rule-a") and (value.team != "retired")',
      '(value.team == "rule-b") and (value.team != "retired")',
      'value.team != "retired"',
    ];
    expect(new Set(selectors)).toEqual(new Set(wanted));
  });

  it("are deleted with the recorded use that the next logins would lose", async () => {
    // The server records use now and then.
    const DeletedBindingRules = (await at.client.bindingRules.list({ search: "rule-" }).all()).map(({ ID }) => ({
      ID,
    }));
    const replay = async () => (await at.client.request("replayDraft", { body: { DeletedBindingRules } })).body.Refused;
    await expect.poll(replay).toBe(1);
    const { page } = await at.open(`${ACCESS}/binding-rules?q=rule-`);
    const selection = await selectAll(page, "rule-a", "rule-b", "rule-c");
    await selection.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 3 binding rules?" });
    await dialog.getByRole("region", { name: "Replay" }).getByText("1 recorded use would be denied.").waitFor();
  });

  it("grant another role, with the recorded use that this would deny", async () => {
    const { page } = await at.open(`${ACCESS}/binding-rules?q=rule-`);
    const selection = await selectAll(page, "rule-a", "rule-b", "rule-c");
    await selection.getByRole("button", { name: "Change", exact: true }).click();
    const bindName = page.getByLabel("Bind name").and(page.locator("input"));
    await bindName.fill("new-team");
    const dialog = page.getByRole("dialog", { name: "Change 2 binding rules?" });
    await dialog.getByText("rule-a: role old-team → role new-team").waitFor();
    await dialog.getByText("rule-c: would not change").waitFor();
    await dialog.getByRole("region", { name: "Replay" }).getByText("No recorded use is denied.").waitFor();
    expect(await faultsInBoth(page, "binding rules to another role")).toEqual([]);
    await bindName.fill("nobody");
    await page.getByRole("region", { name: "Replay" }).getByText("1 recorded use would be denied.").waitFor();
    await bindName.fill("new-team");
    await dialog.getByRole("button", { name: "Change 2 binding rules" }).click();
    await page.getByText("Changed 2 binding rules.").waitFor();
    const names = (await at.client.bindingRules.list({ search: "rule-" }).all()).map(({ BindName }) => BindName);
    expect(names).toEqual(["new-team", "new-team", "new-team"]);
  });
});

/** Forms and pages of objects as the console review asks for them, each opened by its address. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { more, option, services } from "./forms.ts";
import { tokenField } from "./open.ts";
import { typeRules } from "./draft-rules.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const SCOPE = "access/default/default";

const at = useConsole({ isSeeded: true });

inBrowser("forms and objects", () => {
  it("keep the button to sign in under the pointer when the secret is wrong, with the error at the field", async () => {
    const { page, go } = await at.openSignedOut();
    await go("");
    // The field has the focus.
    await page.locator("[type=password]:focus").waitFor();
    await page.keyboard.type("11111111-2222-3333-4444-555555555555");
    const button = page.getByRole("button", { name: "Sign in", exact: true });
    const before = await button.boundingBox();
    await page.keyboard.press("Enter");
    const alert = page.getByRole("alert").filter({ hasText: "Sign-in failed" });
    await alert.waitFor();
    expect((await alert.boundingBox())?.y).toBeLessThan(before?.y ?? 0);
    expect(await button.boundingBox()).toEqual(before);
    expect(await tokenField(page).getAttribute("aria-invalid")).toBe("true");
  });

  it("point to the wrong value of a rule, name the allowed ones, and mend it by one click", async () => {
    const { page } = await at.open(`${SCOPE}/policies/new`);
    await page.getByLabel("Name", { exact: true }).first().fill("quick-fix");
    await typeRules(page, 'workspace_prefix "payments/" {\n  policy = "wriet"\n}\n');
    const findings = page.getByRole("list", { name: "Errors and warnings" });
    await findings.getByText('invalid policy "wriet"; expected "read", "write" or "deny"').waitFor();
    expect(await findings.textContent()).toContain("2:12");
    await findings.getByRole("button", { name: 'Replace with "write"' }).click();
    await page.getByText("No errors, no warnings.").waitFor();
    // Few policies need them: they are below the rules, and folded.
    const datacenters = page.getByLabel("Datacenters");
    expect(await datacenters.isVisible()).toBe(false);
    await page.getByText("Advanced", { exact: true }).click();
    await datacenters.fill("dc1");
    await page.getByRole("button", { name: "Create policy" }).click();
    await title(page, "quick-fix");
    const message = page.getByRole("alert").filter({ hasText: "Created policy quick-fix" });
    await message.waitFor();
    await page.getByRole("link", { name: "Roles", exact: true }).first().click();
    await title(page, "Roles");
    await message.getByRole("link", { name: "Open" }).click();
    await title(page, "quick-fix");
    expect((await at.client.policies.readByName({ name: "quick-fix" })).Rules).toContain('policy = "write"');
  });

  it("let a new token expire by default, at a date, or never, and take identities by fields", async () => {
    const { page } = await at.open(`${SCOPE}/tokens/new`);
    const code = page.getByRole("region", { name: "Equivalent code" }).locator("pre:visible");
    await expect.poll(async () => code.textContent()).toContain("720h");
    await option(page, "Expires", "on a date");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByText("Choose today or a later date.").waitFor();
    await option(page, "Expires", "90 days");
    await services(page, ["web", "dc1,dc2"], ["mail"], ["gone"]);
    await page.getByRole("button", { name: "Remove service identity 3" }).click();
    await page.getByLabel("Description").fill("With fields");
    await page.keyboard.press("Control+Enter");
    await page.getByText("You can reveal it again; the audit log records each time.").waitFor();
    await page.getByRole("button", { name: "I saved the secret" }).click();
    await title(page, "With fields");
    const accessor = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const made = await at.client.tokens.read({ accessor });
    expect(made.ServiceIdentities).toEqual([
      { ServiceName: "web", Datacenters: ["dc1", "dc2"] },
      { ServiceName: "mail" },
    ]);
    const days = (Date.parse(made.ExpirationTime ?? "") - Date.parse(made.CreateTime)) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    // Its creator is one of the facts; facts that few need are folded.
    await page.getByText("Created by", { exact: true }).waitFor();
    expect(await page.getByText("Partition", { exact: true }).isVisible()).toBe(false);
  });

  it("say before a token is deleted when it was used, and after that that it was the user's own delete", async () => {
    const made = await at.client.tokens.create({
      body: { Description: "Used lately", Policies: [{ Name: "global-management" }] },
    });
    const headers = { authorization: `Bearer ${made.SecretID}`, "user-agent": "pipeline/7" };
    await fetch(`${at.url}/v1/acl/policy`, { method: "PUT", headers, body: JSON.stringify({ Name: "made-by-it" }) });
    const { page, follow } = await at.open(`${SCOPE}/roles`);
    await follow(`${SCOPE}/tokens/${made.AccessorID}`);
    await more(page, "Delete");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("pipeline/7").waitFor();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await title(page, "Tokens");
    await page.goBack();
    // Not back to the object that is gone.
    await title(page, "Roles");
    await follow(`${SCOPE}/tokens/${made.AccessorID}`);
    await page.getByText("You deleted this object.").waitFor();
    expect(await page.getByText("your token lost access").count()).toBe(0);
  });

  it("show a binding rule with its kind and auth method as title, and its selector in full", async () => {
    const Selector = `"ci" in list.groups and value.email matches "^[a-z.]+@(acme|initech|hooli|umbrella)[.]example$" and value.team == "payments"`;
    const body = { AuthMethod: "laptops", BindType: "role", BindName: "on-call", Selector: "" } as const;
    const { ID } = await at.client.bindingRules.create({ body });
    await at.client.authMethods.read({ name: "laptops" });
    const { page, settled } = await at.open(`${SCOPE}/binding-rules/${ID}`);
    await title(page, "Logins of laptops: role on-call");
    await page.route(`**/v1/acl/binding-rule/${ID}**`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), Selector } });
    });
    await page.reload();
    const text = page.getByLabel("selector", { exact: true });
    await text.waitFor();
    await settled();
    const [selector, copy] = [
      await text.boundingBox(),
      await page.getByRole("button", { name: "Copy selector" }).boundingBox(),
    ];
    expect(copy?.x).toBeGreaterThanOrEqual((selector?.x ?? 0) + (selector?.width ?? 0));
    expect(await isCut(page, "pre")).toBe(false);
  });

  it("name and mark the wrong key of several", async () => {
    const { page } = await at.open(`org/acme/workspaces/${at.seeded.workspace}`);
    const field = page.getByRole("combobox", { name: "Tag keys" }).or(page.getByRole("textbox", { name: "Tag keys" }));
    for (const key of ["fine=1", "not ok=2"]) {
      await field.fill(key);
      await field.press("Enter");
    }
    const facts = page.getByRole("region", { name: "Details" });
    const before = await facts.boundingBox();
    await page.getByRole("button", { name: "Save tag keys" }).click();
    await page.getByText('Key "not ok" may only contain letters').first().waitFor();
    // The facts are a column of their own: nothing moves them.
    expect((await facts.boundingBox())?.y).toBe(before?.y);
  });
});

/** Whether an element has more text than it shows. */
async function isCut(page: Page, selector: string): Promise<boolean> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element as unknown as Record<string, number>;
      return (scrollWidth ?? 0) > (clientWidth ?? 0) + 1 || (scrollHeight ?? 0) > (clientHeight ?? 0) + 1;
    });
}

/**
 * Tests of the tasks that users come to the console for, from end to end, among more tags and tokens than can be looked
 * through, on both engines.
 */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { choose, metadata } from "./forms.ts";
import { makeMany, MANY, manyTag, manyToken } from "./many.ts";
import { askOfDraft, typeRules } from "./draft-rules.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const SCOPE = "access/default/default";

// More than the other files could work beside.
const at = useConsole({ isSeeded: true, own: () => ({}), prepare: makeMany });

inBrowser("among many tags and tokens, one", () => {
  it("finds, makes, puts on workspaces, merges and deletes tags, each after it was shown what that changes, and takes it back", async () => {
    const { page, go } = await at.open();
    const last = manyTag(MANY.tags - 1);
    await go("org/acme/tags");
    await page.getByPlaceholder("Search tags").fill(last);
    await expect.poll(async () => page.getByRole("link", { name: /^many-/ }).allTextContents()).toEqual([last]);
    await go("org/acme/tags/new");
    await page.getByRole("textbox", { name: "Names" }).fill("task-one\ntask-two");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await title(page, "Tags");
    const uses = async () =>
      (await at.client.tags.list({ organization: "acme", q: "task-" }).all()).map(({ attributes }) => [
        attributes.name,
        attributes["instance-count"],
      ]);
    await expect.poll(uses).toEqual([
      ["task-one", 0],
      ["task-two", 0],
    ]);

    await go("org/acme/tags?q=task-");
    const dialog = page.getByRole("dialog");
    const selected = page.getByRole("region", { name: "Selection" });
    await select(page, "task-one", "task-two");
    await selected.getByRole("button", { name: "Add to workspaces" }).click();
    await dialog.getByLabel("Name with * wildcards").fill("web-s*");
    await previewed(dialog);
    expect(await dialog.getByRole("list", { name: "First changes" }).textContent()).toContain("web-search");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    const put = [
      ["task-one", 1],
      ["task-two", 1],
    ];
    await expect.poll(uses).toEqual(put);
    await dialog.getByRole("button", { name: "Close" }).last().click();

    await select(page, "task-one", "task-two");
    await selected.getByRole("button", { name: "Merge" }).click();
    await dialog.getByLabel("Merge into").fill("<script>old</script>");
    await previewed(dialog);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await selected.getByRole("button", { name: "Merge" }).click();
    await dialog.getByLabel("Merge into").fill("pci");
    await previewed(dialog);
    expect(await uses()).toEqual(put);
    await dialog.getByRole("button", { name: "Merge" }).click();
    await expect.poll(uses).toEqual([]);
    await undone(dialog);
    await expect.poll(uses).toEqual(put);
    await dialog.getByRole("button", { name: "Close" }).last().click();

    await select(page, "task-one");
    await selected.getByRole("button", { name: "Delete" }).click();
    await previewed(dialog);
    expect(await uses()).toEqual(put);
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect.poll(uses).toEqual(put.slice(1));
    await undone(dialog);
    await expect.poll(uses).toEqual(put);
  });

  it("puts a tag on all workspaces that a filter finds, after a preview, takes it back, and changes those of one in place", async () => {
    const { page, go } = await at.open();
    const having = async (name: string) =>
      (await at.client.workspaces.list({ organization: "acme", "search[tags]": name }).all()).length;
    await go("org/acme/workspaces?q=web-");
    await page.getByRole("button", { name: "Tag all matching" }).click();
    await choose(page, "Tags", manyTag(1));
    const dialog = page.getByRole("dialog");
    await previewed(dialog);
    expect(await having(manyTag(1))).toBe(0);
    await dialog.getByRole("button", { name: "Tag 8 workspaces", exact: true }).click();
    await expect.poll(async () => having(manyTag(1))).toBe(8);
    await undone(dialog);
    await expect.poll(async () => having(manyTag(1))).toBe(0);

    await go(`org/acme/workspaces/${at.seeded.workspace}`);
    await page.getByRole("combobox", { name: "Flat tags" }).fill("brand-new");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Save tags" }).click();
    await expect.poll(async () => having("brand-new")).toBe(1);
  });

  it("writes a policy with a mistake, which is shown at its place, has questions about the draft answered, and mends it", async () => {
    const { page } = await at.open(`${SCOPE}/policies/new`);
    await page.getByLabel("Name", { exact: true }).first().fill("mended");
    await typeRules(page, 'organisation "acme" {\n  policy = "read"\n}\n');
    const findings = page.getByRole("list", { name: "Errors and warnings" });
    await findings.getByText("Did you mean").waitFor();
    expect(await findings.textContent()).toContain("1:1");
    await page.locator(".cm-lintRange-warning").waitFor();
    await typeRules(page, 'workspace "acme/web-search" {\n  policy = "rite"\n}\n');
    await findings.getByText("Error:").waitFor();
    await typeRules(page, 'workspace "acme/web-search" {\n  policy = "write"\n}\n');
    await page.getByText("No errors, no warnings.").waitFor();
    await askOfDraft(page, "write", "acme/web-search");
    const questions = page.getByRole("region", { name: "Check access" });
    await questions.getByText("Allowed").waitFor();
    await typeRules(page, 'workspace "acme/web-search" {\n  policy = "read"\n}\n');
    await questions.getByText("Denied", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Create policy" }).click();
    await title(page, "mended");
    expect((await at.client.policies.readByName({ name: "mended" })).Rules).toBe(
      'workspace "acme/web-search" {\n  policy = "read"\n}\n',
    );
  });

  it("gives a token a role after it was said what it gains, and reads the difference on record", async () => {
    const { page, go } = await at.open();
    const name = manyToken(MANY.tokens - 1);
    await go(`${SCOPE}/tokens`);
    await page.getByPlaceholder("Search tokens").fill(name);
    await page.getByRole("link", { name }).click();
    await title(page, name);
    const accessor = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await page.getByRole("link", { name: "Edit" }).click();
    await choose(page, "Roles", "web-team");
    const effect = page.getByRole("region", { name: "Impact" });
    await expect.poll(async () => effect.textContent()).toMatch(/Gain permissions: *1 token\./);
    await effect.getByRole("button", { name: "workspace acme/web-* deny → write 1 token" }).waitFor();
    expect((await at.client.tokens.read({ accessor })).Roles ?? []).toEqual([]);
    await page.getByRole("button", { name: "Save changes (1)" }).click();
    await title(page, name);
    expect((await at.client.tokens.read({ accessor })).Roles).toMatchObject([{ Name: "web-team" }]);
    await go(`${SCOPE}/audit?kind=token&action=update`);
    const record = page.getByRole("listitem").filter({ hasText: name });
    await record.getByRole("button").first().click();
    await expect.poll(async () => record.textContent()).toContain(`added: ${at.seeded.role}`);
  });

  it("comes from the ID of a refused request to what would allow it, as a draft in the editor, and asks who may", async () => {
    const made = await at.client.tokens.create({ body: { Description: "<script>alert(1)</script> 🦊 שלום" } });
    const refused = await fetch(`${at.url}/v1/acl/policy/${at.seeded.policy}`, {
      headers: { authorization: `Bearer ${made.SecretID}` },
    });
    expect(refused.status).toBe(403);
    const { page, go } = await at.open(`why?request=${refused.headers.get("x-request-id")}`);
    await page.getByRole("heading", { name: "Denied" }).waitFor();
    const wanted = page.getByRole("region", { name: "How to grant access" });
    expect(await wanted.locator("pre").textContent()).toContain('acl = "read"');
    await wanted.getByRole("link", { name: "Create policy from rule" }).click();
    await title(page, "New policy");
    expect(await page.locator(".cm-content").textContent()).toContain('acl = "read"');
    await go(`${SCOPE}/why`);
    await page.getByRole("combobox", { name: "Token", exact: true }).fill("<script>");
    await page.getByRole("option", { name: /<script>alert\(1\)<\/script> 🦊/ }).click();
    await page.getByRole("combobox", { name: "Name" }).fill("acme/web-search");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByRole("heading", { name: "Denied" }).waitFor();
    await go(`${SCOPE}/why?tab=who&access=write&resource=workspace&name=acme/web-search`);
    const who = page.getByRole("list", { name: "Who can" });
    await who.getByRole("link", { name: "web-team" }).first().waitFor();
    expect(await who.getByRole("listitem").count()).toBeGreaterThan(10);
  });

  it("makes a namespace, is told what goes with it, and empties it", async () => {
    const { page } = await at.open(`${SCOPE}/namespaces/new`);
    await page.getByLabel("Name", { exact: true }).fill("fleeting");
    await metadata(page, ["owner", "nobody@acme.example"]);
    await page.getByRole("button", { name: "Create namespace" }).click();
    await title(page, "fleeting");
    await at.client.tokens.create({ ns: "fleeting", body: { Description: "One of it" } });
    await page.getByRole("tab", { name: "Contents" }).click();
    await page.getByRole("link", { name: "1 token" }).waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByText("1 token").waitFor();
    await page.getByRole("textbox", { name: "Type fleeting to confirm" }).fill("fleeting");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await title(page, "Namespaces");
    await expect.poll(async () => page.getByText("fleeting", { exact: true }).count()).toBe(0);
  });
});

async function select(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).click();
}

async function previewed(dialog: Locator): Promise<void> {
  // The text of the dialog is shown when it says something else.
  await expect.poll(async () => dialog.innerText()).toMatch(/would change/);
}

/** Takes back what a job did, from the dialog that shows its end. */
async function undone(dialog: Locator): Promise<void> {
  await dialog.getByRole("button", { name: "Undo" }).click();
  await dialog.getByText(/Later changes by others are kept/).waitFor();
}

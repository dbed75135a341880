/** The main tasks of the console by keyboard alone: no test here has a mouse, and each begins where signing in leads. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createSigningKey } from "../support/key-server.ts";
import { bearer, MAPPINGS } from "../support/login.ts";
import { tabTo } from "./presses.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const KEY = createSigningKey("k1");

const at = useConsole({
  isSeeded: true,
  async prepare({ client }) {
    const Config = { JWTValidationPubKeys: [KEY.publicKey], ...MAPPINGS };
    await client.authMethods.create({ body: { Name: "ci", Type: "jwt", MaxTokenTTL: "1h", Config } });
  },
});

inBrowser("done by keyboard alone", () => {
  it("are signing in, and a policy that is made and saved", async () => {
    const { page, go } = await at.openSignedOut();
    await go("");
    // The field has the focus.
    await page.locator("[type=password]:focus").waitFor();
    await page.keyboard.type(at.token);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Account" }).waitFor();
    await call(page, "New policy");
    await title(page, "New policy");
    await tabTo(page, "Name");
    await page.keyboard.type("by-keyboard");
    await tabTo(page, "Description");
    await page.keyboard.type("No mouse was near");
    await tabTo(page, "Policy rules");
    await page.keyboard.type('key "a" { policy = "read"');
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await tabTo(page, "Create policy");
    await page.keyboard.press("Enter");
    await title(page, "by-keyboard");
    await tabTo(page, "Policies");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /by-keyboard/ }).waitFor();
    const stored = await at.client.policies.readByName({
      name: "by-keyboard",
    });
    expect(stored.Rules).toContain('key "a" { policy = "read"');
  });

  it("are tags that are found, deleted after it was said what that changes, and brought back", async () => {
    const { page, settled } = await at.open("");
    const uses = async () =>
      (await at.client.tags.list({ organization: "acme", q: "team:" }).all()).map(({ attributes }) => [
        attributes.name,
        attributes["instance-count"],
      ]);
    const before = await uses();
    expect(before.length).toBe(3);
    await call(page, "acme", "Switch to organization acme");
    await title(page, "Tags");
    await tabTo(page, "Search tags");
    await page.keyboard.type("team:");
    // The first letters find the same tags, and a selection ends when something else is asked for.
    await page.waitForURL(({ searchParams }) => searchParams.get("q") === "team:");
    await settled();
    await expect.poll(async () => page.getByRole("link", { name: /^(env|pci|team)/ }).count()).toBe(3);
    await tabTo(page, "", "[role=row][tabindex='0']");
    const selected = page.getByRole("region", { name: "Selection" });
    await page.keyboard.press("Space");
    await selected.getByText("1 selected").waitFor();
    await page.keyboard.press("Shift+ArrowDown");
    await selected.getByText("2 selected").waitFor();
    await tabTo(page, "Delete");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/would change/).waitFor();
    expect(await uses()).toEqual(before);
    await tabTo(page, "Delete");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await uses()).length).toBe(1);
    await dialog.getByRole("button", { name: "Undo" }).waitFor();
    await tabTo(page, "Undo");
    await page.keyboard.press("Enter");
    await dialog.getByText(/Later changes by others are kept/).waitFor();
    await expect.poll(uses).toEqual(before);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("are a workspace's tags that are changed", async () => {
    const { page } = await at.open("");
    await call(page, "acme", "Switch to organization acme");
    await title(page, "Tags");
    await call(page, "web-search");
    await title(page, "web-search");
    await tabTo(page, "Flat tags");
    await page.keyboard.type("by-keyboard");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await tabTo(page, "Save tags");
    await page.keyboard.press("Enter");
    const having = async () => at.client.workspaces.list({ organization: "acme", "search[tags]": "by-keyboard" }).all();
    await expect.poll(async () => (await having()).map(({ attributes }) => attributes.name)).toEqual(["web-search"]);
  });

  it("is a role that a token gets, after it was said what it gains, and the difference that is read on record", async () => {
    const { page } = await at.open("");
    await call(page, "Priya Nair", "Priya Nair, laptop");
    await title(page, "Priya Nair, laptop");
    const accessor = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await call(page, "edit", "Edit token");
    await title(page, "Edit Priya Nair, laptop");
    await tabTo(page, "Roles", "input");
    await page.keyboard.type("on-call");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    const effect = page.getByRole("region", { name: "Impact" });
    await expect.poll(async () => effect.textContent()).toMatch(/Gain permissions: *1 token\./);
    await page.keyboard.press("Control+Enter");
    await title(page, "Priya Nair, laptop");
    const names = (await at.client.tokens.read({ accessor })).Roles?.map(({ Name }) => Name);
    expect(names).toEqual(["web-team", "on-call"]);
    await call(page, "Audit", "Audit logChanges and denied requests");
    await title(page, "Audit log");
    await tabTo(page, /Priya Nair/, "button[aria-expanded]");
    await page.keyboard.press("Enter");
    const record = page.getByRole("listitem").filter({ hasText: "Priya Nair" }).first();
    await expect.poll(async () => record.textContent()).toContain("added: ");
  });

  it("is a binding rule that is written beside a JWT", async () => {
    const { page } = await at.open("");
    await call(page, "Test a login");
    await title(page, "Test login");
    await tabTo(page, "JWT", "textarea");
    await page.keyboard.insertText(bearer(KEY, { sub: "web", team: "web", name: "shop", groups: ["ops"] }));
    await page.getByText("The login would be denied").first().waitFor();
    await tabTo(page, "Selector");
    await page.keyboard.type('"ops" in list.groups');
    await tabTo(page, "Bind name");
    await page.keyboard.type("on-call");
    await page.getByText("Matches, grants role on-call").waitFor();
    await tabTo(page, "Description");
    await page.keyboard.type("Written by keyboard");
    await tabTo(page, "Create binding rule");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/binding-rules\/[0-9a-f-]{36}$/);
    const rules = await at.client.bindingRules.list({ authmethod: "ci" }).all();
    expect(rules.map(({ Selector, BindName }) => [Selector, BindName])).toEqual([['"ops" in list.groups', "on-call"]]);
  });

  it("are the questions why, and who may", async () => {
    const { page } = await at.open("");
    await call(page, "Check access", "Check accessCheck permissions");
    await title(page, "Check access");
    await tabTo(page, "Token");
    await page.keyboard.type("Jonas");
    // Until it is answered, those of before are there: the first of them would be chosen.
    const options = page.getByRole("option");
    await expect.poll(async () => (await options.allTextContents()).join()).toMatch(/^Jonas Frei, laptop \([^,]*$/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await tabTo(page, "Name");
    await page.keyboard.type("acme/web-search");
    await page.keyboard.press("Escape");
    await tabTo(page, "Check");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Allowed" }).waitFor();
    await call(page, "List who has access");
    await page.getByRole("form", { name: "Who can" }).waitFor();
    await tabTo(page, "Name");
    await page.keyboard.type("acme/web-search");
    await page.keyboard.press("Escape");
    await tabTo(page, "Check");
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "Who can" }).getByRole("link", { name: "web-team" }).first().waitFor();
  });

  it("is a namespace that is made, and deleted with what lies in it", async () => {
    const { page } = await at.open("");
    await call(page, "New namespace");
    await title(page, "New namespace");
    await tabTo(page, "Name");
    await page.keyboard.type("fleeting");
    await page.keyboard.press("Control+Enter");
    await title(page, "fleeting");
    await at.client.tokens.create({ ns: "fleeting", body: { Description: "One of it" } });
    await call(page, "delete", "Delete namespace fleeting");
    await page.getByRole("dialog").getByText("1 token").waitFor();
    await tabTo(page, "Type fleeting to confirm");
    await page.keyboard.type("fleeting");
    await tabTo(page, "Delete");
    await page.keyboard.press("Enter");
    await title(page, "Namespaces");
    await expect.poll(async () => page.getByText("fleeting", { exact: true }).count()).toBe(0);
    // The same by its page's own menu, as far as the dialog.
    await call(page, "data", "dataNamespace");
    await title(page, "data");
    await tabTo(page, "More");
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Delete" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: /Delete namespace data/ }).waitFor();
  });
});

/** Types into the palette, goes down to what begins so, and chooses it. */
async function call(page: Page, text: string, wanted = text): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.locator("[placeholder='Search or run a command']:focus").waitFor();
  await page.keyboard.type(text);
  const entries = page.getByRole("dialog").locator("[data-action]");
  const marked = page.getByRole("dialog").locator("[data-action][data-selected]");
  await entries
    .filter({ hasText: new RegExp(`^${wanted}`) })
    .first()
    .waitFor();
  for (let steps = 0; steps < 60; steps += 1) {
    if ((await marked.textContent())?.startsWith(wanted) === true) return page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
  }
  throw new Error(`${wanted} is not reached in the palette`);
}

/** Saved views of lists, and actions that a token may not do. */
import { expect, it } from "vitest";
import { choose } from "./forms.ts";
import { faultsInBoth } from "./looks.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const at = useConsole();
const ROLES = "access/default/default/roles";

inBrowser("saved views", () => {
  it("saves search, order, columns and density under a name, and shows them again by keyboard", async () => {
    for (const Name of ["web-a", "web-b", "other"]) await at.client.roles.create({ body: { Name } });
    const { page, go } = await at.open(`${ROLES}?q=web&sort=-Name&columns=name`);
    await page.getByRole("link", { name: "web-b" }).waitFor();
    const button = page.getByRole("button", { name: "Views", exact: true });
    await button.focus();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("dialog", { name: "Views" });
    await panel.getByText("No saved views of this list yet.").waitFor();
    // The focus is in the field of the name.
    await page.keyboard.type("Web roles");
    await page.keyboard.press("Enter");
    await page.getByText("Saved view Web roles").waitFor();
    await panel.getByRole("button", { name: "Show view Web roles, shown now" }).waitFor();
    expect(await faultsInBoth(page, "views")).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(async () => panel.count()).toBe(0);
    await go(ROLES);
    await page.getByRole("link", { name: "other" }).waitFor();
    await button.click();
    await panel.getByRole("button", { name: "Show view Web roles", exact: true }).press("Enter");
    await expect.poll(async () => page.getByRole("link", { name: "other" }).count()).toBe(0);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ q: "web", sort: "-Name", columns: "name" });
    const [view] = await at.client.views.list({ list: "roles" }).all();
    expect(view).toMatchObject({ Name: "Web roles", Shared: false, Density: "comfortable" });
  });

  it("renames a view, replaces its content, and deletes it", async () => {
    const body = { Name: "old-name", List: "policies", Query: { q: "x" } };
    await at.client.views.create({ body });
    const { page } = await at.open("access/default/default/policies?q=y");
    await page.getByRole("button", { name: "Views", exact: true }).click();
    const panel = page.getByRole("dialog", { name: "Views" });
    await panel.getByRole("button", { name: "Edit view old-name" }).click();
    const form = panel.getByRole("form", { name: "Edit view old-name" });
    await form.getByLabel("Name of the view").fill("new-name");
    await form.getByLabel("Replace the view with the current list").check();
    await form.getByRole("button", { name: "Save changes" }).click();
    await panel.getByRole("button", { name: "Show view new-name, shown now" }).waitFor();
    const read = async () => at.client.views.list({ list: "policies" }).all();
    expect(await read()).toMatchObject([{ Name: "new-name", Query: { q: "y" } }]);
    await panel.getByRole("button", { name: "Delete view new-name" }).click();
    await panel.getByRole("group", { name: "Delete view new-name?" }).getByRole("button", { name: "Delete" }).click();
    await panel.getByText("No saved views of this list yet.").waitFor();
    expect(await read()).toEqual([]);
  });

  it("shares a view in the namespace, which others see and cannot change", async () => {
    const { page } = await at.open("access/default/default/tokens");
    await page.getByRole("button", { name: "Views", exact: true }).click();
    const panel = page.getByRole("dialog", { name: "Views" });
    await panel.getByLabel("Name of the view").fill("Everybody's");
    await panel.getByLabel("Share in namespace default").check();
    await panel.getByRole("button", { name: "Save view" }).click();
    await panel.getByRole("region", { name: "Shared in namespace default" }).waitFor();
    await at.client.policies.create({ body: { Name: "view-reader", Rules: 'acl = "read"' } });
    const reader = await at.client.tokens.create({ body: { Policies: [{ Name: "view-reader" }] } });
    const other = await at.open("access/default/default/tokens", { as: reader.SecretID });
    await other.page.getByRole("button", { name: "Views", exact: true }).click();
    const theirs = other.page.getByRole("dialog", { name: "Views" });
    await theirs.getByRole("button", { name: /^Show view Everybody's/ }).waitFor();
    const remove = theirs.getByRole("button", { name: "Delete view Everybody's" });
    await expect.poll(async () => remove.getAttribute("aria-disabled")).toBe("true");
    await remove.press("Enter");
    expect(await theirs.getByRole("group").count()).toBe(0);
    expect(await theirs.getByLabel("Share in namespace default").isDisabled()).toBe(true);
    await theirs.getByText("Required permission: acl:write.").first().waitFor();
    expect(await faultsInBoth(other.page, "views of a reader")).toEqual([]);
  });
});

inBrowser("what a token may not do", () => {
  it("is shown disabled with the reason, in lists and on pages of access control", async () => {
    await at.client.policies.create({ body: { Name: "onlooker", Rules: 'acl = "read"' } });
    const { AccessorID, SecretID } = await at.client.tokens.create({ body: { Policies: [{ Name: "onlooker" }] } });
    const role = await at.client.roles.create({ body: { Name: "looked-at" } });
    const { page, go } = await at.open(ROLES, { as: SecretID });
    const reason = page.getByText("Your token cannot do this. Required permission: acl:write.");
    for (const [path, heading, names] of [
      [ROLES, "Roles", ["New role"]],
      ["access/default/default/tokens", "Tokens", ["New token", "Revoke"]],
      [`${ROLES}/${role.ID}`, "looked-at", ["Edit", "Duplicate"]],
      [`access/default/default/tokens/${AccessorID}`, AccessorID.slice(0, 8), ["Edit", "Duplicate"]],
    ] as const) {
      await go(path);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      for (const name of names) {
        const button = page.getByRole("button", { name: new RegExp(`^${name}`) });
        await button.waitFor();
        expect([path, name, await button.getAttribute("aria-disabled")]).toEqual([path, name, "true"]);
        await button.focus();
        await reason.waitFor();
        await button.press("Enter");
        expect(new URL(page.url()).pathname).toBe(`/ui/${path}`);
      }
    }
    await page.getByRole("button", { name: "More" }).click();
    await page
      .getByRole("menuitem", { name: /^Delete/ })
      .getByText("Required permission: acl:write.")
      .waitFor();
    expect(await faultsInBoth(page, "denied")).toEqual([]);
  });
});

inBrowser("selected roles", () => {
  it("get a policy, with the impact before, and keep their others", async () => {
    await at.client.policies.create({ body: { Name: "has-it", Rules: "" } });
    await at.client.policies.create({ body: { Name: "gets-it", Rules: 'key "bulk" { policy = "write" }' } });
    const made = async (Name: string, ...policies: string[]) =>
      at.client.roles.create({ body: { Name, Policies: policies.map((Policy) => ({ Name: Policy })) } });
    const [one, two] = [await made("bulk-one", "has-it"), await made("bulk-two", "gets-it")];
    const { page } = await at.open(`${ROLES}?q=bulk-`);
    await title(page, "Roles");
    for (const name of ["bulk-one", "bulk-two"]) {
      await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).click();
    }
    await page
      .getByRole("region", { name: "Selection" })
      .getByRole("button", { name: "Policies", exact: true })
      .click();
    const dialog = page.getByRole("dialog", { name: "Change 2 roles?" });
    await choose(page, "Policies", "gets-it");
    const rest = page.getByRole("dialog", { name: "Change 1 role?" });
    await rest.getByText("bulk-two: already has the policies and roles").waitFor();
    await rest.getByRole("region", { name: "Impact" }).waitFor();
    expect(await dialog.count()).toBe(0);
    await rest.getByRole("button", { name: "Change 1 role" }).click();
    await page.getByText("Changed 1 role.").waitFor();
    const names = async (id: string) => (await at.client.roles.read({ id })).Policies?.map(({ Name }) => Name);
    expect([await names(one.ID), await names(two.ID)]).toEqual([["has-it", "gets-it"], ["gets-it"]]);
  });
});

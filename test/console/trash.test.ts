/** The trash in the console: the way back after a delete, the screen of deleted objects, and deletes that want a name typed. */
import { expect, it } from "vitest";
import { more } from "./forms.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const at = useConsole();
const SCOPE = "access/default/default";

inBrowser("the trash", () => {
  it("undoes the delete of a role from the message", async () => {
    const { ID: id } = await at.client.roles.create({ body: { Name: "undone", Description: "As before" } });
    const { page } = await at.open(`${SCOPE}/roles/${id}`);
    await more(page, "Delete");
    await page.getByRole("dialog").getByText("You can restore the object from the trash for 7 days.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await title(page, "Roles");
    await page.getByText("Deleted role undone. Moved to the trash.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Restored role undone").waitFor();
    expect(await at.client.roles.read({ id })).toMatchObject({ Name: "undone", Description: "As before" });
    await page.getByRole("link", { name: "undone", exact: true }).waitFor();
  });

  it("restores a role by keyboard, says what is left out, and asks for a name where that is taken", async () => {
    const policy = await at.client.policies.create({ body: { Name: "lost-policy", Rules: "" } });
    const body = { Name: "taken", Policies: [{ Name: "lost-policy" }] };
    const { ID: id } = await at.client.roles.create({ body });
    await at.client.roles.delete({ id });
    await at.client.policies.delete({ id: policy.ID });
    await at.client.roles.create({ body: { Name: "taken" } });
    const { page } = await at.open(`${SCOPE}/trash`);
    const button = page.getByRole("button", { name: "Restore role taken" });
    await button.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("policy lost-policy", { exact: true }).waitFor();
    await dialog.getByText("Another object has this name. Enter a new name.").waitFor();
    await dialog.getByRole("textbox", { name: "Name" }).fill("taken-2");
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "Restore" }).click();
    await page.getByText("Restored role taken").waitFor();
    await expect.poll(async () => button.count()).toBe(0);
    expect(await at.client.roles.read({ id })).toMatchObject({ Name: "taken-2" });
  });

  it("restores a token, and shows its new secret once", async () => {
    const token = await at.client.tokens.create({ body: { Description: "trashed token" } });
    const { page } = await at.open(`${SCOPE}/tokens/${token.AccessorID}`);
    await more(page, "Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "Show trash" }).click();
    await page.getByRole("button", { name: "Restore token trashed token" }).click();
    await page.getByRole("dialog").getByText("The token gets a new secret.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    const secret = (await page.locator("[data-secret]").textContent()) ?? "";
    expect(secret).toMatch(/^[0-9a-f-]{36}$/);
    expect(secret).not.toBe(token.SecretID);
    await page.getByRole("button", { name: "I saved the secret" }).click();
    await expect.poll(async () => page.locator("[data-secret]").count()).toBe(0);
    expect(await page.content()).not.toContain(secret);
    expect((await at.client.tokens.read({ accessor: token.AccessorID })).Description).toBe("trashed token");
  });

  it("deletes a namespace only when its name was typed", async () => {
    await at.client.namespaces.create({ body: { Name: "typed-name" } });
    const { page } = await at.open(`${SCOPE}/namespaces/typed-name`);
    await more(page, "Delete");
    const button = page.getByRole("dialog").getByRole("button", { name: "Delete" });
    const field = page.getByRole("dialog").getByRole("textbox", { name: "Type typed-name to confirm" });
    await field.fill("typed");
    expect(await button.isDisabled()).toBe(true);
    await field.fill("typed-name");
    await button.click();
    await page.getByText("Deleted namespace typed-name. Moved to the trash.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Restored namespace typed-name").waitFor();
    expect(await at.client.namespaces.read({ name: "typed-name" })).toMatchObject({ Name: "typed-name" });
  });

  it("is not offered to a reader, who sees why when the address is opened", async () => {
    await at.client.policies.create({ body: { Name: "trash-reader", Rules: 'acl = "read"' } });
    const reader = await at.client.tokens.create({ body: { Policies: [{ Name: "trash-reader" }] } });
    const { page, go } = await at.open(`${SCOPE}/roles`, { as: reader.SecretID });
    await title(page, "Roles");
    await page.getByRole("link", { name: "Binding rules", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "Trash", exact: true }).count()).toBe(0);
    await go(`${SCOPE}/trash`);
    await page.getByRole("link", { name: "Explain denial" }).waitFor();
  });
});

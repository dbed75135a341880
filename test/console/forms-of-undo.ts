/** The forms that take back changes of access control, or disable what may be enabled again. */
import { ACCESS, object, role, token } from "./objects.ts";
import { more, text, type Form } from "./forms.ts";

export const UNDO_FORMS: readonly Form[] = [
  {
    title: "restores a version of a role",
    operations: ["updateRole"],
    ...role,
    ...object("roles"),
    async setUp(client, name) {
      const id = (await role.setUp?.(client, name)) ?? "";
      await client.roles.update({ id, body: { Description: "After", Policies: [] } });
      return id;
    },
    async fill(page) {
      await page.getByRole("tab", { name: "History" }).click();
      await page.getByRole("link", { name: "Restore" }).click();
      await page.getByRole("textbox", { name: "Description" }).and(page.locator('[value="Before"]')).waitFor();
    },
    save: /^Save changes/,
  },
  {
    title: "disables a token",
    operations: ["disableToken"],
    ...token,
    ...object("tokens"),
    async fill(page) {
      await more(page, "Disable");
    },
    save: "Disable",
    read: async (client, { id }) => ({
      isDisabled: (await client.tokens.read({ accessor: id })).DisabledTime !== undefined,
    }),
  },
  {
    title: "enables a token",
    operations: ["enableToken"],
    ...token,
    ...object("tokens"),
    async setUp(client, name) {
      const id = (await token.setUp?.(client, name)) ?? "";
      await client.tokens.disable({ accessor: id });
      return id;
    },
    async fill(page) {
      await more(page, "Enable");
    },
    save: "Enable",
    read: async (client, { id }) => ({
      isDisabled: (await client.tokens.read({ accessor: id })).DisabledTime !== undefined,
    }),
  },
  {
    title: "restores a role from the trash under another name",
    operations: ["deleteRole", "restoreFromTrash"],
    path: () => `${ACCESS}/trash`,
    async setUp(client, name) {
      const id = (await role.setUp?.(client, name)) ?? "";
      await client.roles.delete({ id });
      return id;
    },
    async fill(page, { name }) {
      await page.getByRole("button", { name: `Restore role ${name}`, exact: true }).click();
      await text(page, "Name", `${name}-2`);
    },
    save: "Restore",
    read: role.read,
  },
];

/** An edit of what somebody else changes meanwhile: nothing is written over unseen, and both changes are shown. */
import type { Client, OperationId } from "@tessera-server/client";
import type { Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { key, organization, project, rules, webhook } from "./forms-of-organizations.ts";
import { workspace } from "./forms-of-tags.ts";
import { choose, text, type About, type Form } from "./forms.ts";
import { editor, method, namespace, partition, policy, role, rule, token } from "./objects.ts";
import { startProxy, type Proxy } from "./proxy.ts";
import { inBrowser, useConsole } from "./use-console.ts";

/** Value of the first writer, which can be found in any member. */
const THEIRS = "theirs-77";
const MINE = "mine-42";

interface Edit extends Pick<Form, "path" | "read"> {
  readonly title: string;
  readonly save: RegExp;
  setUp(client: Client, name: string): Promise<string>;
  /** Writes the form's values, `MINE` among them. */
  fill(page: Page): Promise<void>;
  /** Write of another client before the form is saved: `THEIRS` is in it. */
  behind(about: About): { operation: OperationId; path: Record<string, string>; body: unknown };
  /** Both write the same member: only one of them can stay. */
  readonly isSame?: boolean;
}

const CHANGES = /^Save changes/;
const description = async (page: Page) => text(page, "Description", MINE);
const described = (noun: string) => ({ ...editor(noun), save: CHANGES, fill: description });
const byId = (operation: OperationId, body: object) => ({
  behind: ({ id }: About) => ({ operation, path: { id }, body }),
});
const byName = (operation: OperationId, body: object) => ({
  behind: ({ name }: About) => ({ operation, path: { name }, body }),
});
const document = (type: string, attributes: object) => ({ data: { type, attributes } });
const keys = { data: [{ type: "tag-bindings", attributes: { key: "env", value: THEIRS } }] };

const EDITS: readonly Edit[] = [
  {
    title: "a token",
    ...token,
    ...described("tokens"),
    behind: ({ id: accessor }) => ({
      operation: "updateToken",
      path: { accessor },
      body: { ServiceIdentities: [{ ServiceName: THEIRS }] },
    }),
  },
  {
    title: "a policy",
    ...policy,
    ...described("policies"),
    ...byId("updatePolicy", { Rules: `key "${THEIRS}" {\n  policy = "read"\n}\n` }),
  },
  {
    title: "a role",
    ...role,
    ...described("roles"),
    ...byId("updateRole", { ServiceIdentities: [{ ServiceName: THEIRS }] }),
  },
  {
    title: "an auth method",
    ...method,
    ...described("auth-methods"),
    ...byName("updateAuthMethod", { DisplayName: THEIRS }),
  },
  {
    title: "a binding rule",
    ...rule,
    ...described("binding-rules"),
    ...byId("updateBindingRule", { Selector: `value.repository == "${THEIRS}"` }),
  },
  {
    title: "a namespace",
    ...namespace,
    ...described("namespaces"),
    ...byName("updateNamespace", { Meta: { first: THEIRS } }),
  },
  {
    title: "a partition",
    ...partition,
    path: ({ name }) => `partitions/${name}/edit`,
    save: CHANGES,
    fill: description,
    ...byName("updatePartition", { Description: THEIRS }),
    isSame: true,
  },
  {
    title: "an organization",
    ...organization,
    path: ({ name }) => `org/${name}/settings/edit`,
    save: CHANGES,
    fill: async (page) => text(page, "Email", `${MINE}@acme.example`),
    behind: ({ name }) => ({
      operation: "updateOrganization",
      path: { organization_name: name },
      body: document("organizations", { "owners-team-saml-role-id": THEIRS }),
    }),
  },
  {
    title: "a project",
    ...project,
    path: ({ id }) => `org/acme/projects/${id}/edit`,
    save: CHANGES,
    fill: description,
    behind: ({ id }) => ({
      operation: "updateProject",
      path: { project_id: id },
      body: document("projects", { name: THEIRS }),
    }),
  },
  {
    title: "the keys of a project",
    ...project,
    save: /^Save tag keys/,
    fill: async (page) => choose(page, "Tag keys", `mine=${MINE}`),
    behind: ({ id }) => ({ operation: "replaceProjectTagBindings", path: { project_id: id }, body: keys }),
    isSame: true,
  },
  {
    title: "the keys of a workspace",
    ...workspace,
    save: /^Save tag keys/,
    fill: async (page) => choose(page, "Tag keys", `mine=${MINE}`),
    behind: ({ id }) => ({ operation: "replaceWorkspaceTagBindings", path: { workspace_id: id }, body: keys }),
    isSame: true,
  },
  {
    title: "the tag policy",
    ...rules,
    path: ({ name }) => `org/${name}/tag-rules/edit`,
    save: /^Save$|^Save \(/,
    fill: async (page) => page.getByRole("group", { name: "owners" }).getByLabel("Name", { exact: true }).fill(MINE),
    behind: ({ name }) => ({
      operation: "putTagPolicy",
      path: { organization_name: name },
      body: document("tag-policies", { enforce: "advise", rules: [{ name: THEIRS, "required-keys": ["owner"] }] }),
    }),
    isSame: true,
  },
  {
    title: "a webhook",
    ...webhook,
    path: ({ name, id }) => `org/${name}/tag-webhooks/${id}/edit`,
    save: CHANGES,
    fill: async (page) => text(page, "Name", MINE),
    behind: ({ id }) => ({
      operation: "updateTagWebhook",
      path: { webhook_id: id },
      body: document("tag-webhooks", { url: `https://hooks.acme.example/${THEIRS}` }),
    }),
  },
  {
    title: "a reserved key",
    ...key,
    path: ({ id }) => `org/acme/reserved-tag-keys/${id}/edit`,
    save: CHANGES,
    fill: async (page) => text(page, "Key", MINE),
    behind: ({ id }) => ({
      operation: "updateReservedTagKey",
      path: { reserved_tag_key_id: id },
      body: document("reserved-tag-keys", { key: THEIRS }),
    }),
    isSame: true,
    read: async (client) => client.reservedTagKeys.list({ organization: "acme" }).all(),
  },
];

let proxy: Proxy | undefined;

const at = useConsole({
  isSeeded: true,
  async prepare({ url }) {
    proxy = await startProxy();
    proxy.to(url);
    // The page is told of nothing: it learns of the other one by what the server says to its write.
    proxy.instead(({ url: asked = "" }) => /^\/(v1|api\/v2\/organizations\/[^/]+)\/(events|audit)/.test(asked));
  },
});
afterAll(async () => proxy?.stop());

inBrowser("an edit behind which somebody else has written", () => {
  it.each(EDITS.map((edit, index) => ({ ...edit, index })))(
    "of $title writes nothing over that, and shows both",
    async ({ setUp, path, read, fill, behind, save, isSame = false, index }) => {
      const name = `raced-${index}`;
      const about = { name, id: await setUp(at.client, name) };
      const now = async () => JSON.stringify(await read(at.client, about));
      const { page } = await at.open(path(about), { at: proxy?.url ?? "" });
      await fill(page);
      const button = page.getByRole("button", { name: save });
      await expect.poll(async () => button.isEnabled()).toBe(true);
      const { operation, ...asked } = behind(about);
      await at.client.request(operation, asked);
      await button.click();
      const race = page.getByRole("alert").filter({ hasText: "Conflict: object has changed" });
      await race.waitFor();
      expect(await now()).toContain(THEIRS);
      expect(await now()).not.toContain(MINE);
      const shown = await race.textContent();
      expect(shown).toContain(THEIRS);
      expect(shown).toContain(MINE);
      await race.getByRole("button", { name: "Apply my changes" }).click();
      await button.click();
      await expect.poll(now).toContain(MINE);
      expect((await now()).includes(THEIRS)).toBe(!isSame);
    },
  );

  it("of the tags of a workspace takes off only what it says, and puts nothing back", async () => {
    const name = "raced-tags";
    const id = await workspace.setUp(at.client, name);
    const { page } = await at.open(workspace.path({ name, id }), { at: proxy?.url ?? "" });
    await page.getByText("goes").first().waitFor();
    await page.getByRole("combobox", { name: "Flat tags" }).press("Backspace");
    await choose(page, "Flat tags", "mine");
    const tag = (each: string) => ({ data: [{ type: "tags" as const, attributes: { name: each } }] });
    await at.client.workspaceTags.add({ workspace: id, body: tag("theirs") });
    await at.client.workspaceTags.remove({ workspace: id, body: tag("kept") });
    // As when an event has come.
    await page.evaluate(`["offline", "online"].forEach((kind) => dispatchEvent(new Event(kind)))`);
    await page.getByText("theirs", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Save tags" }).click();
    const read = async () => (await at.client.workspaces.read({ workspace: id })).data.attributes["tag-names"];
    await expect.poll(async () => [...(await read())].sort()).toEqual(["mine", "theirs"]);
  });
});

/** The forms of the pool of an organization's tags, most of which begin jobs. */
import type { Client } from "@tessera-server/client";
import { type About, type Form, text } from "./forms.ts";
import { ORG, pick, previewed, several, workspace, workspaceOf } from "./forms-of-tags.ts";

/** A tag, and a workspace that has it, both called the same. */
const tag = {
  async setUp(client: Client, name: string) {
    const id = await workspace.setUp(client, name);
    const data = [{ type: "tags" as const, attributes: { name } }];
    await client.workspaceTags.add({ workspace: id, body: { data } });
    return id;
  },
  path: ({ name }: About) => `${ORG}/tags?q=${name}`,
  read: async (client: Client, { id, name }: About) => ({
    workspace: await workspaceOf(client, id),
    pool: (await client.tags.list({ organization: "acme", q: name }).all()).map(({ attributes }) => attributes.name),
  }),
};

/** The page of a tag that one workspace has; another one that is called alike does not. */
const tagPage = {
  async setUp(client: Client, name: string) {
    await tag.setUp(client, name);
    await workspace.setUp(client, `${name}-2`);
    const [found] = await client.tags.list({ organization: "acme", q: name }).all();
    return found?.id ?? "";
  },
  path: ({ id }: About) => `${ORG}/tags/${id}`,
  async read(client: Client, about: About) {
    const read = (await several.read(client, about)) as { tags: readonly string[] }[];
    // In an order that does not depend on what they are called this time.
    const named = (each: string) => each.replace(about.name, "NAME");
    const workspaces = read.map((each) => ({ ...each, tags: each.tags.map(named).sort() }));
    const pool = await client.tags.list({ organization: "acme", q: about.name }).all();
    return { workspaces, pool: pool.map(({ attributes }) => attributes.name) };
  },
};

export const POOL_FORMS: readonly Form[] = [
  {
    title: "makes tags",
    operations: ["createTags"],
    path: () => `${ORG}/tags/new`,
    async fill(page, { name }) {
      await text(page, "Names", `${name}\n${name}:b\n${name}-c`);
    },
    save: "Create",
    async read(client, { name }) {
      const found = await client.tags.list({ organization: "acme", q: name }).all();
      return found.length === 0 ? undefined : found.map(({ attributes }) => attributes.name).sort();
    },
  },
  {
    title: "merges tags",
    operations: ["createTagJob"],
    ...tag,
    async fill(page, { name }) {
      await pick(page, name);
      await page.getByRole("button", { name: "Merge" }).click();
      await text(page, "Merge into", "123");
      await previewed(page);
    },
    save: "Merge",
  },
  {
    title: "deletes tags",
    operations: ["createTagJob"],
    ...tag,
    async fill(page, { name }) {
      await pick(page, name);
      await page.getByRole("button", { name: "Delete" }).click();
      await previewed(page);
    },
    save: "Delete",
  },
  {
    title: "renames a tag",
    operations: ["createTagJob"],
    ...tagPage,
    async fill(page, { name }) {
      await page.getByRole("button", { name: "Rename" }).click();
      await text(page, "New name", `${name}:later`);
      await previewed(page);
    },
    save: "Rename",
  },
  {
    title: "puts a tag on workspaces, from its own page",
    operations: ["createTagJob"],
    ...tagPage,
    async fill(page, { name }) {
      await page.getByRole("button", { name: "Add to workspaces" }).click();
      await text(page, "Name with * wildcards", `${name}*`);
      await previewed(page);
    },
    save: "Add",
  },
  {
    title: "takes a tag off workspaces, from its own page",
    operations: ["createTagJob"],
    ...tagPage,
    async fill(page, { name }) {
      await page.getByRole("button", { name: "Add to workspaces" }).click();
      await page.getByRole("dialog").getByText("Remove", { exact: true }).click();
      await text(page, "Name with * wildcards", `${name}*`);
      await previewed(page);
    },
    save: "Remove",
  },
];

/** The forms of workspaces, and of the tags on them. */
import type { Page } from "playwright-core";
import type { Client } from "@tessera-server/client";
import { ask, type About, choose, type Form, HARD, option, orGone, text } from "./forms.ts";

export const ORG = "org/acme";
const STOPS: readonly string[] = ["done", "failed", "cancelled"];

/** Until all jobs have ended: what they change is there only then. */
async function untilJobsEnd(client: Client): Promise<void> {
  for (;;) {
    const jobs = await client.tagJobs.list({ organization: "acme" }).all();
    if (jobs.every(({ attributes: { status } }) => STOPS.includes(status))) return;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** A workspace as it is told of, its tags, and its keys. */
export async function workspaceOf(client: Client, id: string): Promise<unknown> {
  await untilJobsEnd(client);
  const read = await orGone(client.workspaces.read({ workspace: id }));
  if (read === "gone") return read;
  const {
    name,
    description,
    "tag-names": tags,
    "execution-mode": mode,
    "locked-reason": locked,
  } = (read as Awaited<ReturnType<typeof client.workspaces.read>>).data.attributes;
  const keys = await client.tagBindings.listOfWorkspace({ workspace: id }).all();
  return { name, description, mode, locked, tags: [...tags].sort(), keys: keys.map(({ attributes }) => attributes) };
}

export const workspace = {
  async setUp(client: Client, name: string) {
    const { data } = await client.workspaces.create({
      organization: "acme",
      body: { data: { type: "workspaces", attributes: { name } } },
    });
    const tags = ["kept", "goes"].map((each) => ({ type: "tags" as const, attributes: { name: each } }));
    await client.workspaceTags.add({ workspace: data.id, body: { data: tags } });
    return data.id;
  },
  path: ({ id }: About) => `${ORG}/workspaces/${id}`,
  read: async (client: Client, { id }: About) => workspaceOf(client, id),
};

/** Three workspaces whose names begin alike. */
export const several = {
  async setUp(client: Client, name: string) {
    for (const end of ["", "-2", "-3"]) await workspace.setUp(client, `${name}${end}`);
    return "";
  },
  path: ({ name }: About) => `${ORG}/workspaces?q=${name}`,
  async read(client: Client, { name }: About) {
    const found = await client.workspaces.list({ organization: "acme", "search[name]": name, sort: "name" }).all();
    return Promise.all(found.map(async ({ id }) => workspaceOf(client, id)));
  },
};

/** Until each of several has come so far: what is sent for them is more than one request. */
function untilEach(isThere: (tags: readonly string[], about: About) => boolean): NonNullable<Form["settled"]> {
  return async (client, about) => {
    for (;;) {
      const asked = { organization: "acme", "search[name]": about.name };
      const found = await client.workspaces.list(asked).all();
      if (found.every(({ attributes }) => isThere(attributes["tag-names"], about))) return;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  };
}

async function pickSeveral(page: Page, { name }: About): Promise<void> {
  for (const end of ["", "-2", "-3"]) await pick(page, `${name}${end}`);
}

export async function pick(page: Page, name: string): Promise<void> {
  await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).click();
}

export async function previewed(page: Page): Promise<void> {
  await page
    .getByRole("dialog")
    .getByText(/would change/)
    .waitFor();
}

export const TAG_FORMS: readonly Form[] = [
  {
    title: "makes a workspace",
    operations: ["createWorkspace"],
    path: () => `${ORG}/workspaces/new`,
    async fill(page, { name }) {
      await text(page, "Name", name);
      await text(page, "Description", '-it\'s "$HOME"');
      await choose(page, "Tags", "pci", "new-one");
    },
    save: "Create workspace",
    async read(client, { name }) {
      const [found] = await client.workspaces.list({ organization: "acme", "search[name]": name }).all();
      return found && workspaceOf(client, found.id);
    },
  },
  {
    title: "changes a workspace",
    operations: ["updateWorkspace"],
    ...workspace,
    path: ({ id }) => `${ORG}/workspaces/${id}/edit`,
    async fill(page, { name }) {
      await text(page, "Name", `${name}-later`);
      await text(page, "Description", HARD);
      await option(page, "Execution mode", "local");
    },
    save: /^Save changes/,
  },
  {
    title: "locks a workspace",
    operations: ["lockWorkspace"],
    ...workspace,
    async fill(page) {
      await page.getByRole("button", { name: "Lock", exact: true }).click();
      await text(page, "Reason", HARD);
    },
    save: "Lock",
  },
  {
    title: "unlocks a workspace",
    operations: ["unlockWorkspace", "forceUnlockWorkspace"],
    ...workspace,
    async setUp(client, name) {
      const id = await workspace.setUp(client, name);
      await client.workspaces.lock({ workspace: id, body: { reason: "at work" } });
      return id;
    },
    async fill(page) {
      await ask(page, "Unlock");
    },
    save: "Unlock",
  },
  {
    title: "changes a workspace's tags in place",
    operations: ["addWorkspaceTags", "removeWorkspaceTags"],
    ...workspace,
    async fill(page) {
      await page.getByRole("button", { name: "goes" }).or(page.getByText("goes")).first().waitFor();
      await page.getByRole("combobox", { name: "Flat tags" }).press("Backspace");
      await choose(page, "Flat tags", "new:one", "123");
    },
    save: "Save tags",
  },
  {
    title: "changes a workspace's keys in place",
    operations: ["replaceWorkspaceTagBindings"],
    ...workspace,
    async fill(page) {
      await choose(page, "Tag keys", "env=a=b", "-x");
    },
    save: "Save tag keys",
  },
  {
    title: "puts tags on workspaces that were selected",
    operations: ["addWorkspaceTags"],
    ...workspace,
    path: ({ name }) => `${ORG}/workspaces?q=${name}`,
    async fill(page, { name }) {
      await pick(page, name);
      await page.getByRole("button", { name: "Add tags" }).click();
      await choose(page, "Tags", "by_hand");
    },
    save: "Add",
  },
  {
    title: "puts tags on several workspaces that were selected",
    operations: ["addTagWorkspaces"],
    ...several,
    async fill(page, about) {
      await pickSeveral(page, about);
      await page.getByRole("button", { name: "Add tags" }).click();
      await choose(page, "Tags", "pci", "legacy");
    },
    save: "Add",
    settled: untilEach((tags) => tags.includes("pci") && tags.includes("legacy")),
  },
  {
    title: "takes tags off several workspaces that were selected",
    operations: ["removeTagWorkspaces"],
    ...several,
    async fill(page, about) {
      await pickSeveral(page, about);
      await page.getByRole("button", { name: "Remove tags" }).click();
      await choose(page, "Tags", "goes");
    },
    save: "Remove",
    settled: untilEach((tags) => !tags.includes("goes")),
  },
  {
    title: "puts tags that are not there yet on several workspaces that were selected",
    operations: ["addWorkspaceTags"],
    ...several,
    async fill(page, about) {
      await pickSeveral(page, about);
      await page.getByRole("button", { name: "Add tags" }).click();
      await choose(page, "Tags", `born-${about.name}`);
    },
    save: "Add",
    settled: untilEach((tags, { name }) => tags.includes(`born-${name}`)),
  },
  {
    title: "puts tags on all workspaces that are found",
    operations: ["createTagJob"],
    ...workspace,
    path: ({ name }) => `${ORG}/workspaces?q=${name}`,
    async fill(page) {
      await page.getByRole("button", { name: "Tag all matching" }).click();
      await choose(page, "Tags", "found", "env=-x");
      await previewed(page);
    },
    save: "Tag 1 workspace",
  },
  {
    title: "deletes a workspace",
    operations: ["safeDeleteWorkspace"],
    ...workspace,
    async fill(page) {
      await ask(page, "Delete");
    },
    save: "Delete",
  },
  {
    title: "deletes a workspace that is locked",
    operations: ["deleteWorkspace"],
    ...workspace,
    async setUp(client, name) {
      const id = await workspace.setUp(client, name);
      await client.workspaces.lock({ workspace: id, body: { reason: "Under repair" } });
      return id;
    },
    async fill(page, { name }) {
      await ask(page, "Delete");
      await page.getByRole("dialog").getByText("Under repair").waitFor();
      await text(page, `Type ${name} to confirm`, name);
    },
    save: "Delete",
  },
];

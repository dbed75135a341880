/** The forms of organizations, projects, rules for tags, reserved keys and webhooks. */
import type { Page } from "playwright-core";
import type { Client } from "@tessera-server/client";
import { ask, type About, choose, deletion, type Form, more, option, orGone, text } from "./forms.ts";

/** An organization of this name; others may change theirs at the same time. */
async function makeOrganization(client: Client, name: string): Promise<string> {
  const attributes = { name, email: "before@acme.example" };
  await client.organizations.create({ body: { data: { type: "organizations", attributes } } });
  return name;
}

async function attributesOf(reading: Promise<{ data: { attributes: object } }>): Promise<unknown> {
  const read = await orGone(reading);
  return read === "gone" ? read : (read as { data: { attributes: object } }).data.attributes;
}

export const organization = {
  setUp: makeOrganization,
  path: ({ name }: About) => `org/${name}/settings`,
  async read(client: Client, { name }: About) {
    const found = await attributesOf(client.organizations.read({ organization: name }));
    if (found === "gone") return found;
    const { "external-id": _id, ...rest } = found as Record<string, unknown>;
    return rest;
  },
};

export const project = {
  async setUp(client: Client, name: string) {
    const attributes = { name, description: "Before", "default-execution-mode": "local" as const };
    const body = { data: { type: "projects" as const, attributes } };
    return (await client.projects.create({ organization: "acme", body })).data.id;
  },
  path: ({ id }: About) => `org/acme/projects/${id}`,
  async read(client: Client, { id }: About) {
    const found = await attributesOf(client.projects.read({ project: id }));
    if (found === "gone") return found;
    const keys = await client.tagBindings.listOfProject({ project: id }).all();
    return { found, keys: keys.map(({ attributes }) => attributes) };
  },
};

export const rules = {
  async setUp(client: Client, name: string) {
    await makeOrganization(client, name);
    const attributes = { enforce: "advise" as const, rules: [{ name: "owners", "required-keys": ["owner"] }] };
    await client.tagPolicies.put({ organization: name, body: { data: { type: "tag-policies", attributes } } });
    return name;
  },
  read: async (client: Client, { name }: About) => attributesOf(client.tagPolicies.read({ organization: name })),
};

export const key = {
  async setUp(client: Client, name: string) {
    const attributes = { key: name, "disable-overrides": true };
    const body = { data: { type: "reserved-tag-keys" as const, attributes } };
    return (await client.reservedTagKeys.create({ organization: "acme", body })).data.id;
  },
  path: ({ id }: About) => `org/acme/reserved-tag-keys/${id}`,
  async read(client: Client, { name }: About) {
    const all = await client.reservedTagKeys.list({ organization: "acme" }).all();
    return all.find(({ attributes }) => attributes.key === name)?.attributes;
  },
};

export const webhook = {
  async setUp(client: Client, name: string) {
    await makeOrganization(client, name);
    const attributes = { name: "before", url: "https://hooks.acme.example/1", enabled: false };
    const body = { data: { type: "tag-webhooks" as const, attributes } };
    return (await client.tagWebhooks.create({ organization: name, body })).data.id;
  },
  path: ({ name, id }: About) => `org/${name}/tag-webhooks/${id}`,
  async read(client: Client, { name }: About) {
    const all = await client.tagWebhooks.list({ organization: name }).all();
    return all.map(({ attributes: { delivery: _delivery, ...rest } }) => rest);
  },
};

async function fillRule(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add rule" }).click();
  const group = page.getByRole("group", { name: "Rule" }).last();
  await group.getByLabel("Key", { exact: true }).fill("env");
  await group.getByLabel("Value pattern").fill("(prod|it's)[0-9]");
  await group.getByLabel("Name", { exact: true }).fill("stages");
}

export const ORGANIZATION_FORMS: readonly Form[] = [
  {
    title: "makes an organization",
    operations: ["createOrganization"],
    path: () => "organizations/new",
    async fill(page, { name }) {
      await text(page, "Name", name);
      await text(page, "Email", "it's@acme.example");
    },
    save: "Create organization",
    async read(client, about) {
      const found = await organization.read(client, about);
      return found === "gone" ? undefined : found;
    },
  },
  {
    title: "changes an organization",
    operations: ["updateOrganization"],
    ...organization,
    path: ({ name }) => `org/${name}/settings/edit`,
    async fill(page) {
      await text(page, "Email", "after@acme.example");
      await option(page, "Execution mode", "local");
      await page.getByLabel("Stacks").click();
    },
    save: /^Save changes/,
  },
  {
    ...deletion("an organization", "deleteOrganization", organization),
    async fill(page, { name }) {
      await more(page, "Delete");
      await text(page, `Type ${name} to confirm`, name);
    },
  },
  {
    title: "makes a project",
    operations: ["createProject"],
    path: () => "org/acme/projects/new",
    async fill(page, { name }) {
      await text(page, "Name", name);
      await text(page, "Description", '-it\'s "$HOME"');
      await option(page, "Execution mode", "local");
    },
    save: "Create project",
    async read(client, { name }) {
      const [found] = await client.projects.list({ organization: "acme", "filter[names]": name }).all();
      return found?.attributes;
    },
  },
  {
    title: "changes a project",
    operations: ["updateProject"],
    ...project,
    path: ({ id }) => `org/acme/projects/${id}/edit`,
    async fill(page) {
      await text(page, "Description", "After");
      await option(page, "Execution mode", "organization default");
    },
    save: /^Save changes/,
  },
  {
    title: "changes a project's keys in place",
    operations: ["replaceProjectTagBindings"],
    ...project,
    async fill(page) {
      await choose(page, "Tag keys", "env=a=b", "-x");
    },
    save: "Save tag keys",
  },
  deletion("a project", "deleteProject", project),
  {
    title: "moves a workspace to a project",
    operations: ["moveWorkspaces"],
    async setUp(client, name) {
      const body = { data: { type: "workspaces" as const, attributes: { name } } };
      return (await client.workspaces.create({ organization: "acme", body })).data.id;
    },
    path: ({ name }) => `org/acme/workspaces?q=${name}`,
    async fill(page, { name }) {
      await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).click();
      await page.getByRole("button", { name: "Move", exact: true }).click();
      await option(page, "Project", "Payments");
    },
    save: "Move",
    read: async (client, { id }) => (await client.workspaces.read({ workspace: id })).data.relationships.project,
  },
  {
    title: "writes the first rule of a tag policy",
    operations: ["putTagPolicy"],
    ...rules,
    setUp: makeOrganization,
    path: ({ name }) => `org/${name}/tag-rules/edit`,
    fill: fillRule,
    save: /^Save$|^Save \(/,
  },
  {
    title: "changes a tag policy",
    operations: ["putTagPolicy"],
    ...rules,
    path: ({ name }) => `org/${name}/tag-rules/edit`,
    fill: fillRule,
    save: /^Save$|^Save \(/,
  },
  {
    ...deletion("a tag policy", "deleteTagPolicy", { ...rules, path: ({ name }) => `org/${name}/tag-rules` }),
    async fill(page) {
      await ask(page, "Delete");
    },
  },
  {
    title: "reserves a key",
    operations: ["createReservedTagKey"],
    path: () => "org/acme/reserved-tag-keys/new",
    async fill(page, { name }) {
      await text(page, "Key", name);
    },
    save: "Create reserved tag key",
    read: key.read,
  },
  {
    title: "changes a reserved key",
    operations: ["updateReservedTagKey"],
    ...key,
    path: ({ id }) => `org/acme/reserved-tag-keys/${id}/edit`,
    async fill(page) {
      await page.getByLabel("Disable workspace overrides").click();
    },
    save: /^Save changes/,
  },
  deletion("a reserved key", "deleteReservedTagKey", {
    ...key,
    read: async (client, about) => (await key.read(client, about)) ?? "gone",
  }),
  {
    title: "makes a webhook",
    operations: ["createTagWebhook"],
    ...webhook,
    path: ({ name }) => `org/${name}/tag-webhooks/new`,
    async fill(page) {
      await text(page, "Name", '-it\'s "$HOME"');
      await text(page, "URL", "https://hooks.acme.example/a?b=1&c='2'");
      await page.getByLabel("Signing secret", { exact: true }).fill("it's a secret");
      await page.getByLabel("Enabled").click();
    },
    save: "Create webhook",
  },
  {
    title: "changes a webhook",
    operations: ["updateTagWebhook"],
    ...webhook,
    path: ({ name, id }) => `org/${name}/tag-webhooks/${id}/edit`,
    async fill(page) {
      await text(page, "Name", "after");
      await page.getByLabel("New signing secret", { exact: true }).fill("another");
    },
    save: /^Save changes/,
  },
  deletion("a webhook", "deleteTagWebhook", webhook),
];

/** Contents of the server of the console's tests and pictures: a small company. */
import { generateKeyPairSync } from "node:crypto";
import { createClient, type Client } from "../../packages/client/src/index.ts";

/** Objects that pages are about. */
export interface Seeded {
  readonly token: string;
  readonly policy: string;
  readonly role: string;
  readonly organization: string;
  readonly tag: string;
  readonly workspace: string;
  readonly job: string;
  readonly project: string;
  readonly reservedKey: string;
  readonly webhook: string;
  readonly method: string;
  readonly rule: string;
}

const POLICIES: readonly (readonly [string, string, string])[] = [
  [
    "web-deploy",
    "What deployments of the web services need",
    'workspace_prefix "acme/web-" {\n  policy = "write"\n}\n\nservice_prefix "web" {\n  policy = "write"\n}\n',
  ],
  [
    "ci-readers",
    "Pipelines read everything of the organization",
    'organization "acme" {\n  policy = "read"\n}\n\nworkspace_prefix "acme/" {\n  policy = "read"\n}\n',
  ],
  ["database-admins", "Whoever is on call for databases", 'key_prefix "db/" {\n  policy = "write"\n}\n'],
  ["auditors", "Reads records and rights, and changes nothing", 'acl = "read"\noperator = "read"\n'],
  ["tag-editors", "Names and merges tags", 'organization "acme" {\n  policy = "write"\n}\n'],
];

const PEOPLE = [
  "Amara Okafor",
  "Jonas Frei",
  "Mei Tanaka",
  "Sofía Ríos",
  "Lars Holm",
  "Priya Nair",
  "Tomás Vidal",
  "Ines Weber",
];
const SERVICES = ["checkout", "catalogue", "search", "mail", "billing", "identity", "reports", "images"];
const TAGS = [
  "env:production",
  "env:staging",
  "env:development",
  "team:payments",
  "team:platform",
  "team:data",
  "tier:critical",
  "cost-centre:4711",
  "region:eu-central-1",
  "region:us-east-1",
  "pci",
  "legacy",
  "Legacy",
  "cost_centre:4711",
  "cost-centres:4711",
];

/** Makes it. */
export async function seed(address: string, token: string): Promise<Seeded> {
  const client = createClient({ address, token });
  const policies: string[] = [];
  for (const [Name, Description, Rules] of POLICIES) {
    policies.push((await client.policies.create({ body: { Name, Description, Rules } })).ID);
  }
  const role = await client.roles.create({
    body: {
      Name: "web-team",
      Description: "Everybody who works on the shop",
      Policies: [{ Name: "web-deploy" }, { Name: "ci-readers" }],
    },
  });
  const retired = await client.policies.create({ body: { Name: "retired", Rules: "" } });
  const team = await client.roles.create({ body: { Name: "retired-team", Policies: [{ Name: "retired" }] } });
  await client.roles.delete({ id: team.ID });
  await client.policies.delete({ id: retired.ID });
  await client.roles.create({
    body: { Name: "on-call", Description: "Changes with the week", Policies: [{ Name: "database-admins" }] },
  });
  const first = await seedTokens(client, address);
  await seedNamespaces(client);
  const made = await seedOrganization(client);
  const logins = await seedLogins(client);
  return { token: first, policy: policies[0] ?? "", role: role.ID, organization: "acme", ...made, ...logins };
}

async function seedNamespaces(client: Client): Promise<void> {
  await client.namespaces.create({
    body: {
      Name: "payments",
      Description: "Cards and invoices",
      ACLs: { PolicyDefaults: [{ Name: "auditors" }], RoleDefaults: [{ Name: "on-call" }] },
      Meta: { owner: "payments@acme.example", "cost-centre": "4711" },
    },
  });
  await client.namespaces.create({ body: { Name: "data", Description: "Warehouse and reports" } });
  await client.policies.create({
    ns: "payments",
    body: { Name: "cards", Rules: 'key_prefix "cards/" {\n  policy = "read"\n}\n' },
  });
  await client.tokens.create({
    ns: "payments",
    body: { Description: "Nightly invoices", Policies: [{ Name: "cards" }] },
  });
  await client.partitions.create({ body: { Name: "subsidiary", Description: "The shops in the north" } });
}

async function seedLogins(client: Client): Promise<{ method: string; rule: string }> {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const Config = {
    JWTValidationPubKeys: [publicKey.export({ type: "spki", format: "pem" })],
    BoundAudiences: ["tessera"],
    ClaimMappings: { repository: "repository" },
    ListClaimMappings: { groups: "groups" },
  };
  await client.authMethods.create({
    body: {
      Name: "pipelines",
      Type: "jwt",
      DisplayName: "Our pipelines",
      Description: "Workflows of our repositories",
      MaxTokenTTL: "15m",
      Config,
      NamespaceRules: [{ Selector: '"payments" in list.groups', BindNamespace: "payments" }],
    },
  });
  await client.authMethods.create({
    body: { Name: "laptops", Type: "jwt", Description: "Device certificates", Config },
  });
  const rule = await client.bindingRules.create({
    body: {
      Description: "Deployments of the shop",
      AuthMethod: "pipelines",
      Selector: 'value.repository == "acme/shop"',
      BindType: "role",
      BindName: "web-team",
    },
  });
  await client.bindingRules.create({
    body: { AuthMethod: "pipelines", BindType: "policy", BindName: "ci-readers", Selector: '"ci" in list.groups' },
  });
  await client.bindingRules.create({
    body: { Description: "Whoever is on call", AuthMethod: "laptops", BindType: "role", BindName: "on-call" },
  });
  return { method: "pipelines", rule: rule.ID };
}

/** Asks about some permissions of a deployment, which counts as use. */
async function useSome(client: Client): Promise<void> {
  const body = ["web-checkout", "web-search"].map((Segment) => ({ Resource: "service", Access: "write", Segment }));
  await client.request("authorize", { body });
}

async function seedTokens(client: Client, address: string): Promise<string> {
  let first = "";
  for (const [index, person] of PEOPLE.entries()) {
    const made = await client.tokens.create({
      body: {
        Description: `${person}, laptop`,
        Roles: [{ Name: index % 3 === 0 ? "on-call" : "web-team" }],
        ...(index % 2 === 0 ? { ExpirationTTL: `${20 + index * 40}h` } : {}),
      },
    });
    if (first === "") first = made.AccessorID;
  }
  for (const [index, service] of SERVICES.entries()) {
    const made = await client.tokens.create({
      body: {
        Description: `Deployments of ${service}`,
        Policies: [
          { Name: "web-deploy" },
          ...(index % 2 === 0 ? [{ Name: "ci-readers" }] : []),
          ...(index % 4 === 0 ? [{ Name: "tag-editors" }] : []),
        ],
      },
    });
    if (index === 0) await useSome(createClient({ address, token: made.SecretID ?? "" }));
  }
  await client.tokens.update({
    accessor: first,
    body: { Description: "Amara Okafor, desk and laptop", Policies: [{ Name: "auditors" }] },
  });
  return first;
}

type OfOrganization = "tag" | "workspace" | "job" | "project" | "reservedKey" | "webhook";

async function seedOrganization(client: Client): Promise<Pick<Seeded, OfOrganization>> {
  await client.organizations.create({
    body: { data: { type: "organizations", attributes: { name: "acme", email: "ops@acme.example" } } },
  });
  await client.tags.create({
    organization: "acme",
    body: { data: TAGS.map((name) => ({ type: "tags", attributes: { name } })) },
  });
  let workspace = "";
  for (const [index, service] of SERVICES.entries()) {
    const { data } = await client.workspaces.create({
      organization: "acme",
      body: { data: { type: "workspaces", attributes: { name: `web-${service}` } } },
    });
    if (workspace === "") workspace = data.id;
    await client.workspaceTags.add({
      workspace: data.id,
      body: {
        data: TAGS.slice(0, 12)
          .filter((_tag, at) => (at * 7 + index * 3) % 4 === 0)
          .map((name) => ({ type: "tags", attributes: { name } })),
      },
    });
    await client.tagBindings.addToWorkspace({ workspace: data.id, body: { data: [keyed("stage", index % 3)] } });
  }
  const read = (await client.workspaces.read({ workspace })).data;
  const { data: project } = read.relationships.project;
  await client.tagBindings.addToProject({
    project: project !== null && project !== undefined && !Array.isArray(project) ? project.id : "",
    body: { data: [{ type: "tag-bindings", attributes: { key: "owner", value: "platform" } }] },
  });
  const [first] = await client.tags.list({ organization: "acme", q: "stage" }).all();
  return { tag: first?.id ?? "", workspace, job: await seedJob(client), ...(await seedRules(client)) };
}

/** A project of its own, rules, reserved keys and webhooks: one that cannot be reached, and one that is off. */
async function seedRules(client: Client): Promise<Pick<Seeded, "project" | "reservedKey" | "webhook">> {
  const organization = "acme";
  const attributes = { name: "Payments", description: "Cards and ledgers" };
  const project = (await client.projects.create({ organization, body: { data: { type: "projects", attributes } } }))
    .data;
  await client.tagBindings.addToProject({ project: project.id, body: { data: [keyed("cost-center", 1)] } });
  const moved = ["web-billing", "web-checkout"];
  const all = await client.workspaces.list({ organization }).all();
  const data = all
    .filter(({ attributes: { name } }) => moved.includes(name))
    .map(({ id }) => ({ type: "workspaces" as const, id }));
  await client.projects.moveWorkspaces({ project: project.id, body: { data } });
  const rules = [
    { name: "owners", "required-keys": ["owner", "cost-center"] },
    { name: "stages", key: "stage", "allowed-values": ["production", "staging", "development"] },
    { name: "costs", project: project.id, key: "cost-center", "value-pattern": "[a-z]{3,20}" },
    { name: "names", "naming-pattern": "[a-z][a-z0-9:_-]*" },
  ];
  await client.tagPolicies.put({
    organization,
    body: { data: { type: "tag-policies", attributes: { enforce: "advise", rules } } },
  });
  const reserved = await client.reservedTagKeys.create({
    organization,
    body: { data: { type: "reserved-tag-keys", attributes: { key: "cost-center", "disable-overrides": true } } },
  });
  await client.reservedTagKeys.create({
    organization,
    body: { data: { type: "reserved-tag-keys", attributes: { key: "owner" } } },
  });
  const hook = async (name: string, url: string, enabled: boolean) =>
    (
      await client.tagWebhooks.create({
        organization,
        body: {
          data: { type: "tag-webhooks", attributes: { name, url, enabled, token: "a secret", kinds: ["workspace"] } },
        },
      })
    ).data.id;
  const webhook = await hook("inventory", "https://hooks.acme.example/tags", true);
  await hook("chat", "https://chat.acme.example/hooks/4711", false);
  return { project: project.id, reservedKey: reserved.data.id, webhook };
}

function keyed(key: string, at: number) {
  const value = ["production", "staging", "development"][at] ?? "";
  return { type: "tag-bindings" as const, attributes: { key, value } };
}

/** A job that has ended, so that there is one to look at. */
async function seedJob(client: Client): Promise<string> {
  const { data } = await client.tagJobs.create({
    organization: "acme",
    body: {
      data: {
        type: "tag-jobs",
        attributes: { action: "add", tags: [{ name: "reviewed" }], filter: { workspaces: { wildcard: "web-*" } } },
      },
    },
  });
  const id = "id" in data ? data.id : "";
  for (;;) {
    const { status } = (await client.tagJobs.read({ tagJob: id })).data.attributes;
    if (status === "done" || status === "failed") return id;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

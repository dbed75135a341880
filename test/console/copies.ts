/** Objects of access control, each with all that a form could lose, and with what depends on it. */
import type { Client } from "@tessera-server/client";
import { orGone } from "./forms.ts";
import { ACCESS, namespace, partition } from "./objects.ts";

export interface Copied {
  /** As in the address. */
  readonly noun: string;
  /** Title of the list. */
  readonly plural: string;
  /** Path of its page, if that is not in a scope. */
  readonly at?: string;
  /** Makes one; gives its key in the address. */
  make(client: Client, name: string): Promise<string>;
  read(client: Client, key: string): Promise<unknown>;
  /** Makes an object that depends on it. Returns a function that reads the dependent object once this one is gone. */
  use?(client: Client, name: string): Promise<() => Promise<unknown>>;
  /** Texts that are shown before it is deleted. */
  readonly said: readonly string[];
  /** State of what depended on it, after the deletion. */
  readonly left?: unknown;
}

const TEMPLATED = [
  { TemplateName: "builtin/service", TemplateVariables: { Name: "mail" } },
  { TemplateName: "builtin/dns", Datacenters: ["dc1", "dc2"] },
];
const NODES = [{ NodeName: "web-1", Datacenter: "dc1" }];

export const COPIED: readonly Copied[] = [
  {
    noun: "tokens",
    plural: "Tokens",
    make: async (client, Description) =>
      (
        await client.tokens.create({
          body: {
            Description,
            Policies: [{ Name: "auditors" }],
            Roles: [{ Name: "on-call" }],
            ServiceIdentities: [{ ServiceName: "web" }],
            NodeIdentities: NODES,
            TemplatedPolicies: TEMPLATED.slice(0, 1),
            Local: true,
          },
        })
      ).AccessorID,
    read: async (client, accessor) => orGone(client.tokens.read({ accessor })),
    said: ["Clients that use this token lose access."],
  },
  {
    noun: "policies",
    plural: "Policies",
    make: async (client, Name) =>
      (
        await client.policies.create({
          body: { Name, Description: `Of ${Name}`, Rules: 'key "a" {\n  policy = "read"\n}\n', Datacenters: ["dc1"] },
        })
      ).ID,
    read: async (client, id) => orGone(client.policies.read({ id })),
    async use(client, Name) {
      const { ID } = await client.roles.create({ body: { Name: `${Name}-users`, Policies: [{ Name }] } });
      await client.tokens.create({ body: { Policies: [{ Name }] } });
      return async () => (await client.roles.read({ id: ID })).Policies ?? [];
    },
    said: ["1 token and 1 role"],
    left: [],
  },
  {
    noun: "roles",
    plural: "Roles",
    make: async (client, Name) =>
      (
        await client.roles.create({
          body: {
            Name,
            Description: `Of ${Name}`,
            Policies: [{ Name: "auditors" }],
            ServiceIdentities: [{ ServiceName: "web", Datacenters: ["dc1"] }],
            NodeIdentities: NODES,
            TemplatedPolicies: TEMPLATED,
          },
        })
      ).ID,
    read: async (client, id) => orGone(client.roles.read({ id })),
    async use(client, Name) {
      const { AccessorID } = await client.tokens.create({ body: { Roles: [{ Name }] } });
      await client.bindingRules.create({ body: { AuthMethod: "laptops", BindType: "role", BindName: Name } });
      return async () => (await client.tokens.read({ accessor: AccessorID })).Roles ?? [];
    },
    said: ["1 token and 1 binding rule"],
    left: [],
  },
  {
    noun: "auth-methods",
    plural: "Auth methods",
    async make(client, Name) {
      const { Config } = await client.authMethods.read({ name: "pipelines" });
      const NamespaceRules = [{ Selector: '"payments" in list.groups', BindNamespace: "payments" }];
      await client.authMethods.create({
        body: {
          Name,
          Type: "jwt",
          Description: `Of ${Name}`,
          MaxTokenTTL: "20m",
          TokenLocality: "local",
          Config,
          NamespaceRules,
        },
      });
      return Name;
    },
    read: async (client, name) => orGone(client.authMethods.read({ name })),
    async use(client, AuthMethod) {
      const { ID } = await client.bindingRules.create({ body: { AuthMethod, BindType: "role", BindName: "on-call" } });
      return async () => orGone(client.bindingRules.read({ id: ID }));
    },
    said: ["1 binding rule"],
    left: "gone",
  },
  {
    noun: "binding-rules",
    plural: "Binding rules",
    make: async (client, Description) =>
      (
        await client.bindingRules.create({
          body: {
            Description,
            AuthMethod: "pipelines",
            Selector: 'value.repository == "acme/shop"',
            BindType: "templated-policy",
            BindName: "builtin/service",
            BindVars: { Name: "${value.repository}" },
          },
        })
      ).ID,
    read: async (client, id) => orGone(client.bindingRules.read({ id })),
    said: ["New logins no longer receive these permissions.", "You can restore the object from the trash for 7 days."],
  },
  {
    noun: "namespaces",
    plural: "Namespaces",
    async make(client, Name) {
      const ACLs = { PolicyDefaults: [{ Name: "auditors" }], RoleDefaults: [{ Name: "on-call" }] };
      await client.namespaces.create({ body: { Name, Description: `Of ${Name}`, ACLs, Meta: { owner: "a=b" } } });
      return Name;
    },
    read: async (client, name) => namespace.read(client, { name, id: name }),
    async use(client, ns) {
      await client.policies.create({ ns, body: { Name: "inside" } });
      const { AccessorID } = await client.tokens.create({ ns, body: { Policies: [{ Name: "inside" }] } });
      return async () => orGone(client.tokens.read({ ns, accessor: AccessorID }));
    },
    said: ["2 policies", "1 token"],
    left: "gone",
  },
  {
    noun: "partitions",
    plural: "Partitions",
    at: "partitions",
    async make(client, Name) {
      await client.partitions.create({ body: { Name, Description: `Of ${Name}` } });
      return Name;
    },
    read: async (client, name) => partition.read(client, { name, id: name }),
    async use(client, name) {
      const query = { partition: name };
      await client.request("createNamespace", { query, body: { Name: "inside" } });
      const read = async () => client.request("readNamespace", { path: { name: "inside" }, query });
      return async () => orGone(read());
    },
    said: ["(default, inside)"],
    left: "gone",
  },
];

/** Below `/ui/`. */
export function pathOfCopied({ noun, at = `${ACCESS}/${noun}` }: Copied, key: string): string {
  return `${at}/${encodeURIComponent(key)}`;
}

/** An object without what no two have in common. */
export function withoutOwn(object: unknown): unknown {
  const own = [
    "AccessorID",
    "SecretID",
    "ID",
    "Name",
    "Hash",
    "CreateTime",
    "ExpirationTime",
    "CreateIndex",
    "ModifyIndex",
  ];
  return Object.fromEntries(Object.entries(object as object).filter(([name]) => !own.includes(name)));
}

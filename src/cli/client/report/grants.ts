/** Report of the grants of all subjects, and their sources: one row for each. */
import { plain } from "../output/values.ts";
import type { Item } from "../output/types.ts";

/** A row of the report. */
export type Row = Item & {
  readonly subject: string;
  readonly id: string;
  readonly description: string;
  readonly namespace: string;
  readonly holds: string;
  readonly through: string;
  readonly lastUsed: string;
  readonly expires: string;
};

/** Links of a role or a token. */
interface Holder {
  Policies?: Link[] | null;
  Roles?: Link[] | null;
  ServiceIdentities?: { ServiceName: string }[] | null;
  NodeIdentities?: { NodeName: string; Datacenter: string }[] | null;
  TemplatedPolicies?: { TemplateName: string; TemplateVariables?: { Name?: string } | null }[] | null;
}

interface Link {
  ID?: string;
  Name?: string;
}

/** Roles by ID. */
export type Roles = ReadonlyMap<string, Item>;

/** Returns the direct links of a holder, in words. */
export function grantsOf(item: Item): string[] {
  const holder = item as Holder;
  return [
    ...(holder.Policies ?? []).map(({ Name: name, ID: id }) => `policy ${name ?? id ?? "?"}`),
    ...(holder.ServiceIdentities ?? []).map(({ ServiceName: name }) => `service identity ${name}`),
    ...(holder.NodeIdentities ?? []).map(
      ({ NodeName: name, Datacenter: datacenter }) => `node identity ${name} in ${datacenter}`,
    ),
    ...(holder.TemplatedPolicies ?? []).map(
      ({ TemplateName: name, TemplateVariables: variables }) =>
        `templated policy ${name}${variables?.Name === undefined ? "" : ` for ${variables.Name}`}`,
    ),
  ];
}

/** The rows of a token: what it holds itself, and what each of its roles gives it. */
export function tokenRows(token: Item, roles: Roles): Row[] {
  const method = token["AuthMethod"];
  const base = {
    subject: method === undefined || method === "" ? "token" : `token of ${plain(method)}`,
    id: String(token["AccessorID"]),
    description: plain(token["Description"], ""),
    namespace: plain(token["Namespace"], "default"),
    lastUsed: plain(token["LastUsed"], "never"),
    expires: plain(token["ExpirationTime"], "never"),
  };
  const own = grantsOf(token).map((holds) => ({ ...base, holds, through: "itself" }));
  const rows = [...own, ...((token as Holder).Roles ?? []).flatMap((link) => roleRows(base, link, roles))];
  return rows.length === 0 ? [{ ...base, holds: "nothing", through: "-" }] : rows;
}

function roleRows(base: Omit<Row, "holds" | "through">, { ID: id, Name: name }: Link, roles: Roles): Row[] {
  const role = roles.get(id ?? "");
  const through = `role ${name ?? id ?? "?"}`;
  // One that may not be read, or was made since the roles were read.
  if (role === undefined) return [{ ...base, holds: "permissions of the role", through } as Row];
  const grants = grantsOf(role);
  return (grants.length === 0 ? ["nothing"] : grants).map((holds) => ({ ...base, holds, through }) as Row);
}

/** The row of a binding rule: whoever logs in and fits. */
export function ruleRow(rule: Item): Row {
  const selector = plain(rule["Selector"], "");
  return {
    subject: "binding rule",
    id: String(rule["ID"]),
    description: `logins with ${String(rule["AuthMethod"])}${selector === "" ? "" : ` and selector ${selector}`}`,
    namespace: plain(rule["Namespace"], "default"),
    holds: `${String(rule["BindType"])} ${String(rule["BindName"])}`,
    through: "a login",
    lastUsed: "-",
    expires: "-",
  };
}

/** The rows of what every token of a namespace has. */
export function namespaceRows(namespace: Item): Row[] {
  const { PolicyDefaults: policies = [], RoleDefaults: roles = [] } = (namespace["ACLs"] ?? {}) as {
    PolicyDefaults?: Link[] | null;
    RoleDefaults?: Link[] | null;
  };
  const base = {
    subject: "namespace",
    id: String(namespace["Name"]),
    description: "every token in the namespace",
    namespace: String(namespace["Name"]),
    through: "namespace defaults",
    lastUsed: "-",
    expires: "-",
  };
  const named = (kind: string, links: Link[] | null) =>
    (links ?? []).map(({ Name: name, ID: id }) => ({ ...base, holds: `${kind} ${name ?? id ?? "?"}` }));
  return [...named("policy", policies), ...named("role", roles)];
}

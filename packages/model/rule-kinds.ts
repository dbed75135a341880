/**
 * The kinds of policy rules and the resources of access checks. The server decides by these lists, and the console offers
 * them. Pure data: the model imports nothing, and runs in browsers too.
 */

export type Permission = "deny" | "read" | "list" | "write";

/** Access that a caller needs. `list` and `write-prefix` exist for keys only. */
export type Access = "read" | "list" | "write" | "write-prefix";

/** Resources that have no segment: one rule decides on all of it. */
export const SCALARS = ["acl", "keyring", "mesh", "operator", "peering"] as const;

/** Resources whose rules name one segment (`node "web-1"`) or all that begin with a text (`node_prefix "web-"`). */
export const LABELLED = [
  "agent",
  "event",
  "key",
  "node",
  "organization",
  "query",
  "service",
  "session",
  "workspace",
] as const;

/** Kinds of blocks: about the namespace or the partition itself, by its name. */
export const SCOPES = ["namespace", "partition"] as const;

/** Kinds that the text of a policy may contain and that decide nothing. */
export const INERT = ["identity"] as const;

export type ScalarResource = (typeof SCALARS)[number];
export type LabelledResource = (typeof LABELLED)[number];

/** Resources that a rule can be about. */
export type RuleResource = ScalarResource | LabelledResource | (typeof SCOPES)[number];

/** Resources that a caller can ask about. `intention` has no rules of its own: the rules of `service` decide. */
export type Resource = RuleResource | "intention";

const READ_WRITE: readonly Access[] = ["read", "write"];

/** Accesses of each resource. A `Map`: text from outside finds no inherited members. */
export const ACCESSES: ReadonlyMap<string, readonly Access[]> = new Map<Resource, readonly Access[]>([
  ...[...SCALARS, ...LABELLED, ...SCOPES, "intention" as const].map((resource) => [resource, READ_WRITE] as const),
  ["key", ["read", "list", "write", "write-prefix"]],
]);

/** Permissions of a rule, except those about keys. */
export const PLAIN_PERMISSIONS: readonly Permission[] = ["read", "write", "deny"];
const OF_KEYS: readonly Permission[] = ["read", "list", "write", "deny"];

/** Returns the permissions that rules about a resource can have. */
export function permissionsOf(resource: string): readonly Permission[] {
  return resource === "key" ? OF_KEYS : PLAIN_PERMISSIONS;
}

/** Resources in the order of the table of effective permissions. */
export const MATRIX_RESOURCES: readonly Resource[] = [
  "organization",
  "workspace",
  "operator",
  "keyring",
  "partition",
  "namespace",
  "mesh",
  "peering",
  "agent",
  "event",
  "query",
  "acl",
  "key",
  "node",
  "service",
  "intention",
  "session",
];

/** The words of rules: which kinds there are, and what each can give. A test compares them with the server's. */

const READ_WRITE = ["read", "write", "deny"] as const;

/** Kinds without a name of anything: one rule is about all of it. */
export const SCALAR_KINDS = ["acl", "keyring", "mesh", "operator", "peering"] as const;

/** Kinds whose rules name what they are about, or how its names begin. */
export const NAMED_KINDS = [
  "agent",
  "event",
  "identity",
  "key",
  "node",
  "organization",
  "query",
  "service",
  "session",
  "workspace",
] as const;

/** Blocks that hold rules of their own. */
export const SCOPE_KINDS = ["namespace", "partition"] as const;

/** Every word that a rule can begin with. */
export const ALL_KINDS: readonly string[] = [
  ...SCALAR_KINDS,
  ...[...NAMED_KINDS, ...SCOPE_KINDS].flatMap((kind) => [kind, `${kind}_prefix`]),
];

/** Returns the accesses that a rule of this kind can grant. */
export function accessesOf(kind: string): readonly string[] {
  return /^key(_prefix)?$/.test(kind) ? ["read", "list", "write", "deny"] : READ_WRITE;
}

/** Resources for access checks. `intention` has no rules of its own: the rules of `service` decide. */
export const ASKED_RESOURCES: readonly string[] = [...SCALAR_KINDS, ...NAMED_KINDS, ...SCOPE_KINDS, "intention"]
  .filter((kind) => kind !== "identity")
  .sort();

/** The accesses that can be asked of a resource. */
export function askedAccessesOf(resource: string): readonly string[] {
  return resource === "key" ? ["read", "list", "write", "write-prefix"] : ["read", "write"];
}

/** Whether there are several of it, which have names. */
export function hasNames(resource: string): boolean {
  return !(SCALAR_KINDS as readonly string[]).includes(resource);
}

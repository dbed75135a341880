/** Rules of the two policies that exist from the first start. */

const SCALAR_KINDS = ["acl", "keyring", "mesh", "operator", "peering"] as const;
const PREFIX_KINDS = [
  "agent_prefix",
  "event_prefix",
  "key_prefix",
  "node_prefix",
  "organization_prefix",
  "query_prefix",
  "service_prefix",
  "session_prefix",
  "workspace_prefix",
] as const;
const NAMESPACE_KINDS = ["key_prefix", "node_prefix", "service_prefix", "session_prefix"] as const;
const PARTITION_KINDS = ["agent_prefix", "event_prefix", ...NAMESPACE_KINDS, "query_prefix"] as const;

type Permission = "read" | "write";

function scalars(kinds: readonly string[], permission: Permission): string[] {
  return kinds.map((kind) => `${kind} = "${permission}"`);
}

function prefixes(kinds: readonly string[], permission: Permission): string[] {
  return kinds.map((kind) => {
    const intentions = kind === "service_prefix" ? `\n  intentions = "${permission}"` : "";
    return `${kind} "" {\n  policy = "${permission}"${intentions}\n}`;
  });
}

function block(kind: string, permission: Permission, inner: readonly string[]): string {
  const lines = [`policy = "${permission}"`, ...inner].join("\n").replaceAll("\n", "\n  ");
  return `${kind} "" {\n  ${lines}\n}`;
}

/** All that there is on the server, in every namespace of every partition. */
function everything(permission: Permission): string {
  const namespaces = block("namespace_prefix", permission, [
    ...scalars(["acl"], permission),
    ...prefixes(NAMESPACE_KINDS, permission),
  ]);
  const partitions = block("partition_prefix", permission, [
    ...scalars(["acl", "mesh", "peering"], permission),
    ...prefixes(PARTITION_KINDS, permission),
    namespaces,
  ]);
  const rules = [...scalars(SCALAR_KINDS, permission), ...prefixes(PREFIX_KINDS, permission), namespaces, partitions];
  return `${rules.join("\n")}\n`;
}

/** Permissions in one namespace, for a policy that is in that namespace. */
export const NAMESPACE_RULES = `${[
  ...scalars(["acl"], "write"),
  ...prefixes(["key_prefix"], "write"),
  ...prefixes(["node_prefix"], "read"),
  ...prefixes(["service_prefix", "session_prefix"], "write"),
].join("\n")}\n`;

/** Rules of `global-management`: write on every kind. */
export const MANAGEMENT_RULES = everything("write");

/** Rules of `builtin/global-read-only`: read on every kind. */
export const READ_ONLY_RULES = everything("read");

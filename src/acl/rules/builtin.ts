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

function everything(permission: "read" | "write"): string {
  const scalars = SCALAR_KINDS.map((kind) => `${kind} = "${permission}"\n`);
  const blocks = PREFIX_KINDS.map((kind) => {
    const intentions = kind === "service_prefix" ? `  intentions = "${permission}"\n` : "";
    return `${kind} "" {\n  policy = "${permission}"\n${intentions}}\n`;
  });
  return [...scalars, ...blocks].join("");
}

/** Rules of `global-management`: write on every kind. */
export const MANAGEMENT_RULES = everything("write");

/** Rules of `builtin/global-read-only`: read on every kind. */
export const READ_ONLY_RULES = everything("read");

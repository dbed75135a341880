/** Texts of effective permissions. */
export const resource = "Resource";
export const allResources = "All";
export const compareWith = "Compare with";
export const nothing = "Nothing";
export const aToken = "Token";
export const aRole = "Role";
export const anAuthMethod = "Auth method";
export const atTime = "At time";
export const now = "Show current permissions";

// Table
export const name = "Name";
export const read = "Read";
export const list = "List";
export const write = "Write";
export const deny = "Deny";
export const through = "Policy and line";
export const allNames = "all other names";
/** A resource without names. */
export const whole = "all";
export const startingWith = "all names with this prefix, except the names below";
export const wholeServer = "Server";
export const inNamespace = (namespace: string) => `Namespace ${namespace}`;
export const inOthers = "Other namespaces";
export const inPartition = (partition: string) => `Partition ${partition}`;
export const inOtherPartitions = "Other partitions";
export const within = (namespace: string, partition: string) => `${namespace}, ${partition.toLowerCase()}`;
export const allowed = "Allowed";
export const denied = "Denied";
export const first = "This";
export const second = "Other";
export const differs = "Differs";
export const atLine = (line: number) => `line ${line}`;
export const byDefaultPolicy = "Default policy";
export const viaRole = (role: string) => `through role ${role}`;
export const viaIdentity = (identity: string) => `through identity ${identity}`;
export const viaDefault = (namespace: string) => `default of namespace ${namespace}`;
export const policy = "Policy";

// Notes
export const none = "No permissions.";
export const noDifference = "No differences.";
export const incomplete = "The table is incomplete: your token cannot read all policies.";
export const rest = (decision: string) => `Default policy for all other names: ${decision}.`;
export const computed = (count: number) =>
  `Not included: ${count} ${count === 1 ? "binding rule" : "binding rules"} with grants that depend on the identity.`;
export const damaged = (reason: string) =>
  `The audit log is corrupted after this time, so the permissions can differ: ${reason}.`;
export const asOf = (time: string) => `Permissions at ${time}, from audit records.`;
export const showMore = "Show more";

/** Texts of drawings and charts. */
import { counted } from "./counted.ts";

// Charts
export const part = (title: string, count: number) => `${title} ${count.toLocaleString()}`;
export const bar = (title: string, parts: readonly string[]) => `${title}: ${parts.join(", ")}`;
export const daysLabel = "Activity by day";
export const daysCut = "Earlier days are not shown: the chart counts at most 50,000 records.";
export const writes = "Changes";
export const logins = "Logins";
export const refusals = "Denied requests";

// Drawings of access: for screen readers, after a name
export const allowed = ", allowed";
export const denied = ", denied";
export const deciding = " (on the deciding path)";
export const leadsTo = (names: readonly string[]) => `, leads to ${names.join(", ")}`;
export const more = (count: number, one: string, many: string) => `${counted(count, one, many)} more`;
export const roleOne = "role";
export const roleMany = "roles";
export const policyOne = "policy";
export const policyMany = "policies";
export const ruleOne = "binding rule";
export const ruleMany = "binding rules";

// Columns
export const holders = "Used by";
export const subject = "Subject";
export const roles = "Roles";
export const policies = "Policies";
export const policy = "Policy";
export const role = "Role";
export const authMethod = "Auth method";
export const bindingRules = "Binding rules";
export const grants = "Grants";
export const rule = "Rule";
export const result = "Result";

// Nodes
export const tokens = (count: number, hasMore: boolean) =>
  hasMore ? `More than ${count.toLocaleString()} tokens` : counted(count, "token", "tokens");
export const assigned = "assigned directly";
export const withRole = (role: string) => `with role ${role}`;
export const namespaceDefault = "default of the namespace";
export const bindingRule = "binding rule";
export const template = "name from a template";

export const line = (lines: string) => `line ${lines}`;
export const ruleKind = "rule";
export const grantMissing = "not found";
export const otherRules = (count: number) => counted(count, "other rule", "other rules");

// Labels
export const usesLabel = (name: string) => `Objects that lead to ${name}`;
export const methodLabel = (name: string) => `Permissions that logins with ${name} receive`;
export const decisionLabel = "Path to the decision";
export const loginLabel = "Path of the login";

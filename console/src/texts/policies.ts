/** Texts of policies. */
const counted = (count: number, one: string, many: string) =>
  count === 0 ? [] : [`${count.toLocaleString("en")} ${count === 1 ? one : many}`];

// Kind and screens
export const about = "Named sets of rules. Tokens and roles with a policy get its permissions.";
export const emptyHint = "Create a policy, then add it to roles or tokens.";
export const createAbout = "After you create the policy, add it to tokens, roles or binding rules.";

// List
export const typeLabel = "Type";
export const builtIn = "built-in";
export const custom = "custom";
export const datacentersFilter = "Datacenters";
export const datacentersAll = "all datacenters";
export const datacentersSome = "some datacenters";

// Form and page
export const name = "Name";
export const nameExample = "web-deploy";
export const nameInvalid = "Use 1 to 128 letters, digits, hyphens and underscores";
export const datacenters = "Datacenters";
export const datacentersHint = "Separate names with commas. Default: all datacenters.";
export const all = "all";
export const detailsTitle = "Details";

// Policy rules and their editor
export const rules = "Policy rules";
export const rulesCopied = "policy rules";
export const rulesHint = "HCL or JSON. Ctrl-Space completes, Tab indents. To leave, press Escape, then Tab.";
export const rulesExample = 'service_prefix "web" {\n  policy = "read"\n}';
export const rulesNone = "No policy rules. The policy grants no permissions.";
export const rulesEmpty = "Without rules, the policy grants no permissions.";
export const rulesNotChecked = "Could not check the policy rules. The server checks them when you save.";
export const rulesValid = "No errors, no warnings.";
export const findings = "Errors and warnings";
export const error = "Error: ";
export const warning = "Warning: ";
export const withSuggestion = (message: string, suggestion: string) => `${message}. Did you mean "${suggestion}"?`;
export const replaceWith = (suggestion: string) => `Replace with "${suggestion}"`;

// Access checks of a draft
export const checksTitle = "Check access";
export const checksHint = "Check access of a token that has only this draft policy.";
export const checksList = "Results";
export const checkRemove = (access: string, resource: string, name: string) =>
  `Remove: ${access} ${resource} ${name}`.trim();
export const allowed = "Allowed";
export const denied = "Denied";
export const access = "Access";
export const resource = "Resource";
export const resourceName = "Resource name";
export const resourceNameExample = "acme/prod";
export const resourceNameUnused = "no name needed";
export const namesLoading = "Loading names";
export const check = "Check";

// Impact of an edit
export const impactTitle = "Impact";
export const impactLoading = "Loading the impact";
export const impactNeedsValidRules = "Fix the errors in the policy rules to see the impact.";
export const impactNone = "No permissions change.";
export const impactGain = "Gain permissions:";
export const impactLose = "Lose permissions:";
export const impactCounts = (tokens: number, roles: number, bindingRules: number) =>
  [
    ...counted(tokens, "token", "tokens"),
    ...counted(roles, "role", "roles"),
    ...counted(bindingRules, "binding rule", "binding rules"),
  ].join(", ");
export const impactList = "Affected objects";
export const fromTo = (from: string, to: string) => `${from} → ${to}`;
export const inNamespace = (name: string) => `in namespace ${name}`;
export const inPartition = (name: string) => `in partition ${name}`;
export const impactSubjects = "Affected tokens, roles and binding rules";
export const impactSubjectsGone = "The objects have changed. Change the form to compute the impact again.";
export const impactMore = "Show more";
export const exportLabel = "Export CSV";
export const exporting = (rows: number) => `Exporting, ${rows.toLocaleString("en")} lines`;
export const exported = (rows: number) => `Exported ${rows.toLocaleString("en")} lines`;
export const exportCut = (rows: number) => `Exported the first ${rows.toLocaleString("en")} lines`;
export const exportFailed = "Could not export the impact";
export const impactPartial = "The change is too large to compare completely. ";
export const impactHidden = "Objects that your token cannot read are not shown.";
export const token = "Token";
export const role = "Role";
export const bindingRule = "Binding rule";

// Roles of selected rows
export const rolesNote =
  "Choose the roles that get or lose the selected policies. The change applies to every token with the roles.";

// Delete of selected rows
export const deleteManyWarning =
  "Tokens and roles lose the permissions of these policies. You can restore the policies from the trash for 7 days.";

// Draft that a link opened
export const draftFromLink = "A link opened this draft. Check the rules before you save the policy.";

/** Texts of Home. */
export const subtitleOfOwn = "Your workspaces, denied requests, and tokens that expire soon.";
export const subtitle = "Problems, recent activity, and counts of the objects that your token can read.";
export const subtitleOfPartition = (partition: string) =>
  `Problems, recent activity, and counts of the objects in partition ${partition} that your token can read.`;

// Token with few permissions
export const noPermissions = "Your token has no permissions yet";
export const noPermissionsHint = "Ask an administrator for a policy or role. Send this AccessorID:";
export const accessorId = "AccessorID";
export const workspacesOf = (organization: string) => `Workspaces of ${organization}`;

// Work of a token without operator permissions
export const myOrganizations = "Your organizations";
export const allOrganizations = (count: number) => `All ${count.toLocaleString()} organizations`;
export const expiringTokens = "Tokens that expire soon";
export const ownToken = "Your token";
export const ownTokenHint = "Sign in again, or ask an administrator for a new token.";
export const unnamedToken = (accessor: string) => `Token ${accessor}`;
export const deniedTitle = "Denied requests";
export const deniedHint =
  "The last denied requests of your token on this server. The copied request links to a draft policy.";
export const deniedQuestion = (question: string, namespace: string | undefined) =>
  namespace === undefined ? question : `${question} in namespace ${namespace}`;
export const deniedByDefault = "No rule matches, so the default policy denies the request.";
export const deniedByDeny = "A deny rule takes precedence. An administrator must remove the rule.";
export const deniedByPolicies = "The policies of your token do not allow this access.";
export const deniedByRule = "Deciding rule: ";
export const accessRequest = "access request";
export const copyRequest = "Copy access request";
export const explainDenial = "Explain denial";
export const requestAccess = (question: string, description: string, accessor: string) =>
  `Please allow "${question}" for token ${description === "" ? "" : `"${description}" `}${accessor}.`;
export const requestRule = "Minimal rule:";
export const requestDraft = (link: string) => `Draft policy: ${link}`;
export const requestId = (request: string) => `Request ID: ${request}`;
export const requestedBy = (accessor: string) => `Requested for token ${accessor}`;

// Counts
export const countsPartial = "Counts include only objects that your token can read.";
export const tokens = "Tokens";
export const policies = "Policies";
export const roles = "Roles";
export const authMethods = "Auth methods";
export const bindingRules = "Binding rules";
export const namespace = "Namespace";
export const namespaces = "Namespaces";
export const organization = "Organization";
export const organizations = "Organizations";
export const tags = "Tags";
export const projects = "Projects";
export const workspaces = "Workspaces";
export const countsByNamespace = "Objects by namespace";
export const countsByOrganization = "Objects by organization";
export const showingFirst = (shown: number, count: number) =>
  `Showing the first ${shown} of ${count.toLocaleString()}.`;

// Problems
export const problemsTitle = "Needs attention";
export const problemsEmpty = "No problems in the objects that your token can read.";
export const notReadyHint = "The health checks below show the reason.";
export const stoppedResponding = (node: string) => `${node} stopped responding`;
export const stoppedRespondingHint = "No heartbeat, and no clean shutdown.";
export const oldBackup = (age: string) => `The last backup is ${age} old`;
export const oldBackupHint = "The server log shows the reason.";
export const ageInHours = (hours: number) => `${hours} hours`;
export const ageInDays = (days: number) => `${days} days`;
export const deniedLogins = (authMethod: string, count: number) =>
  count === 1 ? `${authMethod} denied 1 login` : `${authMethod} denied ${count.toLocaleString()} logins`;
export const deniedLoginsHint = (namespace: string) =>
  `Last 24 h, namespace ${namespace}. The audit log shows the reasons.`;
export const violations = (count: number, organization: string) =>
  count === 1
    ? `1 workspace of ${organization} violates the tag policy`
    : `${count.toLocaleString()} workspaces of ${organization} violate the tag policy`;
export const violationsHint = "A required tag key is missing, or a value is not allowed.";
export const changesWhenSaved = (policy: string) => `Saving policy ${policy} would change decisions`;
export const changesWhenSavedHint = (namespace: string, differences: string) =>
  `Namespace ${namespace}. Until you save the policy, the server evaluates it like an older version of Tessera. Differences: ${differences}.`;
export const rejectsMoreWhenSaved = (authMethod: string) => `Saving auth method ${authMethod} would reject more logins`;
export const rejectsMoreWhenSavedHint = (namespace: string, differences: string) =>
  `Namespace ${namespace}. Until you save Config, the server evaluates it like an older version of Tessera. Differences: ${differences}.`;
export const unusedTokens = (count: number, isMore: boolean) => `${countOfTokens(count, isMore)} unused for 90 days`;
export const unusedTokensHint = "Delete unused tokens to reduce risk.";
export const endlessTokens = (count: number, isMore: boolean) => `${countOfTokens(count, isMore)} without expiration`;
export const endlessTokensHint = "Tokens without a TTL are valid until they are deleted.";

// Activity
export const daysTitle = "Activity by day";
export const activityTitle = "Recent activity";
export const activityAll = "All audit records";
export const activityEmpty = "No activity that your token can read.";

// Servers
export const serverReady = "This server is ready";
export const serverNotReady = "This server is not ready";
export const nodes = "Nodes";
export const readyHere = "Ready, serves this page";
export const notReadyHere = "Not ready, serves this page";
export const ready = "Ready";
export const notResponding = "Stopped responding";

function countOfTokens(count: number, isMore: boolean): string {
  return `${count.toLocaleString()}${isMore ? "+" : ""} ${count === 1 && !isMore ? "token" : "tokens"}`;
}

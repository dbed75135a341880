/** Texts of access checks: check access, who can, explain a denial. */
export const subtitle = "Check access, list who has access, and see the rule behind each denial.";
export const checkAccess = "Check access";
// words-ok: first words of a question, which the fields complete
export const whoCanTitle = "Who can";
export const explainTitle = "Explain a denial";

// Question
export const check = "Check";
export const access = "Access";
export const resource = "Resource";
export const name = "Name";
export const anyName = "any name";
export const loadingNames = "Loading names";
export const sendRequest = "send request";
export const request = "Request";
export const requestExample = "PUT /v1/acl/token";
export const requestFormat = "Method and path of the request";

// Check access
export const can = "Can";
export const subject = "Subject";
export const aToken = "token";
export const aRole = "role";
export const aLogin = "login with";
export const token = "Token";
export const chooseToken = "Choose a token";
export const role = "Role";
export const chooseRole = "Choose a role";
export const authMethod = "Auth method";
export const chooseMethod = "Choose an auth method";
export const claims = "Identity claims";
export const claimsHint = "JSON with the field names of selectors. The URL contains the claims.";
export const claimsExample = '{"value": {"repository": "example/web"}, "list": {"groups": ["ops"]}}';
export const claimsInvalid = "Enter a JSON object.";
export const searching = "Searching…";
export const noMatches = "No matches";
export const shortToken = (accessor: string) => `Token ${accessor}`;
export const checkHint = "Choose a token, role or login, then an access.";

// Result
export const result = "Result";
export const unknown = "Unknown";
export const allowed = "Allowed";
export const denied = "Denied";
export const hiddenName = "(hidden name)";
export const question = (access: string, request: string | undefined, namespace: string | undefined) =>
  `${request === undefined ? access : `${request} (${access})`}${namespace === undefined ? "" : ` in namespace ${namespace}`}`;
export const noVisibleObject = "The request names no object that your token can read.";

// Steps to the decision
export const steps = "Steps to the decision";
export const loginStep = "Login with auth method";
export const policyStep = "Policy";
export const equalPolicyStep = "Policy with the deciding rule";
export const ruleStep = "Most specific rule";
export const allowedStep = "Access is allowed";
export const deniedStep = "Access is denied";
export const loginDenied = "The login is denied.";
export const tokenDisabled = "The token is disabled.";
export const defaultPolicy = "No rule matches; the default policy applies.";
export const ruleHidden = "Your token cannot read the deciding rule.";
export const policyHidden = "Your token cannot read the deciding policy.";
export const policy = "policy";
export const atLine = (lines: string) => ` at line ${lines}`;
export const direct = "assigned directly";
export const namespaceDefault = (namespace: string) => `default of namespace ${namespace}`;
export const identity = (name: string, role: string | undefined) =>
  role === undefined ? `identity ${name}` : `identity ${name} of role ${role}`;
export const throughRole = "through role ";
export const hiddenRole = "role";
export const byBindingRule = ", through binding rule ";
export const hidden = "hidden";
export const ofMethod = (authMethod: string) => ` of auth method ${authMethod}`;
export const withSelector = " with selector ";
export const hiddenHint = (kind: string) => `Your token cannot read this ${kind}.`;
export const hiddenKind = (kind: string) => `hidden ${kind}`;

// How to grant the access
export const grantTitle = "How to grant access";
// Around the word deny
export const overruledStart = "A ";
export const deny = "deny";
export const overruledEnd = " rule for this object decides. Remove the rule before you grant access.";
export const noGrant = "No policy in this namespace can grant this access.";
export const minimalRuleIntro = "Minimal rule that grants this access:";
export const minimalRule = "Minimal rule";
export const copiedRule = "rule";
export const createPolicy = "Create policy from rule";
export const rolesWithAccess = "Roles with this access:";
export const rolesIncomplete = "Not all roles were checked.";

// Explain a denial
export const requestId = "Request ID";
export const requestIdHint = "X-Request-Id of the response";
export const explain = "Explain";
export const explainNote = "Requires acl:read in the namespace of the token. Old denials are deleted.";
export const deniedAt = "Time";
export const repeated = (count: number) => `, ${count.toLocaleString()} times within that minute`;
export const action = "Action";
export const reason = "Reason";
export const note = "Note";
export const tokenDeleted = "The token was deleted, so the current decision is unknown.";
export const currentDecision = "Current decision:";

// The question: who can
export const whoCanHint = "Lists tokens, roles and binding rules with the deciding policies.";
export const showMore = "Show more";
export const nothingFound = "No tokens, roles or binding rules that your token can read.";
export const incomplete = "The list may be incomplete: your token cannot read the whole partition.";
export const bindingRule = "Binding rule";
export const inNamespace = (namespace: string) => ` in namespace ${namespace}`;
export const methodWithSelector = (authMethod: string) => `${authMethod} with selector `;
export const byDefaultPolicy = "default policy";
export const dependsOnLogin = "depends on the login";
export const byNamespaceDefault = "default of the namespace";

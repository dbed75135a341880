/** Texts of the screen that tests a login. */
export const subtitle = "See which token a login gets. The test creates no token.";
export const noMethods = "No auth methods in this namespace yet. Create one to test logins.";
export const newMethod = "New auth method";
export const startHint = "Enter a JWT or claims to see matching rules and the token.";

// Login to test
export const inputTitle = "Login to test";
export const authMethod = "Auth method";
export const input = "Input";
export const bearerToken = "Bearer token";
export const jwt = "JWT";
export const jwtHint = "The server does not store the token. Line breaks are ignored.";
export const jwtExample = "eyJ…";
export const claims = "Claims";
export const claimsLabel = "Claims for selectors";
export const claimsHint = "Names in value and list come from ClaimMappings and ListClaimMappings.";
export const claimsInvalid = (cause: string) => `Invalid JSON object: ${cause}`;
export const notAnObject = "not an object";

// Denied logins
export const deniedLogins = "Recent denials";
export const deniedLoginsHint = "Audit records contain no credentials. Choose a login, then enter its claims.";
export const deniedLoginsEmpty = "No denied logins in this namespace.";
export const deniedAt = "Denied ";
export const deniedSubject = (subject: string) => `, subject ${subject}`;
export const deniedClaims = "Audit records contain no credentials. Replace the example claims below.";
export const unknownMethod = "Unknown auth method";

// Draft of a binding rule
export const draftTitle = "Draft binding rule";
export const selector = "Selector";
export const selectorHint = "Leave empty to match all logins.";
export const selectorExample = 'value.repository == "example/web"';
export const bindType = "Bind type";
export const role = "role";
export const policy = "policy";
export const service = "service identity";
export const node = "node identity";
export const templatedPolicy = "templated policy";
export const bindName = "Bind name";
export const bindNameHint = "Can contain variables, for example ${value.repository}.";
export const templateVariable = "Template variable Name";
export const matches = "Matches";
export const doesNotMatch = "Does not match";
export const invalidRule = "Invalid binding rule";
export const ruleResult = (verdict: string, bindType: string, bindName: string | undefined) =>
  bindName === undefined ? verdict : `${verdict}, grants ${bindType} ${bindName}`;
export const draftHint = "Enter a JWT or claims above to test the rule.";
export const createRule = "Create binding rule";
export const createFailed = "Could not create binding rule";
export const ruleCreated = (name: string) => `Created binding rule ${name}`;
export const ruleDescription = "Description";
export const ruleDescriptionHint = "Lists and audit records show this text.";
export const ruleDescriptionMissing = "Enter a description";

// Result
export const loginDenied = "The login would be denied";
export const tokenTitle = "Resulting token";
export const roles = "Roles";
export const policies = "Policies";
export const services = "Service identities";
export const nodes = "Node identities";
export const templates = "Templated policies";
export const ttl = "TTL";
export const neverExpires = "never expires";
export const namespace = "Namespace";
export const variablesTitle = "Variables";
export const variablesEmpty = "No variables: the auth method maps no claims of this identity.";
export const emptyValue = "empty";
export const use = "Use";
export const selectorUse = (variable: string) => `Use ${variable} in the selector`;
export const rulesTitle = "Binding rules";
export const rulesNotEvaluated = "No rules were evaluated: the identity was not verified.";
export const rulesEmpty = "The auth method has no binding rules, so logins get no permissions.";
export const nearest = "Rules that nearly match";
export const conditionsMet = (met: number, total: number) => `${met} of ${total} conditions met`;
export const others = (count: number, name: string, isOnly: boolean) => {
  const number = count.toLocaleString("en");
  const rules = isOnly ? (count === 1 ? "1 rule" : `${number} rules`) : count === 1 ? "1 other" : `${number} others`;
  return name === "" ? `${rules}: not matched` : `${rules}: ${name} differs`;
};
export const showMore = (left: number) => `Show more (${left.toLocaleString("en")} left)`;

// Path of the login
export const pathTitle = "Access path";

/** Texts of auth methods. */
// Kind and screens
export const about = "Identity providers for login. Binding rules grant the permissions.";
export const emptyHint = "Create an auth method to log in with an identity provider.";
export const createAbout = "An auth method verifies identities. Binding rules grant the permissions.";

// Types

// List
export const ttlSet = "set";
export const ttlDefault = "server default";

// Form
export const name = "Name";
export const nameExample = "github-actions";
export const nameInvalid = "Use 1 to 128 letters, digits, hyphens and underscores";
export const fixed = "Cannot be changed.";
export const fixedLater = "Cannot be changed later.";
export const typeLabel = "Type";
export const typeRequired = "Choose a type";
export const displayName = "Display name";
export const displayNameHint = "Shown on the sign-in page.";
export const displayNameExample = "Company SSO";
export const description = "Description";
export const descriptionExample = "Workflows of our repositories";
export const configuration = "Configuration";
export const configurationNewHint = "JSON. Secrets are stored encrypted and not shown again.";
export const providerLabel = "Identity provider";
export const providerPlaceholder = "Choose a provider";
export const providerRequired = "Choose an identity provider";
export const advanced = "Advanced (JSON)";
export const answerRequired = "Required";
export const issuer = "Issuer URL";
export const issuerHint = "URL of the provider, without /.well-known.";
export const githubIssuerHint = "Only for GitHub Enterprise Server. Default: the issuer of github.com.";
export const audience = "Audience";
export const audienceHint = "Value of aud in the tokens. Use a value of this server only.";
export const ruleOnlyHint = "The first binding rule matches this value only.";
export const githubOwner = "GitHub organization";
export const gitlabPath = "GitLab group path";
export const kubernetesHost = "URL of the API server";
export const kubernetesCa = "CA certificate";
export const kubernetesJwt = "Service account token";
export const kubernetesNamespace = "Kubernetes namespace";
export const clientId = "Client ID";
export const clientSecret = "Client secret";
export const secretHint = "Stored encrypted and not shown again.";
export const tenant = "Tenant ID";
export const group = "Group";
export const groupHint = "The first binding rule matches members of this group.";
export const entraGroupHint = "Object ID. The first binding rule matches members of this group.";
export const arns = "IAM principals";
export const arnsHint = "One ARN per line.";
export const entity = "IAM role or user name";
export const serverId = "Server ID header";
export const serverIdHint = "Value of X-Consul-IAM-ServerID that logins must sign.";
export const github = "GitHub Actions";
export const gitlab = "GitLab CI/CD";
export const kubernetes = "Kubernetes";
export const okta = "Okta";
export const entra = "Microsoft Entra ID";
export const aws = "AWS IAM";
export const ttlExample = "12h";
export const anyOidc = "Other OIDC provider (sign-in)";
export const anyJwt = "Other JWT issuer (workloads)";
export const subject = "Subject";
export const redirectNote = (uri: string) => `Add this redirect URI at the provider: ${uri}`;

// First binding rule and test of a login
export const ruleTitle = "First binding rule";
export const ruleHint = "Without a binding rule, logins get no permissions. You can add rules later.";
export const ruleSelector = "Selector";
export const ruleSelectorHint = "Identities that get the permissions.";
export const ruleSelectorRequired = "Enter a selector: without one, every identity of the provider matches.";
export const ruleBindType = "Bind type";
export const ruleBindName = "Bind name";
export const ruleBindNameHint = "Leave empty to create no rule.";
export const ruleBindNameExample = "web-deployers";
export const testTitle = "Test with a token";
export const testHint = "The server verifies the token with this form. Nothing is saved.";
export const testLabel = "Test";
export const testToken = "JWT";
export const testTokenExample = "eyJ…";
export const testVerified = "The token is valid.";
export const testDenied = "The login would be denied";
export const testMatches = "The binding rule matches.";
export const testNoMatch = (reason: string) => `The binding rule does not match: ${reason}`;
export const testFailed = "Could not test the token";
export const configurationEditHint = "JSON. Keep <kept> to leave a secret unchanged.";
export const configurationInvalid = "Enter a JSON object";
export const ttl = "Token TTL";
export const ttlHint = (standard: string | undefined) =>
  standard === undefined
    ? "For example 15m."
    : `For example 15m. Default: ${standard === "" ? "tokens never expire" : standard}.`;
export const neverExpires = "never expires";
export const ttlRequired = "OIDC requires a token TTL, for example 12h";
export const locality = "Token locality";
export const localityHint = "Value of Local in the tokens, for Consul clients.";
export const localityDefault = "default (local)";
export const local = "local";
export const global = "global";
export const mapping = "Namespace mapping";
export const mappingHint =
  "Format: NAMESPACE: SELECTOR, one per line. The first match applies. Default: this namespace.";
export const mappingExample = 'payments: "payments" in list.groups\ndata';

// Page of an auth method
export const newBindingRule = "New binding rule";
export const configurationCopied = "configuration";
export const mappingIf = " if ";
export const detailsTitle = "Details";

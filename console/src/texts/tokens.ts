/** Texts of tokens. */
import { counted } from "./counted.ts";
const tokens = (count: number) => counted(count, "token", "tokens");

// Kind and screens
export const singular = "token";
export const about = "Credentials for the API. Permissions come from policies and roles.";
export const emptyHint = "Create a token for each client, with minimal permissions.";
export const untitled = (accessor: string) => `Token ${accessor}`;
export const calledToken = (name: string) => `token ${name}`;

// List
export const noDescription = "No description";
export const accessorId = "AccessorID";
export const authMethod = "Auth method";
export const lastUsed = "Last used";
export const never = "never";
export const expires = "Expires";
export const created = "Created";
export const namespace = "Namespace";
export const management = "management";
export const anonymous = "anonymous";
export const disabled = "disabled";
export const leaked = "Leaked secrets";
export const revoke = "Revoke";

// Filters of the list
export const unusedFor = "Unused for";
export const expiresWithin = "Expires within";
export const hour = "1 hour";
export const day = "1 day";
export const week = "7 days";
export const month = "30 days";
export const quarter = "90 days";
export const year = "1 year";
export const name = "Name";
export const id = "ID";
export const serviceIdentity = "Service identity";
export const serviceName = "Service name";
export const policy = "Policy";
export const role = "Role";

// Page of a token
export const overview = "Overview";
export const history = "History";
export const permissionsTitle = "Permissions";
export const services = "Services";
export const nodes = "Nodes";
export const templates = "Templates";
export const detailsTitle = "Details";
export const lastUsedHint = "Exact to the day (UTC)";
export const yes = "yes";
export const edit = "Edit";
export const duplicate = "Duplicate";
export const rotateSecret = "Rotate secret";
export const revealSecret = "Reveal secret";
export const disable = "Disable";
export const enable = "Enable";
export const disabledAt = "Disabled";
export const deleteLabel = "Delete";

// Commands of the palette
export const checkAccessOf = (token: string) => `Check access of ${token}`;
export const editCommand = (token: string) => `Edit ${token}`;
export const duplicateCommand = (token: string) => `Duplicate ${token}`;
export const rotateCommand = (token: string) => `Rotate secret of ${token}`;
export const revealCommand = (token: string) => `Reveal secret of ${token}`;
export const disableCommand = (token: string) => `Disable ${token}`;
export const enableCommand = (token: string) => `Enable ${token}`;
export const deleteCommand = (token: string) => `Delete ${token}`;

// Create and edit
export const createAbout = "The secret is shown after you create the token.";
export const create = "Create token";
export const newToken = "new token";
export const editTitle = (name: string) => `Edit ${name}`;
export const save = "Save changes";
export const description = "Description";
export const descriptionHint = "Owner and purpose. Lists and audit records show this text.";
export const descriptionExample = "Deployments of the web service";
export const roles = "Roles";
export const rolesHint = "Changes to a role apply to all tokens with the role.";
export const policies = "Policies";
export const policiesHint = "Additional permissions for this token only.";
export const ttl = "TTL";
export const onDate = "on a date";
export const otherTtl = "after another time";
export const dateMissing = "Choose today or a later date.";
export const lastDay = "Last day";
export const ttlExample = "12h";
export const local = "Local";
export const localHint = "Shown as Local in Consul clients. Cannot be changed later.";

// Delete
export const deleteWarning = (isOwn: boolean, isByLogin: boolean) =>
  `${isOwn ? "You are signed in with this token and will be signed out. " : ""}Clients that use this token lose access. ${isByLogin ? "This cannot be undone." : "A restored token has a new secret."}`;
export const deleteManyWarning =
  "Clients that use these tokens lose access. Restored tokens have new secrets. Login tokens cannot be restored.";
export const lastAct = "Last audited request";
export const lastActFrom = (address: string, agent: string) =>
  [address === "" ? "" : `from ${address}`, agent === "" ? "" : `(${agent})`].filter((part) => part !== "").join(" ");
export const cancel = "Cancel";
export const progress = "Progress";

// Rotate
export const rotateTitle = (name: string) => `Rotate secret of ${name}?`;
export const oldSecret = "Old secret";
export const overlapHint = "Both secrets are valid during this time.";
export const overlapNone = "revoked immediately";
export const overlapQuarterHour = "valid for 15 minutes";
export const overlapHour = "valid for 1 hour";
export const overlapDay = "valid for 1 day";
export const overlapWeek = "valid for 7 days";
export const rotateKeeps = "Permissions, AccessorID and history do not change.";
export const rotate = "Rotate";

// Reveal
export const revealTitle = (name: string) => `Reveal secret of ${name}?`;
export const revealNote =
  "The audit log records the reveal. If you signed in with SSO and have no SecretID, rotate the secret instead.";
export const reveal = "Reveal";
export const secretAgain = "Copy the secret now. You can reveal it again; the audit log records each time.";
export const revealedWarning = "Copy the secret now. The audit log records the reveal.";
export const ownSecret = "Your SecretID";
export const ownSecretHint = "SecretID of a token with acl:write. Not stored.";

// Disable and enable
export const disableTitle = (name: string) => `Disable ${name}?`;
export const disableNote =
  "The server rejects requests with this token and ends its console sessions. You can enable the token again.";
const numbered = (count: number | undefined) =>
  count === undefined ? "tokens" : `${count.toLocaleString("en")} ${count === 1 ? "token" : "tokens"}`;
const failures = (failed: number) => (failed === 0 ? "" : ` Failed: ${failed.toLocaleString("en")}.`);
export const disableMany = (count: number | undefined, isQuestion = false) =>
  `Disable ${numbered(count)}${isQuestion ? "?" : ""}`;
export const enableMany = (count: number | undefined, isQuestion = false) =>
  `Enable ${numbered(count)}${isQuestion ? "?" : ""}`;
export const disableManyNote =
  "The server rejects requests with these tokens and ends their console sessions. You can enable the tokens again.";
export const enableManyNote = "The server accepts these tokens again. Users must sign in to the console again.";
export const toDisable = "To disable";
export const toEnable = "To enable";
export const notDisabled = (count: number) => `Not disabled (${count.toLocaleString("en")})`;
export const notEnabled = (count: number) => `Not enabled (${count.toLocaleString("en")})`;
export const ownToken = "token of this session";
export const alreadyDisabled = "already disabled";
export const notDisabledReason = "not disabled";
export const disabledMany = (done: number, failed: number) => `Disabled ${numbered(done)}.${failures(failed)}`;
export const enabledMany = (done: number, failed: number) => `Enabled ${numbered(done)}.${failures(failed)}`;
export const disableFailed = (name: string) => `Could not disable ${name}`;
export const enableFailed = (name: string) => `Could not enable ${name}`;
export const grantsButton = "Policies and roles";
export const grantsNote = "Other policies, roles and identities of the tokens stay unchanged.";
export const enableTitle = (name: string) => `Enable ${name}?`;
export const enableNote = "The server accepts this token again. Users must sign in to the console again.";

// Leaked secrets
export const leakedAbout = "Check whether leaked secrets belong to active tokens.";
export const secretsTitle = "Secrets to check";
export const secrets = "Secrets";
export const secretsHint = (maximum: number) =>
  `One per line, maximum ${maximum.toLocaleString()}. Secrets are not stored.`;
export const tooManySecrets = (count: number, maximum: number) =>
  `Too many secrets: ${count.toLocaleString()}. Maximum: ${maximum.toLocaleString()}.`;
export const checkSecrets = (count: number) =>
  count === 0 ? "Check secrets" : `Check ${count.toLocaleString()} ${count === 1 ? "secret" : "secrets"}`;
export const resultTitle = "Active tokens";
export const notCheckedYet = "No secrets checked yet.";
export const noActiveSecrets = "None of these secrets belongs to an active token that you can read.";
export const activeSecrets = (count: number) =>
  `${count.toLocaleString()} ${count === 1 ? "secret is" : "secrets are"} valid. Rotate or delete the ${count === 1 ? "token" : "tokens"}.`;
export const leakedLine = (line: number) => `Line ${line.toLocaleString()}: `;
export const isOldSecret = " (old secret, valid until the overlap ends)";

// Revoke by filter
export const revokeAbout =
  "Deletes the tokens in this namespace that match all fields. The anonymous token and your own token are kept.";
export const filterTitle = "Filter";
export const matchesTitle = "Tokens to revoke";
export const filterHint = "Fill in at least one field.";
export const counting = "Counting tokens…";
export const notUsedFor = "Unused for";
export const notUsedForHint = "For example 90d.";
export const notUsedForExample = "90d";
export const descriptionContains = "Description contains";
export const descriptionContainsHint = "Case-sensitive.";
export const descriptionContainsExample = "laptop";
export const createdByMethod = "Auth method";
export const createdByMethodHint = "Name of the auth method that created the token.";
export const hasRole = "Role";
export const hasRoleHint = "Name or ID of a role of the token.";
export const revokeCount = (count: number) => `Revoke ${tokens(count)}`;
export const noMatch = "No tokens match.";
export const matching = (count: number) => `${tokens(count)} ${count === 1 ? "matches" : "match"}`;
export const firstShown = (shown: number, total: number) => `Showing the first ${shown} of ${total.toLocaleString()}.`;
export const revokeFailed = (revoked: number) => `Stopped after ${tokens(revoked)}`;
export const revokedCount = (isDone: boolean, revoked: number, total: number) =>
  isDone
    ? `Revoked ${revoked.toLocaleString()} of ${tokens(total)}.`
    : `Revoking tokens: ${revoked.toLocaleString()} of ${total.toLocaleString()}…`;
export const revokeContinues = "The server continues if you leave this page.";

// Charts
export const usedWithin = "Last used within";
export const used = "Used";
export const ever = "ever";
export const expiresAfter = "Expires after";
export const expiresChart = "Expires within";
export const lastUsedChart = "Last used within";
export const tokensCounted = "Tokens";
const LONG = { later: "later", earlier: "earlier", never: "never", "365d": "1 year" };
export const ageOf = (within: string) => LONG[within as "later"] ?? within.replace("d", " d");

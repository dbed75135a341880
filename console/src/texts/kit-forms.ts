/** Texts of forms: fields, changes, conflicts and the dialog before the user leaves. */
// Saving
export const cancel = "Cancel";
export const createdObject = (object: string | undefined) => (object === undefined ? "Created" : `Created ${object}`);
export const savedObject = (object: string | undefined) => (object === undefined ? "Saved" : `Saved ${object}`);
export const saveLabel = (label: string, changes: number) => `${label} (${changes})`;
export const couldNotSave = "Could not save";
export const reason = "Reason";
export const reasonHint = "The change affects many tokens or roles. The audit log contains the reason.";
export const reasonMissing = "Enter a reason";
export const permissionMissing = (resource: string, access: string) =>
  `Your token cannot save this form. Required permission: ${resource}:${access}.`;
export const restored = (hasSecrets: boolean) =>
  hasSecrets ? "Your input was restored after sign-in, without secrets." : "Your input was restored after sign-in.";
export const goneInput = "Your input is kept but cannot be saved. Copy it before you leave.";
export const showHistory = "Show history";

// Changes before they are saved
export const changesTitle = "Changes";
export const changesEmpty = "No changes yet.";
export const lineAdded = "added: ";
export const lineRemoved = "removed: ";
export const moreLines = (count: number) => (count === 1 ? "… 1 more line …" : `… ${count} more lines …`);
export const unchangedLines = (count: number) =>
  count === 1 ? "… 1 unchanged line …" : `… ${count} unchanged lines …`;

// Conflict with a change of another user
export const conflictTitle = "Conflict: object has changed";
export const reloadingTitle = "Object has changed";
export const conflictLoading = "Loading the current version…";
export const conflictFound = "The object has changed.";
export const conflictOtherFields = "The other changes do not affect the fields that you changed.";
export const conflictFields = (fields: string) =>
  `Both versions change these fields: ${fields}. You can keep only one version.`;
export const conflictField = "Field";
export const currentVersion = "Current version";
export const yourVersion = "Your version";
export const unchanged = "unchanged";
export const applyMine = "Apply my changes";
export const discardMine = "Discard my changes";

// Identities and durations
export const serviceIdentities = "Service identities";
export const serviceIdentity = "service identity";
export const serviceName = "Service";
export const serviceNameExample = "web";
export const datacentersLabel = "Datacenters";
export const datacentersAll = "all datacenters";
export const entryField = (column: string, entry: string, number: number) => `${column} of ${entry} ${number}`;
export const addEntry = (entry: string) => `Add ${entry}`;
export const removeEntry = (entry: string, number: number) => `Remove ${entry} ${number}`;
export const nodeIdentities = "Node identities";
export const nodeIdentity = "node identity";
export const nodeName = "Node";
export const nodeNameExample = "web-1";
export const datacenter = "Datacenter";
export const datacenterExample = "dc1";
export const nodeIdentitiesInvalid = "Enter a node and a datacenter in each row.";
export const templatedPolicies = "Templated policies";
export const templatedPolicy = "templated policy";
export const template = "Template";
export const templateExample = "builtin/service";
export const templateName = "Name";
export const templateNameExample = "web";
export const durationInvalid = "Enter a duration, for example 30m, 12h or 1h30m.";

// Dialog before the user leaves a form
export const leaveTitle = "Leave without saving?";
export const leaveWarning = "Your unsaved changes will be lost.";
export const stay = "Stay";
export const leave = "Leave";

// Declared files
export const hiddenOwner = "a directory that your token cannot read";

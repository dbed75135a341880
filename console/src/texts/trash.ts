/** Texts of the trash. */
// Kind and screens
export const singular = "deleted object";
export const plural = "Deleted objects";
export const about =
  "You can restore deleted objects for 7 days. Deleted namespaces are in the trash of namespace default.";
export const emptyHint = "Deleted policies, roles, tokens, binding rules and auth methods are listed here.";

// List and its filters
export const kind = "Kind";
export const name = "Name";
export const deletedBy = "Deleted by";
export const deletedAt = "Deleted";
export const endsAt = "Expires";
export const kinds: Readonly<Record<string, string>> = {
  policy: "policy",
  role: "role",
  token: "token",
  "binding-rule": "binding rule",
  "auth-method": "auth method",
  namespace: "namespace",
};

// Restore
export const restore = "Restore";
export const restoreLabel = (object: string) => `Restore ${object}`;
export const restoreTitle = (object: string) => `Restore ${object}?`;
export const restored = (object: string) => `Restored ${object}`;
export const restoreFailed = (object: string) => `Could not restore ${object}`;
export const newName = "Name";
export const nameTaken = "Another object has this name. Enter a new name.";
export const leftOut = "The restore removes links to these deleted objects: ";
export const nothingLeftOut = "All linked objects exist.";
export const tokenNote = "The token gets a new secret. Earlier secrets stay revoked.";
export const methodNote = "Deleted login tokens and binding rules of the auth method are not restored.";
export const namespaceNote = "Objects in the namespace are not restored.";
export const cancel = "Cancel";
export const previewFailed = "Could not check the restore";

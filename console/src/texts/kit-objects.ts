/** Texts of objects: their pages, dialogs, history, uses and errors. */
import { counted } from "./counted.ts";

export const product = "Tessera";

// Kinds of pages and their titles
export const newTitle = (singular: string) => `New ${singular}`;
export const editTitle = (name: string) => `Edit ${name}`;
export const named = (singular: string, name: string) => `${singular} ${name}`;
export const advanced = "Advanced";
export const createdBy = "Created by";
export const createdAt = "Created";
export const namespaceField = "Namespace";
export const partitionField = "Partition";
export const indexField = "Index";
export const indexHint = "Index of the last change";
export const overviewTab = "Overview";
export const contentsTab = "Contents";
export const usedByTab = "Used by";
export const historyTab = "History";

// Actions
export const edit = "Edit";
export const duplicate = "Duplicate";
export const deleteLabel = "Delete";
export const cancel = "Cancel";
export const retry = "Retry";
export const create = (singular: string) => `Create ${singular}`;
export const saveChanges = "Save changes";
export const createFailed = (singular: string) => `Could not create ${singular}`;
export const saveFailed = (object: string) => `Could not save ${object}`;
export const editCommand = (object: string) => `Edit ${object}`;
export const duplicateCommand = (object: string) => `Duplicate ${object}`;
export const deleteCommand = (object: string) => `Delete ${object}`;
export const checkAccessCommand = (object: string) => `Check access of ${object}`;
export const whoCanChangeCommand = (object: string) => `Show who can change ${object}`;

// Dialog that deletes
export const deleteTitle = (object: string) => `Delete ${object}?`;
export const deleteWarning = "This cannot be undone.";
export const deleteConfirmation = (name: string) => `Type ${name} to confirm`;
export const deleteFailed = (object: string) => `Could not delete ${object}`;
export const deleted = (object: string) => `Deleted ${object}`;

// Trash
export const trashNote = "You can restore the object from the trash for 7 days.";
export const movedToTrash = (object: string) => `Deleted ${object}. Moved to the trash.`;
export const undo = "Undo";
export const showTrash = "Show trash";
export const restored = (object: string) => `Restored ${object}`;
export const restoreFailed = (object: string) => `Could not restore ${object}`;
export const notInTrash = "The object is no longer in the trash.";

// Secret that is shown once
export const secretTitle = (object: string) => `Secret of ${object}`;
export const secretWarning = "Copy the secret now. The console shows it only once.";
export const openObject = "Open";
export const secretCopied = "secret";
export const secretDone = "I saved the secret";

// Object that is no longer visible
export const goneTitle = "Object not found";
export const goneDetail = "The object was deleted, or your token lost access. Showing the last loaded data.";
export const deletedHereTitle = "Object deleted";
export const deletedHereDetail = "You deleted this object.";
export const accessLostTitle = "Access lost";
export const accessLostDetail = "Your token can no longer read the object. Showing the last loaded data.";
export const showHistory = "Show history";

// History
export const historyEmpty = "No audit records in the retention period.";
export const historyMore = "Show older";
export const restore = "Restore";
export const historyEntry = (action: string, isDenied: boolean) => (isDenied ? `${action} denied` : action);
export const historyBy = "by ";
export const historyFrom = (address: string) => ` from ${address}`;
export const tags = "Tags";
export const tagKeys = "Tag keys";
export const historyReason = (reason: string) => `Reason: ${reason}`;
export const historyNoChanges = "No visible changes.";

// Audit records as sentences: actor, action, object
export const recordDenied = (action: string) => `was denied: ${action}`;
export const recordCreated = "created";
export const recordChanged = "changed";
export const recordDeleted = "deleted";
export const recordRenamed = "renamed";
export const recordExpired = "expired";
export const recordRemoved = "removed";
export const recordLogin = "logged in with";
export const recordLogout = "logged out";
export const recordReveal = "revealed the secret of";
export const recordTags = "changed the tags of";
export const recordMerged = "merged";
export const recordMoved = "moved";
export const recordLocked = "locked";
export const recordUnlocked = "unlocked";
export const recordUndone = "undid";
export const recordRestored = "restored";
export const recordRotated = "rotated the secret of";
export const recordSignIn = "signed in to the console";
export const recordSignOut = "signed out of the console";
export const recordCorrupted = "This record was modified: its hash does not match.";
export const recordKind = (kind: string) => `${kind} `;
export const actorToken = (accessor: string) => `Token ${accessor}`;
export const actorAnonymous = "Anonymous token";
export const actorServer = "The server";
export const actorUnknown = (method: string) => `Unknown identity (${method})`;

// Errors: titles
export const signInFailed = "Sign-in failed";
export const timedOut = "Request timed out";
export const unreachable = "Server unreachable";
export const screenFailed = "Cannot show this screen";
export const badRequest = "Invalid request";
export const signedOut = "Not signed in";
export const permissionDenied = "Permission denied";
export const notFound = "Not found";
export const conflict = "Conflict";
export const objectChanged = "Conflict: object has changed";
export const tooLarge = "Request too large";
export const wrongContentType = "Unsupported content type";
export const invalidValue = "Invalid value";
export const rateLimited = "Rate limit exceeded";
export const notReady = "Server not ready";
export const badGateway = "Bad gateway (502)";
export const gatewayTimeout = "Gateway timeout (504)";
export const serverErrorStatus = (status: number) => `Server error (${status})`;
export const rejected = "Request rejected";
export const serverError = "Server error";
export const managedBy = (owner: string) => `Managed by ${owner}`;

// Errors: causes
export const wrongField = (field: string, cause: string) => `Field ${field}: ${cause}`;
export const notVisible = "The object does not exist, or your token cannot read it.";
export const noSuchObject = (singular: string) => `The ${singular} does not exist, or your token cannot read it.`;
export const unexpectedResponse = (cause: string) =>
  `The response of the server has an unexpected format. Reload the page: the console may be outdated. (${cause})`;

// Errors: what to do
export const nothingChanged = "Nothing was changed. Check your connection and retry.";
export const outcomeUnknown = "The result is unknown. Check the object before you retry.";
export const correctAndRetry = "Correct the value and retry.";
export const signInAgain = "Sign in and retry.";
export const withPermittedToken = "Use a token with the required permission, or ask an administrator.";
export const reloadAndRetry = "Load the current version and retry.";
export const reduceAndRetry = "Send less data and retry.";
export const reloadConsole = "Reload the page and retry.";
export const reportError = "Retry. If the error persists, look up the request ID in the server log.";
export const checkProxy =
  "A proxy responded instead of the server. Check that the server is running and that the proxy can reach it.";
export const retryIn = (seconds: number) => `Retry in ${seconds} s.`;
export const changeDeclaredFiles = (owner: string) =>
  `Change the object in the declared files of ${owner}. The next apply overwrites changes made here.`;
export const takeOver = "Take over";
export const takenOver = (owner: string) => `Repeat the change. Your next write takes over the object from ${owner}.`;
export const explainDenial = "Explain denial";
export const requestId = "Request ID";

// Values that can be copied
export const copiedId = "ID";
export const copiedRequestId = "request ID";

// Uses of an object
export const token = "token";
export const tokens = "tokens";
export const role = "role";
export const roles = "roles";
export const bindingRule = "binding rule";
export const bindingRules = "binding rules";
export const namespace = "namespace";
export const namespaces = "namespaces";
export const usesCount = (count: number, isMore: boolean, one: string, many: string) =>
  `${count.toLocaleString()}${isMore ? "+" : ""} ${count === 1 ? one : many}`;
export const usesList = (parts: readonly string[]) =>
  [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter((part) => part !== "").join(" and ");
export const pathsTitle = "Access paths";
export const usesThrough = (direct: number, roles: number, tokens: number, isMore: boolean) =>
  `Used by ${direct === 0 ? "" : `${counted(direct, "token", "tokens")} and `}${counted(roles, "role", "roles")}, and by ${isMore ? "at least " : ""}${counted(tokens, "token", "tokens")} through roles.`;
export const usesThroughToo = (tokens: number, isMore: boolean) =>
  `, and ${isMore ? "at least " : ""}${counted(tokens, "token", "tokens")} through roles`;
export const usesNone = "Not used by objects that your token can read.";
export const usesIn = (namespace: string) => ` in namespace ${namespace}`;
export const usesFirst = (shown: number) => `Showing the first ${shown}.`;
export const usesHidden = "The list is incomplete: your token cannot read all objects.";
export const usesLoading = "Loading usage";
export const usesUnknown = "Could not load the usage of the object. Check the usage before you delete.";
export const namespaceEmpty = "The namespace is empty.";
export const namespaceLoss = "All objects in the namespace will be deleted: ";
export const permissionLoss = "Permissions will be removed immediately from: ";
export const authMethodLoss = "Logins will stop working, and these objects will be deleted: ";

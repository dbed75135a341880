/** Texts of lists: columns, search, filters, selection, copying, and the code of a change. */
// Columns
export const name = "Name";
export const description = "Description";
export const id = "ID";
export const namespace = "Namespace";
export const index = "Index";
export const builtIn = "built-in";
export const state = "State";
export const beingDeleted = "being deleted";
export const notBeingDeleted = "not being deleted";
export const copiedId = "ID";

// Search, filters and columns above a list
export const search = (plural: string) => `Search ${plural}`;
export const loading = "Loading";
export const clearField = "Clear";
export const filter = "Filter";
export const removeFilter = "Remove filter ";
export const filterBy = (title: string) => `Filter by ${title.toLowerCase()}`;
export const filterByValue = (title: string, value: string) => `Filter by ${title.toLowerCase()}: ${value}`;
export const anyValue = "Any";
export const columns = "Columns";
export const chooseColumns = "Choose columns";
export const jumpPlaceholder = "Jump to…";
export const jumpLabel = "Jump to entry";
export const linkKinds = { policies: "Policy", roles: "Role", "auth-methods": "Auth method" };
export const doesNotExist = (kind: string, name: string) => `${kind} "${name}" does not exist.`;
export const typeToSearch = "Type to search";
export const rowCount = (count: number, isMore: boolean, singular: string, plural: string) =>
  `${count.toLocaleString()}${isMore ? "+" : ""} ${count === 1 && !isMore ? singular : plural}`;

// Notes above the rows
export const partlyHidden = "The list is incomplete: your token cannot read all objects.";
export const maybeHidden = "The list may be incomplete: your token cannot read all objects.";
export const jumpStart = "Starting at";
export const jumpSkipped = (count: number) =>
  count === 1 ? "1 row skipped. Starting at" : `${count.toLocaleString()} rows skipped. Starting at`;
export const jumpNothing = "No rows at or after";
export const jumpReset = "Go to start";
export const outdated = "Update failed. The rows may be outdated.";
export const resetList = "Reset list";

// Empty list
export const noMatch = (plural: string) => `No matching ${plural}`;
export const noMatchHint = "Change or clear the search and filters.";
export const clearSearch = "Clear search and filters";
export const none = (plural: string) => `No ${plural} yet`;
export const newLabel = (singular: string) => `New ${singular}`;
export const namespaceMissing = "Namespace not found: ";
export const namespaceMissingHint = "The namespace was deleted, or your token cannot read it.";
export const showNamespaces = "Show all namespaces";

export const compactRows = "Compact rows";
export const defaultColumns = "Default columns";

// Panel beside the list
export const panel = "Row details";
export const showPanel = "Show details in a side panel";
export const hidePanel = "Hide details";
export const openPage = "Open page";
export const panelEmpty = "Select a row to show its details.";

// Selection
export const more = "More";
export const selection = "Selection";
export const selectRow = (name: string) => `Select ${name}`;
export const selectLoaded = "Select the loaded rows";
export const allMatching = "All matching rows";
export const selected = (count: number, isMore: boolean) => `${count.toLocaleString()}${isMore ? "+" : ""} selected`;
export const selectAll = (count: number, isMore: boolean, plural: string) =>
  `Select all ${count.toLocaleString()}${isMore ? "+" : ""} ${plural}`;
export const clearSelection = "Clear selection";

// Copying
export const copy = "Copy";
export const copyValue = (what: string) => `Copy ${what}`;
export const copied = "Copied";
export const copyBlocked = "The browser blocked the copy";

// Code of a change
export const codeTitle = "Equivalent code";
export const codeOf = (language: string) => `Code for ${language}`;
export const copiedCode = "code";
export const codeNotes = {
  terraform: "Requires a provider that is configured for this server.",
  yaml: "Save as a file for tessera apply. Secrets come from environment variables.",
} as const;
export const codeForCommands = "Sends the same request. Set the token in TESSERA_TOKEN.";
export const codeShortened = (text: string) => `${text}\n\n… shortened. Copy returns the full text.`;

// Policies and roles of selected rows
export const grantsAction = "Action";
export const addGrants = "Add";
export const removeGrants = "Remove";
export const grantsPolicies = "Policies";
export const grantsRoles = "Roles";
export const changeRows = (count: number | undefined, singular: string, plural: string, isQuestion = false) =>
  `Change ${count === undefined ? plural.toLowerCase() : numbered(count, singular, plural)}${isQuestion ? "?" : ""}`;
export const toChange = "To change";
export const notChanged = (count: number) => `Not changed (${count.toLocaleString("en")})`;
export const hasGrants = "already has them";
export const lacksGrants = "has none of them";
export const changedRows = (changed: number, failed: number, singular: string, plural: string) =>
  `Changed ${numbered(changed, singular, plural)}.${failed === 0 ? "" : ` Failed: ${failed.toLocaleString("en")}.`}`;
export const changeRowFailed = (name: string) => `Could not change ${name}`;

// Actions that the token may not do
export const permissionLacks = (resource: string, access: string) =>
  `Your token cannot do this. Required permission: ${resource}:${access}.`;

// Times
export const justNow = "just now";
export const momentsAgo = "moments ago";
export const inAMoment = "in a moment";

// Delete of selected rows
const numbered = (count: number, singular: string, plural: string) =>
  `${count.toLocaleString("en")} ${(count === 1 ? singular : plural).toLowerCase()}`;
export const deleteLabel = "Delete";
export const deleteRows = (count: number | undefined, singular: string, plural: string, isQuestion = false) =>
  `Delete ${count === undefined ? plural.toLowerCase() : numbered(count, singular, plural)}${isQuestion ? "?" : ""}`;
export const toDelete = "To delete";
export const notDeleted = (count: number) => `Not deleted (${count.toLocaleString("en")})`;
export const keptRow = (name: string, why: string) => `${name}: ${why}`;
export const readRowsFailed = "Could not read the selected rows";
export const impactTooMany = (most: number) =>
  `The server computes the impact of at most ${most.toLocaleString("en")} objects.`;
export const cancel = "Cancel";
export const close = "Close";
export const stop = "Stop";
export const progress = "Progress";
export const deletedRows = (deleted: number, failed: number, singular: string, plural: string) =>
  `Deleted ${numbered(deleted, singular, plural)}.${failed === 0 ? "" : ` Failed: ${failed.toLocaleString("en")}.`}`;
export const deleteRowFailed = (name: string) => `Could not delete ${name}`;
export const showMore = (left: number) => `Show more (${left.toLocaleString("en")} left)`;

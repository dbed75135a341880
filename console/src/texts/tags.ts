/** Texts of tags. */
import { counted } from "./counted.ts";

// Kind and navigation
export const tag = "tag";
export const tagCount = (count: number) => counted(count, "tag", "tags");
export const workspaceCount = (count: number) => counted(count, "workspace", "workspaces");

// List
export const listHint = "All tags of the organization, with the number of workspaces.";
export const emptyHint = "Create tags to group workspaces, for example by team or environment.";
export const name = "Name";
export const workspaces = "Workspaces";
export const values = "Values";
export const created = "Created";
export const id = "ID";
export const usage = "Usage";
export const used = "used";
export const unused = "unused";
export const unusedChip = "Unused";
export const usedChip = "Used";
export const kind = "Kind";
export const tagKeys = "tag keys";
export const flatTags = "flat tags";
export const tagKeysChip = "Tag keys";
export const flatTagsChip = "Flat tags";
export const minWorkspaces = "Minimum workspaces";
export const minWorkspacesExample = "For example 10";
export const maxWorkspaces = "Maximum workspaces";
export const maxWorkspacesExample = "For example 1";
export const tagValues = "Tag values";
export const shown = "shown";
export const noValue = "(no value)";
export const valueUses = (value: string, count: number) => `${value} on ${counted(count, "workspace", "workspaces")}`;
export const countUnknown = "Your token cannot read the organization.";
export const namePlaceholder = "Type a tag name";

// Selected tags
export const allTags = "all matching tags";
export const tagNamed = (name: string) => `tag ${name}`;
export const addToWorkspaces = "Add to workspaces";
export const merge = "Merge";
export const deleteLabel = "Delete";
export const tooManySelected = (max: number) => `Select at most ${max} tags, or filter the list and select all.`;
export const exclusionsUnsupported = "Jobs cannot exclude single tags. Filter the list and select all.";
export const addNeedsPicked = "Select single tags to add them to workspaces.";
export const kindUnsupported = "Jobs cannot filter by kind. Remove this filter, or select single tags.";

// Duplicates
export const duplicatesHint = "Tag names that differ only by case, separators or plural.";
export const noDuplicates = "No duplicates.";
export const duplicatesOf = (name: string) => `Duplicates of ${name}`;
export const tagToKeep = "Tag to keep";
export const keepTag = (name: string) => `Keep ${name}`;
export const selectGroup = (name: string) => `Select duplicates of ${name}`;
export const selectAllGroups = (count: number) => `Select ${counted(count, "group", "groups")}`;
export const selectNoGroup = "Clear selection";
export const mergeGroups = (count: number) => `Merge ${counted(count, "group", "groups")}`;
export const mergeGroupsTitle = (count: number) => `Merge ${counted(count, "group", "groups")} of duplicates`;
export const mergesLabel = "Merges";
export const mergeLine = (names: readonly string[], to: string) => `${names.join(", ")} → ${to}`;
export const mergedGroups = (done: number, total: number) => `Merged ${done} of ${counted(total, "group", "groups")}.`;
export const showJobs = "Show jobs";
export const close = "Close";
export const cancel = "Cancel";
export const hiddenDuplicates = (count: number) =>
  count === 1
    ? "1 more duplicate is shown after this merge."
    : `${count.toLocaleString()} more duplicates are shown after this merge.`;
export const mergeIntoTag = (name: string) => `Merge into ${name}`;
export const loadMore = "Load more";

// New tags
export const createHint = "New tags stay in the list even if no workspace has them.";
export const names = "Names";
export const namesHint = "One name per line.";
export const namesExample = "env:production\nteam:payments";
export const create = "Create";
export const namesMissing = "Enter at least one name.";
export const tooManyNames = (max: number) => `Enter at most ${max.toLocaleString()} names. Use an import for more.`;

// Dialogs of a change; `tags` is such as "3 tags" or "tag prod"
export const mergeTitle = (tags: string) => `Merge ${tags}`;
export const mergeInto = "Merge into";
export const mergeTargetHint = "Tag to keep. A new name creates the tag.";
export const mergeEffect = "Workspaces and projects with the other tags get this tag. Values are kept.";
export const deleteTitle = (tags: string) => `Delete ${tags}?`;
export const deleteWarning = "Deleted tags are removed from all workspaces and projects. You can undo this for 7 days.";
export const addTitle = (tags: string) => `Add ${tags} to workspaces`;
export const removeTitle = (tags: string) => `Remove ${tags} from workspaces`;
export const add = "Add";
export const remove = "Remove";
export const renameTitle = (name: string) => `Rename tag ${name}`;
export const rename = "Rename";
export const newName = "New name";

// One tag
export const overview = "Overview";
export const history = "History";
export const historyEmpty = "No history yet. Each workspace has the history of its tags.";
export const details = "Details";
export const copiedName = "name";
export const workspacesHint = "Workspaces that have this tag or tag key.";
export const usedBy = "Used by";
export const usedByNone = "No workspaces with this flat tag that your token can read.";
export const viewAll = "View all";
export const tagValuesCount = (count: number) => `Tag values (${count.toLocaleString()})`;
export const mergeIntoAnother = "Merge into another tag";
export const mergeCommand = (name: string) => `Merge tag ${name} into another`;
export const deleteCommand = (name: string) => `Delete tag ${name}`;
export const addCommand = (name: string) => `Add tag ${name} to workspaces`;

// Export and import
export const filesHint = "Tags with their workspaces and projects, reserved tag keys and tag policy.";
export const exportLabel = "Export";
export const exportFailed = "Export failed";
export const csvHint = "CSV is for spreadsheets. A leading apostrophe disables formulas.";
export const csv = "CSV";
export const jsonLines = "JSON Lines";
export const exportCommand = (organization: string) => `tessera tag export --format csv --organization ${organization}`;
export const importLabel = "Import";
export const file = "File";
export const fileHint = "CSV or JSON Lines";
export const chooseAFile = "Choose a file";
export const fileMissing = "Choose a file first.";
export const fileFormat = "File format (OpenAPI)";
export const importMode = "Import mode";
export const modeMerge = "Add and change";
export const modeReplace = "Replace";
export const replaceWarning = "Replace also removes tags, keys and rules missing in the file.";
export const preview = "Preview";
export const noChanges = "No changes";
export const toCreate = "To create";
export const toChange = "To change";
export const toRemove = "To remove";
export const unchanged = "Unchanged";
export const skippedLines = (count: number, reason: string, lines: string) =>
  `${count.toLocaleString()} would be skipped: ${reason} (lines ${lines})`;
export const wouldViolateRule = (count: number, rule: string) =>
  `${count.toLocaleString()} would violate tag policy rule "${rule}"`;

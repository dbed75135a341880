/** Texts of workspaces. */
import { counted } from "./counted.ts";

const countOfWorkspaces = (count: number) => counted(count, "workspace", "workspaces");
const countOfTags = (count: number) => counted(count, "tag", "tags");

// Kind and navigation
export const workspaceNamed = (name: string) => `workspace ${name}`;

// List
export const listHint = "Find workspaces by name, tags, tag keys and project.";
export const emptyHint = "Create a workspace here or with Terraform.";
export const name = "Name";
export const tags = "Tags";
export const changedAt = "Changed";
export const created = "Created";
export const tagCount = countOfTags;
export const andMore = (count: number) => `and ${count.toLocaleString()} more`;

// Filters
export const namePattern = "Name with * wildcards";
export const namePatternExample = "prod-*";
export const nameContains = "Name contains";
export const nameContainsExample = "network";
export const withTag = "With tag";
export const withoutTag = "Without tag";
export const withTags = "With all tags";
export const withoutTags = "Without tags";
export const effectiveKey = "Effective tag key";
export const keyWithoutValue = "Key without value";
export const onlyEmptyValues = "matches only empty values";
export const keyNumber = (number: number) => `Key ${number}`;
export const keyExample = "env";
export const anotherKey = "Another key";
export const valueOfKey = (number: number) => `Value of key ${number}`;
export const anyValue = "Any value";

// Selected workspaces
export const addTags = "Add tags";
export const removeTags = "Remove tags";
export const move = "Move";
export const allSelected = "To change all matching workspaces, use “Tag all matching” above.";
export const tooManySelected = (max: number) => `Select at most ${max} workspaces, or use “Tag all matching”.`;
export const noneWritable = "Your token cannot change these workspaces.";
export const someNotWritable = (count: number, name: string) =>
  `Your token cannot change ${count} of these workspaces, such as ${name}.`;
export const addTitle = (count: number) => `Add tags to ${countOfWorkspaces(count)}`;
export const removeTitle = (count: number) => `Remove tags from ${countOfWorkspaces(count)}`;
export const add = "Add";
export const remove = "Remove";
export const cancel = "Cancel";
export const changedCount = (count: number) => `Changed ${countOfWorkspaces(count)}`;
export const stoppedByError = "stopped by an error";
export const partialResult = (changed: readonly string[], unchanged: readonly string[]) =>
  `Changed: ${changed.length === 0 ? "none" : changed.join(", ")}. Not changed: ${unchanged.join(", ")}.`;

// All matching workspaces
export const tagAllMatching = "Tag all matching";
const matching = (count: number | undefined) =>
  count === undefined ? "all matching workspaces" : countOfWorkspaces(count);
export const addToAllTitle = (count: number | undefined) => `Add tags to ${matching(count)}`;
export const removeFromAllTitle = (count: number | undefined) => `Remove tags from ${matching(count)}`;
export const tagAll = (count: number | undefined) => `Tag ${matching(count)}`;
export const untagAll = (count: number | undefined) => `Untag ${matching(count)}`;
export const filterOfJob = "Filter";
export const action = "Action";
export const tagsOrKeysHint = "Tag names, or key=value. New tags are created.";
export const appliesToAll = "Applies to all workspaces of the organization.";

// Move to a project
export const moveTitle = (count: number) => `Move ${countOfWorkspaces(count)} to a project`;
export const chooseProject = "Choose a project";
export const moveHint = "Workspaces inherit the tag keys of the new project only.";
export const movedCount = (count: number) => `Moved ${countOfWorkspaces(count)}`;

// Form
export const createWorkspace = "Create workspace";
export const nameExample = "prod-network";
export const nameInvalid = "Enter 1 to 90 letters, digits, hyphens or underscores.";
export const description = "Description";
export const newTagsHint = "New tags are created.";
export const project = "Project";
export const defaultProject = "Default project";
export const executionMode = "Execution mode";
export const executionModeHint = "Stored for Terraform clients. This server does not run Terraform.";
export const projectDefault = "project default";
export const remote = "remote";
export const local = "local";

// One workspace
export const overview = "Overview";
export const history = "History";
export const details = "Details";
export const id = "ID";
export const lockedMark = "locked";
export const lockedField = "Locked";
export const lockedYes = "yes";
export const edit = "Edit";
export const editCommand = (name: string) => `Edit workspace ${name}`;
export const whoCanCommand = (name: string) => `Who can change workspace ${name}?`;

// Tags and tag keys of a workspace or project
export const tagsCount = (count: number) => `Tags (${count.toLocaleString()})`;
export const flatTags = "Flat tags";
export const noTags = "No tags";
export const tagKeysCount = (count: number) => `Tag keys (${count.toLocaleString()})`;
export const tagKeys = "Tag keys";
export const workspaceKeysHint = "KEY=VALUE, up to 10. Workspace values override project values.";
export const projectKeysHint = "KEY=VALUE, up to 10. All workspaces of the project inherit them.";
export const keyValueExample = "env=prod";
export const effectiveKeys = "Effective tag keys";
export const noEffectiveKeys = "No own or inherited tag keys";
export const noKeys = "No tag keys";
export const own = "own";
export const inheritedFrom = (project: string) => `inherited from ${project}`;
export const projectWithoutName = "the project";
export const save = (what: string) => `Save ${what.toLowerCase()}`;
export const saved = (what: string) => `Saved ${what.toLowerCase()}`;
export const discard = "Discard";

// Lock
export const lock = "Lock";
export const unlock = "Unlock";
export const locked = (name: string) => `Locked workspace ${name}`;
export const unlocked = (name: string) => `Unlocked workspace ${name}`;
export const lockCommand = (name: string) => `Lock workspace ${name}`;
export const unlockCommand = (name: string) => `Unlock workspace ${name}`;
export const lockTitle = (name: string) => `Lock workspace ${name}?`;
export const unlockTitle = (name: string) => `Unlock workspace ${name}?`;
export const lockedWithoutReason = "Locked without a reason.";
export const lockReason = "Reason";
export const lockReasonHint = "Other users see this reason.";
export const lockReasonExample = "State migration";
export const forceUnlock = "Force unlock";
export const forceUnlockWarning = "Another user locked the workspace and may be working on it.";

// Delete
export const deleteLabel = "Delete";
export const deleteCommand = (name: string) => `Delete workspace ${name}`;
export const lockedTitle = "Workspace is locked";
export const deleteLockedWarning = (reason: string) =>
  `${reason === "" ? "Locked without a reason." : `Reason: ${reason}.`} The lock does not prevent the deletion.`;
export const deleteWarning = (count: number) =>
  count === 0
    ? "This cannot be undone."
    : `The ${countOfTags(count)} of the workspace stay in the tag list. This cannot be undone.`;

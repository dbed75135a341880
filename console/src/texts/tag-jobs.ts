/** Texts of tag-jobs. */
import { counted } from "./counted.ts";

// Kind and navigation
export const job = "job";

// List
export const listHint = "Bulk changes to tags and workspaces. You can undo them for 7 days.";
export const emptyHint = "Merge, delete, add or remove tags in bulk to start a job.";
export const status = "Status";
export const progress = "Progress";
export const percentDone = (percent: number) => `${percent}% done`;
export const changed = "Changed";
export const created = "Created";
export const action = "Action";

// Status of a job
export const statusQueued = "queued";
export const statusRunning = "running";
export const statusPaused = "paused";
export const statusDone = "done";
export const statusFailed = "failed";
export const statusCanceled = "canceled";

// Actions, as the title of a job begins
export const actionAdd = "Add to workspaces";
export const actionRemove = "Remove from workspaces";
export const actionSetValue = "Change value";
export const actionRename = "Rename";
export const actionMerge = "Merge";
export const actionDelete = "Delete";
export const actionUndo = "Undo";
export const actionImport = "Import";
interface JobTitle {
  readonly names: readonly string[];
  readonly more: number;
  readonly to: string | null;
  readonly conditions: string;
  /** Number of objects; undefined while it is unknown. */
  readonly count: number | undefined;
  /** Whether the number is one of tags that a filter has found. */
  readonly isOfTags: boolean;
}
/** For example "Delete 2,275 tags (Usage: unused)" or "Merge: prd, production → prod (134 objects)". */
export const jobTitle = (action: string, { names, more, to, conditions, count, isOfTags }: JobTitle) => {
  const number =
    count === undefined ? "" : isOfTags ? counted(count, "tag", "tags") : counted(count, "object", "objects");
  const target = to === null ? "" : ` → ${to}`;
  const which = names.length === 0 ? "" : `: ${names.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
  const tags = isOfTags && number !== "" ? ` ${number}` : "";
  const details = [conditions, isOfTags ? "" : number].filter((part) => part !== "");
  return [action, which, tags, target, details.length === 0 ? "" : ` (${details.join("; ")})`].join("");
};
export const list = (parts: readonly string[]) => parts.join(", ");

// Buttons of a job
export const pause = "Pause";
export const resume = "Resume";
export const cancelJob = "Cancel job";
export const undo = "Undo";
export const command = (verb: string, job: string) => `${verb}: ${job}`;

// One job
export const overview = "Overview";
export const details = "Details";
export const tags = "Tags";
export const removedAs = "Removed as";
export const targetName = "Target name";
export const filter = "Filter";
export const allOfKind = "all";
export const workspaces = "Workspaces";
export const name = "Name";
export const nameContains = "Name contains";
export const withTags = "With tags";
export const withoutTags = "Without tags";
export const tagKeys = "Tag keys";
export const project = "Project";
export const usage = "Usage";
export const used = "used";
export const unused = "unused";
export const range = (least: number | undefined, most: number | undefined) =>
  [least === undefined ? "" : `at least ${least}`, most === undefined ? "" : `at most ${most}`]
    .filter((part) => part !== "")
    .join(", ");
export const undoneBy = "Undone by";
export const changesTab = "Changes";
export const changesNone = "No audit records of this job in the retention period.";
export const changesRunning = "The list is complete when the job has finished.";
export const showMore = "Show more";
export const undoTitle = (job: string) => `Undo: ${job}?`;
export const undoPreview = (changed: number) =>
  `Reverts the changes of ${counted(changed, "object", "objects")}. Later changes by others are kept.`;
export const undoStart = "Start undo";
export const undoOfJob = (job: string) => `Undo of ${job}`;
export const undoOf = "Undo of";
export const importMode = "Import mode";
export const createdBy = "Created by";
export const finished = "Finished";

// Preview
export const cancel = "Cancel";
export const loadingPreview = "Loading preview…";
export const preview = "Preview";
export const previewResult = (changed: number, total: number | null) => {
  if (changed === 0) return "No changes";
  const objects = (count: number) => counted(count, "object", "objects");
  return total === null || total <= changed
    ? `${objects(changed)} would change`
    : `${changed.toLocaleString()} of ${objects(total)} would change`;
};
export const previewPartial = "Partial preview (stopped after 10 s).";
export const wouldBeSkipped = (count: number, reason: string) =>
  `${count.toLocaleString()} would be skipped: ${reason}`;
export const wouldViolateRule = (count: number, rule: string) =>
  `${count.toLocaleString()} would violate tag policy rule "${rule}"`;
export const firstChanges = "First changes";

// Progress
export const progressLabel = "Job progress";
export const progressText = (done: number, total: number | null, changed: number) =>
  `${done.toLocaleString()}${total === null ? "" : ` of ${total.toLocaleString()}`} processed, ${changed.toLocaleString()} changed`;
export const progressQueued = (progress: string) => `Waiting for earlier jobs. ${progress}`;
export const progressEnded = (status: string, progress: string) =>
  `${status.slice(0, 1).toUpperCase()}${status.slice(1)}. ${progress}`;
export const skipped = (count: number, reason: string) => `${count.toLocaleString()} skipped: ${reason}`;
export const violatedRule = (count: number, rule: string) =>
  `${count.toLocaleString()} violated tag policy rule "${rule}"`;
export const undoHint = "This job undoes the changes. Later changes by others are kept.";
export const continuesHint = "The job continues after you close this dialog.";
export const openJob = "Open job";
export const close = "Close";

// Reasons, after "3 skipped: "
export const reasonNotAllowed = "permission denied";
export const reasonFull = "too many tags";
export const reasonTagRule = "blocked by the tag policy";
export const reasonNoSuchTag = "tag not found";
export const reasonNameTaken = "name already exists";
export const reasonBadName = "invalid name";
export const reasonChangedSince = "changed after the job";
export const reasonGone = "deleted";
export const reasonMissing = "not found";
export const reasonOwned = "managed by declared files";
export const reasonCannotBeUndone = "cannot be undone";

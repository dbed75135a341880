/** Jobs in words. */
import type { JobRow } from "./queries.ts";
import * as texts from "../../texts/tag-jobs.ts";

/** Labels of the actions of jobs. */
export const ACTIONS: Readonly<Record<string, string>> = {
  add: texts.actionAdd,
  remove: texts.actionRemove,
  "set-value": texts.actionSetValue,
  rename: texts.actionRename,
  merge: texts.actionMerge,
  delete: texts.actionDelete,
  undo: texts.actionUndo,
  import: texts.actionImport,
};

/** Labels of the states of jobs. */
export const STATUSES: Readonly<Record<JobRow["attributes"]["status"], string>> = {
  queued: texts.statusQueued,
  running: texts.statusRunning,
  paused: texts.statusPaused,
  done: texts.statusDone,
  failed: texts.statusFailed,
  cancelled: texts.statusCanceled,
};

const REASONS: Readonly<Record<string, string>> = {
  "not-allowed": texts.reasonNotAllowed,
  full: texts.reasonFull,
  "tag-rule": texts.reasonTagRule,
  "no-such-tag": texts.reasonNoSuchTag,
  "name-taken": texts.reasonNameTaken,
  "bad-name": texts.reasonBadName,
  "changed-since": texts.reasonChangedSince,
  gone: texts.reasonGone,
  missing: texts.reasonMissing,
  owned: texts.reasonOwned,
  "cannot-be-undone": texts.reasonCannotBeUndone,
};

/** Actions on tags of the pool, which a filter can find. */
const OF_TAGS: ReadonlySet<string> = new Set(["merge", "delete"]);

/** Returns the title of a job: its action, what it is about, and the number of objects. */
export function titleOf({ attributes }: Pick<JobRow, "attributes">): string {
  const { action, tags, to, filter, total, changed, status } = attributes;
  const names = (tags ?? []).slice(0, 3).map(({ name, value }) => (value === undefined ? name : `${name}=${value}`));
  const more = (tags?.length ?? 0) - names.length;
  const conditions =
    filter === null ? "" : texts.list(Object.values(filter).flatMap((each) => conditionsOf(each).map(said)));
  const count = status === "done" ? changed : (total ?? undefined);
  const isOfTags = OF_TAGS.has(action) && names.length === 0;
  return texts.jobTitle(ACTIONS[action] ?? action, { names, more, to, conditions, count, isOfTags });
}

function said({ label, value }: { label: string; value: string }): string {
  return `${label}: ${value}`;
}

/** Why something was refused. */
export function reasonOf(code: string): string {
  return REASONS[code] ?? code;
}

/** Returns the conditions of a filter as text, one object kind per line. */
export function filterText(filter: JobRow["attributes"]["filter"]): string {
  if (filter === null) return "";
  const parts = Object.entries(filter).map(([kind, conditions]) => {
    const all = conditionsOf(conditions).map(said);
    return `${KINDS[kind] ?? kind}: ${all.length === 0 ? texts.allOfKind : all.join(", ")}`;
  });
  return parts.join("\n");
}

const KINDS: Readonly<Record<string, string>> = { tags: texts.tags, workspaces: texts.workspaces };

/** Names of the conditions, as the filters of lists call them. */
const CONDITIONS: Readonly<Record<string, string>> = {
  q: texts.nameContains,
  name: texts.nameContains,
  wildcard: texts.name,
  tags: texts.withTags,
  "exclude-tags": texts.withoutTags,
  bindings: texts.tagKeys,
  project: texts.project,
  unused: texts.usage,
  "instance-count": texts.workspaces,
};

interface Condition {
  readonly label: string;
  readonly value: string;
}

/** Returns the conditions of a filter in words. */
export function conditionsOf(conditions: object | undefined): readonly Condition[] {
  return Object.entries(conditions ?? {}).map(([name, value]) => ({
    label: CONDITIONS[name] ?? name,
    value: valueText(value),
  }));
}

function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? texts.unused : texts.used;
  if (Array.isArray(value)) return value.map(textOfEach).join(", ");
  const { gte, lte } = value as { gte?: number; lte?: number };
  return texts.range(gte, lte);
}

/** A name, or a key with its value. */
function textOfEach(each: unknown): string {
  if (typeof each === "string") return each;
  const { key, value } = each as { readonly key: string; readonly value?: string };
  return value === undefined ? key : `${key}=${value}`;
}

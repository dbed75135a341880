/** Jobs in words. */
import type { JobRow } from "./queries.ts";

/** Labels of the actions of jobs. */
export const ACTIONS: Readonly<Record<string, string>> = {
  add: "Put on workspaces",
  remove: "Take off workspaces",
  "set-value": "Change a value",
  rename: "Rename",
  merge: "Merge",
  delete: "Delete",
  undo: "Take back",
  import: "Import",
};

const REASONS: Readonly<Record<string, string>> = {
  "not-allowed": "the token may not change them",
  full: "they would have too many tags",
  "tag-rule": "a rule for tags would be broken",
  "no-such-tag": "there is no such tag",
  "name-taken": "the name is taken",
  "bad-name": "the name is not one that it could have there",
  "changed-since": "somebody has changed them since",
  gone: "they are no more",
  missing: "there is nothing of this name",
  owned: "a directory of declared files owns them",
  "cannot-be-undone": "this cannot be taken back",
};

/** Returns the title of a job: its action and the names of its tags. */
export function titleOf({ attributes: { action, tags, to } }: Pick<JobRow, "attributes">): string {
  const names = (tags ?? []).slice(0, 3).map(({ name, value }) => (value === undefined ? name : `${name}=${value}`));
  const more = (tags?.length ?? 0) - names.length;
  const listed = names.length === 0 ? "" : `: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return `${ACTIONS[action] ?? action}${listed}${to === null ? "" : ` → ${to}`}`;
}

/** Why something was refused. */
export function reasonOf(code: string): string {
  return REASONS[code] ?? code;
}

/** Returns the conditions of a filter as text, one object kind per line. */
export function filterText(filter: JobRow["attributes"]["filter"]): string {
  if (filter === null) return "";
  const parts = Object.entries(filter).map(([kind, conditions]) => {
    const said = Object.entries(conditions ?? {}).map(([name, value]) => `${name}: ${valueText(value)}`);
    return `${kind}: ${said.length === 0 ? "all" : said.join(", ")}`;
  });
  return parts.join("\n");
}

function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOfEach).join(" ");
  return JSON.stringify(value);
}

/** A name, or a key with its value. */
function textOfEach(each: unknown): string {
  if (typeof each === "string") return each;
  const { key, value } = each as { readonly key: string; readonly value?: string };
  return value === undefined ? key : `${key}=${value}`;
}

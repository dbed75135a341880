/** Requests of jobs on tags, read and checked once for the request, and again from the stored input. */
import { fold } from "../../fold.ts";
import { invalid } from "../../errors.ts";
import { checkKey, checkValue, type BindingInput } from "../holders/bindings/keys.ts";
import type { TaggedSearch } from "../holders/bindings/tagged.ts";
import { BINDING, BOTH, TAG } from "../pool/marks.ts";
import { soughtName, soughtPoolPart, tagName } from "../pool/names.ts";
import type { BulkSearch } from "../../workspaces/list.ts";

export const TAG_ACTIONS = ["add", "remove", "set-value", "rename", "merge", "delete"] as const;
export type TagAction = (typeof TAG_ACTIONS)[number];
export const HELD_AS = ["any", "tag", "binding"] as const;

/** Tags that one job may name, and that a filter may find for one that takes them off. */
export const MOST_TAGS = 100;

/** The attributes of a request, by their names on the wire; what is stored of a job. */
export interface JobAttributes {
  tags?: readonly { name: string; value?: string }[];
  as?: (typeof HELD_AS)[number];
  to?: string;
  filter?: {
    tags?: { q?: string; unused?: boolean; "instance-count"?: { gte?: number; lte?: number } };
    workspaces?: {
      name?: string;
      wildcard?: string;
      tags?: readonly string[];
      "exclude-tags"?: readonly string[];
      bindings?: readonly { key: string; value?: string }[];
      project?: string;
    };
  };
}

/** Tags of the pool. */
export type TagSelection = { names: readonly string[] } | { filter: JobTagFilter };

/** Conditions on tags of the pool. All conditions must hold. */
export interface JobTagFilter {
  /** Folded text that the name holds; undefined where no name can hold what was asked for. */
  part: string | undefined;
  isUnused: boolean | undefined;
  /** How many workspaces carry it, both included. */
  least: number;
  most: number;
}

/** A tag to be put on, or taken off: without a value as a flat tag, or as whatever it is held. */
export interface NamedValue {
  name: string;
  value: string | undefined;
}

/** Requests that change workspaces. */
export type WorkspaceRequest = { search: BulkSearch } & (
  | { action: "add"; tags: readonly NamedValue[] }
  /** `marks` is as what they are taken off, where no value is given. */
  | { action: "remove"; tags: readonly NamedValue[] | JobTagFilter; marks: number }
  /** With `onProjects`, also of the projects that are asked for; of one, where that is a text. */
  | { action: "set-value"; tags: readonly BindingInput[]; onProjects: boolean | string }
);

/** Requests that change the pool. `to` is as the client sent it. */
export type PoolRequest =
  | { action: "rename"; name: string; to: string }
  | { action: "merge"; selection: TagSelection; to: string }
  | { action: "delete"; selection: TagSelection };

const AT = "/data/attributes";

/**
 * Refuses conditions of filters that say nothing: a script whose variable is not set would change everything. A job that is
 * stored is not asked.
 *
 * @throws AppError `invalid` with a pointer
 */
export function checkConditions({ filter = {} }: JobAttributes): void {
  for (const [kind, conditions] of Object.entries(filter)) {
    for (const [name, value] of Object.entries(conditions)) {
      const isEmpty = value === "" || (typeof value === "object" && Object.keys(value).length === 0);
      if (isEmpty)
        throw invalid(`The condition ${name} is empty; omit it to select all`, `${AT}/filter/${kind}/${name}`);
    }
  }
}

/**
 * Reads what a job is to do on workspaces.
 *
 * @throws AppError `invalid` with a pointer
 */
export function readWorkspaceRequest(action: string, attributes: JobAttributes): WorkspaceRequest {
  const { tags = [], filter = {}, to, as } = attributes;
  if (to !== undefined) throw invalid(`Action ${action} does not accept "to"`, `${AT}/to`);
  if (as !== undefined && action !== "remove") throw invalid(`Action ${action} does not accept "as"`, `${AT}/as`);
  const search = readSearch(filter.workspaces ?? {});
  if (action === "remove") return { action, search, marks: MARKS[as ?? "any"], tags: readRemoved(attributes) };
  if (filter.tags !== undefined) {
    throw invalid(`Action ${action} does not accept "filter.tags"; set "tags"`, `${AT}/filter/tags`);
  }
  if (tags.length === 0) throw invalid("tags is missing", `${AT}/tags`);
  if (action === "add") {
    const added = tags.map(readAdded);
    distinct(added, ({ name, value }) => (value === undefined ? undefined : name));
    return { action, search, tags: added };
  }
  const { project, ...others } = filter.workspaces ?? {};
  const onProjects = Object.keys(others).length === 0 && (project ?? true);
  const values = tags.map(readValue);
  distinct(values, ({ key }) => key);
  return { action: "set-value", search, tags: values, onProjects };
}

const MARKS = { any: BOTH, tag: TAG, binding: BINDING };

function readAdded({ name, value }: { name: string; value?: string }, index: number): NamedValue {
  const at = `${AT}/tags/${index}`;
  if (value === undefined) return { name: tagName(name, `${at}/name`), value };
  checkKey(name, `${at}/name`);
  checkValue(value, `${at}/value`);
  return { name, value };
}

function readValue({ name, value }: { name: string; value?: string }, index: number): BindingInput {
  const at = `${AT}/tags/${index}`;
  checkKey(name, `${at}/name`);
  if (value === undefined) throw invalid("value is missing", `${at}/value`);
  checkValue(value, `${at}/value`);
  return { key: name, value };
}

/** @throws AppError `invalid` when two give values to one key */
function distinct<T>(tags: readonly T[], keyOf: (tag: T) => string | undefined): void {
  const seen = new Set<string>();
  for (const [index, tag] of tags.entries()) {
    const key = keyOf(tag);
    if (key === undefined) continue;
    if (seen.has(key)) throw invalid(`Key ${JSON.stringify(key)} is repeated`, `${AT}/tags/${index}/name`);
    seen.add(key);
  }
}

function readRemoved({ tags, filter = {}, as }: JobAttributes): readonly NamedValue[] | JobTagFilter {
  const selection = readSelection("remove", { ...(tags && { tags }), filter });
  if ("filter" in selection) return selection.filter;
  for (const [index, { value }] of (tags ?? []).entries()) {
    if (value !== undefined && as === "tag") {
      throw invalid("A flat tag cannot have a value", `${AT}/tags/${index}/value`);
    }
  }
  return (tags ?? []).map(({ name, value }) => ({ name, value }));
}

/**
 * Reads what a job is to do in the pool.
 *
 * @throws AppError `invalid` with a pointer
 */
export function readPoolRequest(action: string, attributes: JobAttributes): PoolRequest {
  const { tags = [], filter = {}, as } = attributes;
  if (as !== undefined) throw invalid(`Action ${action} does not accept "as"`, `${AT}/as`);
  if (filter.workspaces !== undefined) {
    throw invalid(`Action ${action} does not accept "filter.workspaces"`, `${AT}/filter/workspaces`);
  }
  for (const [index, { value }] of tags.entries()) {
    if (value !== undefined) throw invalid(`Action ${action} does not accept a value`, `${AT}/tags/${index}/value`);
  }
  if (action === "delete") {
    if (attributes.to !== undefined) throw invalid('Action delete does not accept "to"', `${AT}/to`);
    return { action, selection: readSelection(action, attributes) };
  }
  if (attributes.to === undefined) throw invalid('"to" is missing', `${AT}/to`);
  const { to } = attributes;
  // Which of the two it has to be depends on the tags.
  if (soughtName(to) === undefined) checkKey(to, `${AT}/to`);
  if (action === "merge") return { action, to, selection: readSelection(action, attributes) };
  const [tag] = tags;
  if (filter.tags !== undefined) throw invalid('Action rename does not accept "filter.tags"', `${AT}/filter/tags`);
  if (tag === undefined || tags.length > 1)
    throw invalid('Action rename requires exactly one tag in "tags"', `${AT}/tags`);
  return { action: "rename", name: tag.name, to };
}

/** Either names or a filter, and one of them: an empty filter means all, but only when it was meant. */
function readSelection(action: string, { tags, filter = {} }: JobAttributes): TagSelection {
  if (tags !== undefined && filter.tags !== undefined) {
    throw invalid("Set either tags or filter.tags, not both", `${AT}/filter/tags`);
  }
  if (filter.tags !== undefined) return { filter: readTagFilter(filter.tags) };
  if (tags === undefined || tags.length === 0) {
    throw invalid(`Action ${action} requires tags or filter.tags ({} selects all tags)`, `${AT}/tags`);
  }
  return { names: [...new Set(tags.map(({ name }) => name))] };
}

function readTagFilter({
  q,
  unused,
  "instance-count": count = {},
}: NonNullable<NonNullable<JobAttributes["filter"]>["tags"]>): JobTagFilter {
  const part = q === undefined ? "" : soughtPoolPart(q);
  return { part, isUnused: unused, least: count.gte ?? 0, most: count.lte ?? Number.MAX_SAFE_INTEGER };
}

function readSearch({
  name,
  wildcard,
  tags,
  "exclude-tags": excludedTags,
  bindings,
  project,
}: NonNullable<NonNullable<JobAttributes["filter"]>["workspaces"]>): BulkSearch {
  if ((tags?.length ?? 0) + (excludedTags?.length ?? 0) > MOST_TAGS) {
    throw invalid(`A filter can contain at most ${MOST_TAGS} tags`, `${AT}/filter/workspaces/exclude-tags`);
  }
  return {
    namePart: name,
    wildcard,
    tags,
    excludedTags,
    projectId: project,
    tagged: bindings === undefined || bindings.length === 0 ? undefined : taggedSearch(bindings),
  };
}

function taggedSearch(bindings: readonly { key: string; value?: string }[]): TaggedSearch {
  return { wanted: bindings.map(({ key, value }) => ({ key, value })), isUnion: false };
}

/** Whether a tag of the pool is one that the filter asks for. */
export function fits(
  { part, isUnused, least, most }: JobTagFilter,
  { name, instanceCount, projectCount }: { name: string; instanceCount: number; projectCount: number },
): boolean {
  if (part === undefined || !fold(name).includes(part)) return false;
  if (isUnused !== undefined && isUnused !== (instanceCount + projectCount === 0)) return false;
  return instanceCount >= least && instanceCount <= most;
}

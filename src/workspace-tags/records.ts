/** Changes of the tags and keys of a workspace, and their audit record. */
import { recordChange, type Author, type TagsChanged } from "../changes/record.ts";
import type { Transaction } from "../storage/database.ts";
import { BINDING, TAG } from "../tags/marks.ts";
import type { TagLink, NamedTag } from "../tags/store.ts";

/** A workspace that tags are put on or taken from. */
export interface Carrier {
  id: string;
  organizationId: string;
  name: string;
  /** Its folded name. */
  nameKey: string;
  projectId: string;
}

/** A tag with how the workspace held it and is to hold it; `marks` of 0 stand for not at all. */
export interface LinkDiff {
  id: string;
  name: string;
  /** The tag as it is in the pool; undefined when it is born now. */
  tag: NamedTag | undefined;
  before: TagLink;
  after: TagLink;
}

/** Adds the record of it to the transaction; none when nothing changes. @param jobId the job that it is part of */
export async function recordTags(
  tx: Transaction,
  author: Author,
  { id, name, organizationId }: Carrier,
  diff: readonly Omit<LinkDiff, "tag">[],
  jobId?: string,
): Promise<void> {
  const details = tagsChanged(diff);
  if (Object.keys(details).length === 0) return tx.unrecorded("that a key is a flat tag of its own is seen by nobody");
  const object = { organizationId, kind: "workspace", objectId: id, name } as const;
  const change = { ...object, action: "tags-changed", details } as const;
  await recordChange(tx, author, jobId === undefined ? change : { ...change, jobId });
}

/** Returns the details of the audit record. */
export function tagsChanged(diff: readonly Omit<LinkDiff, "tag">[]): TagsChanged {
  const tags = diff.filter(({ before, after }) => ((before.marks ^ after.marks) & TAG) !== 0);
  const bindings = diff.filter(({ before, after }) => ((before.marks | after.marks) & BINDING) !== 0);
  const isBound = ({ marks }: TagLink) => (marks & BINDING) !== 0;
  return {
    ...parts("tags", {
      added: tags.filter(({ after }) => (after.marks & TAG) !== 0).map(named),
      removed: tags.filter(({ before }) => (before.marks & TAG) !== 0).map(named),
    }),
    ...parts("bindings", {
      added: bindings.filter(({ before }) => !isBound(before)).map(({ name, after }) => pair(name, after)),
      changed: bindings
        .filter(({ before, after }) => isBound(before) && isBound(after) && before.value !== after.value)
        .map(({ name, before, after }) => ({ key: name, from: before.value, to: after.value })),
      removed: bindings.filter(({ after }) => !isBound(after)).map(({ name, before }) => pair(name, before)),
    }),
  };
}

function named({ id, name }: { id: string; name: string }) {
  return { id, name };
}

function pair(key: string, { value }: TagLink) {
  return { key, value };
}

/** Only lists that hold something, under this name; nothing when none does. */
export function parts<Name extends string, Part extends Record<string, readonly unknown[]>>(
  name: Name,
  lists: Part,
): { [N in Name]?: Partial<Part> } {
  const full = Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Part>;
  return Object.keys(full).length === 0 ? {} : ({ [name]: full } as { [N in Name]?: Partial<Part> });
}

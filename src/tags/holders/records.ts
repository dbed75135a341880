/** Records of changes to the tags and keys of a holder. */
import {
  recordChanges,
  type Author,
  type ChangeKind,
  type RecordedChange,
  type TagsChanged,
} from "../changes/record.ts";
import type { Transaction } from "../../storage/database.ts";
import { BINDING, TAG } from "../pool/marks.ts";
import type { TagLink } from "../pool/store.ts";
import type { HeldChange, LinkDiff } from "./holder.ts";

/** Adds a record for each holder to the transaction; none where nothing that is visible changes. @param jobId the job that it is part of */
export async function recordTags(
  tx: Transaction,
  author: Author,
  kind: ChangeKind,
  changes: readonly HeldChange[],
  jobId?: string,
): Promise<void> {
  const visible: RecordedChange[] = [];
  let last: { diff: readonly LinkDiff[]; details: TagsChanged } | undefined;
  for (const { holder, diff } of changes) {
    const { id: objectId, name, organizationId } = holder;
    // Most work does the same to all: it is put in words once.
    const details: TagsChanged = last !== undefined && isAlike(diff, last.diff) ? last.details : tagsChanged(diff);
    last = { diff, details };
    if (Object.keys(details).length === 0) continue;
    const change = { organizationId, kind, objectId, name, action: "tags-changed", details } as const;
    visible.push(jobId === undefined ? change : { ...change, jobId });
  }
  if (visible.length < changes.length) tx.unrecorded("a tag key as a flat tag is not visible");
  if (visible.length > 0) await recordChanges(tx, author, visible);
}

/** Whether two holders change in the same way. */
function isAlike(one: readonly LinkDiff[], other: readonly LinkDiff[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ id, name, before, after }, place) => {
      const there = other[place];
      return (
        there !== undefined &&
        id === there.id &&
        name === there.name &&
        isSaidAlike(before, there.before) &&
        isSaidAlike(after, there.after)
      );
    })
  );
}

/** Compares what records say of links. */
function isSaidAlike(one: TagLink, other: TagLink): boolean {
  return one.marks === other.marks && one.value === other.value;
}

/** Returns the details of the audit record. */
export function tagsChanged(diff: readonly LinkDiff[]): TagsChanged {
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
function parts<Name extends string, Part extends Record<string, readonly unknown[]>>(
  name: Name,
  lists: Part,
): { [N in Name]?: Partial<Part> } {
  const full = Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Part>;
  return Object.keys(full).length === 0 ? {} : ({ [name]: full } as { [N in Name]?: Partial<Part> });
}

/** Records of changes to the tags and keys of a holder. */
import { recordChange, type Author, type ChangeKind, type TagsChanged } from "../changes/record.ts";
import type { Transaction } from "../../storage/database.ts";
import { BINDING, TAG } from "../pool/marks.ts";
import type { TagLink } from "../pool/store.ts";
import type { Holder, LinkDiff } from "./holder.ts";

/** Adds the record of it to the transaction; none when nothing changes. @param jobId the job that it is part of */
export async function recordTags(
  tx: Transaction,
  author: Author,
  kind: ChangeKind,
  { id, name, organizationId }: Holder,
  diff: readonly LinkDiff[],
  jobId?: string,
): Promise<void> {
  const details = tagsChanged(diff);
  if (Object.keys(details).length === 0) return tx.unrecorded("a tag key as a flat tag is not visible");
  const change = { organizationId, kind, objectId: id, name, action: "tags-changed", details } as const;
  await recordChange(tx, author, jobId === undefined ? change : { ...change, jobId });
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

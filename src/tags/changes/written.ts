/**
 * Workspaces and projects that are made, changed and deleted, for who follows the organization. What is told of a change are
 * the names of what was changed: who may not read them all the time shall not learn from one event what was there before.
 */
import { isDeepStrictEqual } from "node:util";
import { shower } from "../../storage/proofs/shown.ts";
import type { Transaction } from "../../storage/database.ts";
import { noteChange, type Author, type RecordedChange } from "./record.ts";

/** An object that is written, with its columns. */
interface Written {
  id: string;
  organizationId: string;
  name: string;
}

/** Notes a write. @param before undefined for one that is made @param after for one that goes */
export type NoteWritten = (
  tx: Transaction,
  author: Author,
  before: Written | undefined,
  after: Written | undefined,
) => Promise<void>;

/** Makes what notes the writes of one kind, beside the audit records that its store makes. */
export function writeNoter(kind: "workspace" | "project"): NoteWritten {
  const show = shower(`${kind}s`);
  return async (tx, author, before, after) => {
    const object = after ?? before;
    if (object === undefined) return;
    const { organizationId, id: objectId, name } = object;
    const what = changeOf(before, after, show);
    if (what !== undefined) await noteChange(tx, author, { organizationId, kind, objectId, name, ...what });
  };
}

type Show = (object: object) => Readonly<Record<string, unknown>>;

/** @returns undefined where nothing is another that anybody is shown, as when tags alone were changed */
function changeOf(
  before: Written | undefined,
  after: Written | undefined,
  show: Show,
): Pick<RecordedChange, "action" | "details"> | undefined {
  if (before === undefined) return { action: "created", details: { name: after?.name } };
  if (after === undefined) return { action: "deleted", details: { name: before.name } };
  if (before.name !== after.name) return { action: "renamed", details: { from: before.name, to: after.name } };
  const [was, is] = [show(before), show(after)];
  const members = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = members.filter((member) => !isDeepStrictEqual(was[member], is[member])).toSorted();
  return changed.length === 0 ? undefined : { action: "updated", details: { changed } };
}

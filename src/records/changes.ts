/** Changes of an object, as audit records show them. */
import { create } from "jsondiffpatch";
import type { AuditEntry } from "../storage/database.ts";

/** An object as a record shows it: plain JSON without any secret; undefined for one that was not there. */
export type RecordedObject = Readonly<Record<string, unknown>> | undefined;

/** Elements of lists are told apart by what names them, so that one that moves is not taken for others that changed. */
const patcher = create({
  objectHash: (element: object) => JSON.stringify(element),
  arrays: { detectMove: false },
  // Lists of a record are as long as a request may make them; comparing them one by one is bounded with that.
  propertyFilter: (name: string) => name !== "__proto__",
});

/**
 * The difference in the delta format of jsondiffpatch, which holds the old values and the new: `[new]` for what came,
 * `[old, new]` for what changed, `[old, 0, 0]` for what went. Undefined when there is none.
 */
export function difference(before: RecordedObject, after: RecordedObject): unknown {
  return patcher.diff(before, after);
}

/** Scope and identity of an object. */
type Subject = Omit<AuditEntry, "action" | "outcome" | "detail">;

/**
 * The record of an object that was made, changed or deleted.
 *
 * @param action as the record calls it; by what was there before and after unless it is given
 */
export function objectChange(
  subject: Subject,
  before: RecordedObject,
  after: RecordedObject,
  { action, ...detail }: { action?: string } & Readonly<Record<string, unknown>> = {},
): AuditEntry {
  const made = before === undefined ? "create" : after === undefined ? "delete" : "update";
  return { ...subject, action: action ?? made, detail: { ...detail, changes: difference(before, after) } };
}

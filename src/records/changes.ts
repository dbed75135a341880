/** Changes of an object, as audit records show them. */
import { create, type Delta } from "jsondiffpatch";
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
  // Records of links have neither, by the hundred.
  return before === after ? undefined : patcher.diff(before, after);
}

/** Takes back a change. @param delta as `difference` gives it @returns the object before; undefined when the change created it */
export function withoutChange(after: NonNullable<RecordedObject>, delta: unknown): RecordedObject {
  if (delta === undefined) return after;
  // The library changes what it is given.
  return patcher.unpatch(structuredClone(after), structuredClone(delta) as Delta) as RecordedObject;
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

/**
 * Takes a change back.
 *
 * @param after the object as it was after the change
 * @param delta the difference of its record; undefined where nothing changed
 * @returns the object as it was before
 * @throws Error when the object was not as the difference says
 */
export function undone(after: RecordedObject, delta: unknown): RecordedObject {
  if (delta === undefined) return after;
  if (Array.isArray(delta)) {
    const [old] = delta as RecordedObject[];
    if ((delta.length === 3) !== (after === undefined)) throw new Error("the object does not match its audit record");
    return delta.length === 1 ? undefined : old;
  }
  if (after === undefined) throw new Error("the object does not match its audit record");
  return patcher.unpatch(structuredClone(after), delta as Parameters<typeof patcher.unpatch>[1]) as RecordedObject;
}

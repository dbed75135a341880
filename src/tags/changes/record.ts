/**
 * Records of changes: one for each change of one object, written in the transaction that makes it, so that there is no
 * change without its record and no record of what did not happen. Who streams events, delivers them or takes a job back
 * reads nothing else.
 */
import type { Actor } from "../../rights/actor.ts";
import { objectChange, type RecordedObject } from "../../records/changes.ts";
import type { AuditEntry, Transaction } from "../../storage/database.ts";
import { listedChanges } from "../../storage/migrations/0017-listed-changes.ts";
import { asLists, LEAST_LISTED } from "./listed.ts";
import { CHANGES_PER_INDEX } from "./position.ts";
import { insertChanges } from "./store.ts";

export const CHANGE_KINDS = ["workspace", "project", "tag", "reserved-tag-key", "tag-policy"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** `tags-changed` is of what carries tags: flat ones and bindings alike. */
export const CHANGE_ACTIONS = ["tags-changed", "created", "updated", "renamed", "merged", "deleted"] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** Action of the weekly report of a tag policy, which changes nothing: only webhooks that name the action are told. */
export const REPORTED = "reported";

/** Author and time of a change: the context of a request, or the caller who created a job. */
export interface Author {
  actor: Pick<Actor, "accessorId">;
  requestId: string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Details of `tags-changed` for a workspace or a project. Parts without a change are left out. */
export interface TagsChanged {
  /** Flat tags; a workspace's only. */
  tags?: { added?: readonly TagName[]; removed?: readonly TagName[] };
  bindings?: {
    added?: readonly KeyValue[];
    changed?: readonly { key: string; from: string; to: string }[];
    removed?: readonly KeyValue[];
  };
}

export interface TagName {
  id: string;
  name: string;
}

export interface KeyValue {
  key: string;
  value: string;
}

/** A change of one object. */
export interface RecordedChange {
  organizationId: string;
  kind: ChangeKind;
  objectId: string;
  /** Name of the object when it was changed. The name of a workspace decides who may see the record. */
  name: string;
  action: ChangeAction;
  /** State before and after the change, which an undo needs. Readers see it: it contains no secrets. */
  details: TagsChanged | Readonly<Record<string, unknown>>;
  /** Job that the change is part of. */
  jobId?: string;
}

/** Record without an audit record of its own: of a change that has one, or a report. */
export type NotedChange = Omit<RecordedChange, "action"> & { action: ChangeAction | typeof REPORTED };

/** How many records a transaction has made. What is run again is a transaction of its own, which begins anew. */
const made = new WeakMap<Transaction, number>();

/**
 * Adds the record of a change to the transaction of the organization that makes it. To be called once for each object
 * that changes, and not at all for one that stays as it is; to be awaited before the callback ends.
 *
 * @param tx one of the organization's own counter
 * @throws RangeError when the transaction has made 65,536 already
 */
export function recordChange(tx: Transaction, author: Author, change: RecordedChange): Promise<void> {
  return recordChanges(tx, author, [change]);
}

/** Adds the records of several changes, in their order. @throws RangeError when the transaction has no room for them */
export async function recordChanges(
  tx: Transaction,
  author: Author,
  changes: readonly RecordedChange[],
): Promise<void> {
  await noteChanges(tx, author, changes);
  let last: { change: RecordedChange; entry: AuditEntry } | undefined;
  for (const change of changes) {
    const { objectId, name } = change;
    // Entries of objects that change in one way share their detail, which is put in words once then.
    const shared = last !== undefined && isSameChange(change, last.change) ? last.entry : undefined;
    const entry = shared === undefined ? entryOf(change) : { ...shared, objectId, name };
    last = { change, entry };
    tx.record(entry);
  }
}

/** Whether two objects change in one way, so that their entries differ in the object alone. */
function isSameChange(one: RecordedChange, other: RecordedChange): boolean {
  return (
    one.action === "tags-changed" &&
    one.action === other.action &&
    one.details === other.details &&
    one.kind === other.kind &&
    one.organizationId === other.organizationId &&
    one.jobId === other.jobId
  );
}

function entryOf({ organizationId, kind, objectId, name, action, details, jobId = "" }: RecordedChange): AuditEntry {
  const told = { action: AUDITED[action], ...(jobId !== "" && { job: jobId }) };
  return auditEntry({ organizationId, kind, objectId, name }, action, details, told);
}

/**
 * The same of what has an audit record already, by whoever has written it, and of what needs none.
 *
 * @throws RangeError when the transaction has made 65,536 already
 */
export function noteChange(tx: Transaction, author: Author, change: NotedChange): Promise<void> {
  return noteChanges(tx, author, [change]);
}

async function noteChanges(tx: Transaction, author: Author, changes: readonly NotedChange[]): Promise<void> {
  const ordinal = made.get(tx) ?? 0;
  if (ordinal + changes.length > CHANGES_PER_INDEX) {
    throw new RangeError("a transaction cannot create another record of changes");
  }
  made.set(tx, ordinal + changes.length);
  const first = (await tx.index()) * CHANGES_PER_INDEX + ordinal;
  const by = {
    at: new Date(author.now()).toISOString(),
    accessorId: author.actor.accessorId,
    requestId: author.requestId,
  };
  let last: { details: RecordedChange["details"]; text: string } | undefined;
  const rows = changes.map(({ organizationId, kind, objectId, name, action, details, jobId = "" }, place) => {
    // Many objects that change in one way share what is said of them.
    last = last?.details === details ? last : { details, text: JSON.stringify(details) };
    const position = first + place;
    return { ...by, organizationId, position, jobId, kind, objectId, name, action, details: last.text };
  });
  // Until an upgrade is finished, programs may read them that know no lists.
  const mayList = rows.length >= LEAST_LISTED && (await tx.hasMigration(listedChanges));
  insertChanges(tx, mayList ? asLists(rows) : rows);
}

/** Names of the actions in audit records. */
export const AUDITED: Readonly<Record<ChangeAction, string>> = {
  "tags-changed": "change-tags",
  created: "create",
  updated: "update",
  renamed: "rename",
  merged: "merge",
  deleted: "delete",
};

/**
 * Builds the audit entry of a change. It contains added and removed tags as they are here, and any other change as the
 * difference of the states before and after.
 */
function auditEntry(
  subject: Parameters<typeof objectChange>[0],
  action: ChangeAction,
  details: RecordedChange["details"],
  told: Parameters<typeof objectChange>[3],
): AuditEntry {
  const { from, to } = details as Readonly<Record<string, unknown>>;
  if (action === "created") return objectChange(subject, undefined, shown(details), told);
  if (action === "deleted") return objectChange(subject, shown(details), undefined, told);
  if (action === "renamed") {
    const otherName = String(subject.name === from ? to : from);
    return objectChange({ ...subject, otherName }, { name: from }, { name: to }, told);
  }
  if (action === "updated" && from !== undefined) {
    return objectChange(subject, shown(from as object), shown(to as object), told);
  }
  return objectChange(subject, undefined, undefined, { ...told, details });
}

function shown(details: object): RecordedObject {
  return details as RecordedObject;
}

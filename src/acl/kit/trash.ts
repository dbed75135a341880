/**
 * The trash: what a request deletes is kept for a week in a row of its own, written in the transaction that deletes it. The row
 * gives nobody a right; `acl/trash` lists such rows, and makes the objects anew.
 */
import type { Context } from "../../context.ts";
import type { Transaction } from "../../storage/database.ts";
import { provenRows } from "../../storage/proofs/proofs.ts";
import { defineQuery, oneOf } from "../../storage/reads/query.ts";
import { TABLES } from "../../storage/tables/tables.ts";
import type { TrashKind } from "../../storage/tables/trash.ts";
import type { Scope } from "../../rights/scope.ts";
import { newUuid } from "../../rights/uuid.ts";
import { sql } from "kysely";
import { calledIn, nounOf, type RecordExtras } from "../audited.ts";
import type { GrantLink } from "../grants.ts";

/** Time for which an object can be restored, in milliseconds. */
export const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
/** Maximum number of objects in the trash of a namespace. */
export const MOST_KEPT = 1000;
/** Rows beyond it that one deletion takes away: normally one. */
const MOST_OVER = 25;

/** Tables whose objects the trash keeps. */
export type TrashedTable = "policies" | "roles" | "tokens" | "binding_rules" | "auth_methods" | "namespaces";

/** Deletion of an object by a request. */
export interface Deletion {
  /** ID of the entry in the trash. */
  id: string;
  /** AccessorID of the caller. */
  by: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Starts a deletion, before its transaction. */
export function deletionBy({ actor, now }: Pick<Context, "actor" | "now">): Deletion {
  return { id: newUuid(), by: actor.accessorId, at: now() };
}

/** Object as its deletion takes it out of its table. */
interface Discarded {
  table: TrashedTable;
  /** Scope of the entry. */
  scope: Scope;
  objectId: string;
  object: object;
  /** Row of the object. */
  row: Readonly<Record<string, unknown>>;
  /** Configuration of an auth method, sealed for the entry. */
  configSealed?: string | undefined;
}

const stored = provenRows("trash");

/** In the order of the counter: clocks are set back. */
const removeOldest = defineQuery((db, p: Scope & { most: number; over: number }) =>
  db
    .deleteFrom("trash")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("trash")
        .select("id")
        .where("partition", "=", p.partition)
        .where("namespace", "=", p.namespace)
        .orderBy("create_index", "desc")
        .orderBy("id")
        .limit(p.over)
        .offset(p.most),
    ),
);

/** Puts an object into the trash, in the transaction that deletes it; the oldest of the scope go when there are too many. */
export async function moveToTrash(tx: Transaction, discarded: Discarded, { id, by, at }: Deletion): Promise<void> {
  const { table, scope, objectId, object, row, configSealed = "" } = discarded;
  const { partition, namespace } = scope;
  const index = await tx.index();
  stored.insert(tx, {
    id,
    partition,
    namespace,
    kind: nounOf(table) as TrashKind,
    object_id: objectId,
    name: calledIn(object),
    content: JSON.stringify(contentOf(table, row)),
    config_sealed: configSealed,
    deleted_at: new Date(at).toISOString(),
    deleted_by: by,
    ends_at: at + KEPT_MS,
    create_index: index,
    modify_index: index,
  });
  tx.write(removeOldest, { partition, namespace, most: MOST_KEPT, over: MOST_OVER });
}

/** Columns of a row that are no secret and not computed. */
function contentOf(table: TrashedTable, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const declared: Readonly<Record<string, { kind: string; hidden?: true }>> = TABLES[table];
  const kept = Object.entries(declared).filter(([, { kind, hidden }]) => kind !== "made" && hidden !== true);
  return Object.fromEntries(kept.map(([column]) => [column, row[column]]));
}

const removeRows = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db.deleteFrom("trash").where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** Removes entries of the trash for good, or because their objects are back. */
export function takeFromTrash(tx: Transaction, ids: readonly string[]): void {
  if (ids.length > 0) tx.write(removeRows, { ids });
}

/** Content of an object to create, as far as links are concerned. */
export interface Linking {
  policies?: readonly GrantLink[];
  roles?: readonly GrantLink[];
}

/** Restore of an object, as the write that creates the object takes it. */
export interface Restoring {
  /** ID that the object had, and gets again. */
  objectId: string;
  /** Extras of the record of the creation. */
  told: RecordExtras;
  /**
   * Takes the object out of the trash, in the transaction that creates it.
   *
   * @returns the content without links to objects that no longer exist
   * @throws AppError `not_found` when another restore was first
   */
  take<I extends Linking>(tx: Transaction, input: I): Promise<I>;
}

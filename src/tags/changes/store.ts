import { sql } from "kysely";
import type { Reader, Transaction } from "../../storage/database.ts";
import { insertAllOf, selectionOf, type ObjectOf } from "../../storage/writes/objects.ts";
import { defineQuery } from "../../storage/reads/query.ts";

/** A change of one object as it is stored. */
export type StoredChange = ObjectOf<"changes">;

const insertAll = insertAllOf("changes");

export function insertChanges(tx: Transaction, changes: readonly StoredChange[]): void {
  insertAll(tx, changes);
}

interface From {
  organization: string;
  /** Position behind which is read. */
  after: number;
}

/** Records that are read at a time, and about how long they are together: one more than fit ends a page. */
const MOST = 200;
const MOST_BYTES = 64 * 1024;

const lengths = defineQuery((db, p: From) =>
  db
    .selectFrom("changes")
    .select(["position", sql<number>`octet_length(details)`.as("bytes")])
    .where("organization_id", "=", p.organization)
    .where("position", ">", p.after)
    .orderBy("position")
    .limit(MOST),
);

const between = defineQuery((db, p: From & { last: number }) =>
  db
    .selectFrom("changes")
    .select(selectionOf("changes"))
    .where("organization_id", "=", p.organization)
    .where("position", ">", p.after)
    .where("position", "<=", p.last)
    .orderBy("position"),
);

/**
 * The next records of an organization in their order, as many as are read at a time; at least one where there are any.
 *
 * @returns whether there were no more than these, too
 */
export async function listChanges(db: Reader, from: From): Promise<{ changes: StoredChange[]; isLast: boolean }> {
  const found = await db.run(lengths, from);
  let fitting = 0;
  for (let bytes = 0; fitting < found.length; fitting++) {
    bytes += found[fitting]?.bytes ?? 0;
    if (bytes > MOST_BYTES && fitting > 0) break;
  }
  const last = found[fitting - 1]?.position;
  if (last === undefined) return { changes: [], isLast: true };
  const changes = await db.run(between, { ...from, last });
  return { changes, isLast: fitting === found.length && found.length < MOST };
}

const floorOf = defineQuery((db, p: { organization: string }) =>
  db.selectFrom("change_floors").select("position").where("organization_id", "=", p.organization),
);

/** Up to which position the records of an organization are not kept any more; to be read after them. */
export async function readFloor(db: Reader, organization: string): Promise<number> {
  const [row] = await db.run(floorOf, { organization });
  return row?.position ?? 0;
}

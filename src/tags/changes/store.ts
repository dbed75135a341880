import { sql } from "kysely";
import type { Reader, Transaction } from "../../storage/database.ts";
import { insertAllOf, selectionOf, type ObjectOf } from "../../storage/writes/objects.ts";
import { defineQuery } from "../../storage/reads/query.ts";
import { entriesOf } from "./listed.ts";

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

/**
 * Records that are read at a time, and about how long they are together: one more than fit ends a page. A list is read whole, and
 * given in parts.
 */
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
  const rows = await db.run(between, { ...from, last });
  const { changes, isCut } = pageOf(rows, from.after);
  return { changes, isLast: !isCut && fitting === found.length && found.length < MOST };
}

/** The records behind a position, of rows that may be lists: as many as are read at a time. */
function pageOf(rows: readonly StoredChange[], after: number): { changes: StoredChange[]; isCut: boolean } {
  const changes: StoredChange[] = [];
  let bytes = 0;
  for (const row of rows) {
    for (const change of entriesOf(row)) {
      if (change.position <= after) continue;
      bytes += change.details.length;
      if (changes.length === MOST || (bytes > MOST_BYTES && changes.length > 0)) return { changes, isCut: true };
      changes.push(change);
    }
  }
  return { changes, isCut: false };
}

const floorOf = defineQuery((db, p: { organization: string }) =>
  db.selectFrom("change_floors").select("position").where("organization_id", "=", p.organization),
);

/** Up to which position the records of an organization are not kept any more; to be read after them. */
export async function readFloor(db: Reader, organization: string): Promise<number> {
  const [row] = await db.run(floorOf, { organization });
  return row?.position ?? 0;
}

import type { Reader, Transaction } from "../../storage/database.ts";
import { definePoint, defineQuery } from "../../storage/reads/query.ts";
import { contains } from "../../storage/reads/conditions.ts";
import { provenRows } from "../../storage/proofs/proofs.ts";
import type { PageRequest } from "../../lists/page.ts";
import { writeRecorder } from "../audited.ts";
import { recordsOf, type RecordOf } from "../kit/records.ts";
import { homeOf } from "../../rights/scope.ts";
import { fold } from "../../fold.ts";
import { sql, type SqlBool } from "kysely";
import { ordersOfNamed, type Sortable } from "../../lists/sorted.ts";
import { TABLES } from "../../storage/tables/tables.ts";

export type Partition = RecordOf<"partitions">;

const records = recordsOf<"partitions", Partition>("partitions");

const byName = definePoint("partitions.name", (db) => db.selectFrom("partitions").selectAll());

/** Finds a partition by its folded name. */
export async function findPartition(db: Reader, name: string): Promise<Partition | undefined> {
  const row = await db.point(byName, name);
  return row && records.of(row);
}

/** Partitions in order of their names, after that of the page. @param only the one to show; undefined for all */
export async function listPartitions(
  db: Reader,
  only: string | undefined,
  page: PageRequest & { size: number },
): Promise<Partition[]> {
  const rows = await db.sql
    .selectFrom("partitions")
    .selectAll()
    .where("name", ">", page.after)
    .$if(only !== undefined, (query) => query.where("name", "=", only ?? ""))
    .$if(page.search !== "", (query) => query.where(contains(db.engine, sql.ref("name"), fold(page.search))))
    .orderBy("name")
    .limit(page.size)
    .execute();
  return rows.map(records.of);
}

/** Partitions as `readSorted` and `countSorted` take them. @param only the one to show; undefined for all */
export function sortablePartitions(only: string | undefined): Sortable {
  return {
    table: "partitions",
    id: "name",
    key: "name",
    columns: Object.keys(TABLES.partitions),
    orders: ordersOfNamed("name"),
    search: ["name", "description"],
    where: only === undefined ? [] : [sql<SqlBool>`name = ${only}`],
    isOfSeveral: false,
  };
}

/** The partition of a row that was read. @throws StorageDamaged when it is not what was written */
export const partitionOf = (row: object): Partition => records.of(row);

/** Whether there are others than this one. */
export async function hasOtherPartitions(db: Reader, name: string): Promise<boolean> {
  const others = db.sql.selectFrom("partitions").select("name").where("name", "!=", name).limit(1);
  return (await others.execute()).length > 0;
}

const findCounter = definePoint("counters.name", (db) => db.selectFrom("counters").select("value"));
const insertCounter = defineQuery((db, p: { name: string }) =>
  db
    .insertInto("counters")
    .values({ name: p.name, value: 1, audit_seq: 0, audit_hash: "" })
    .onConflict((conflict) => conflict.doNothing()),
);

/**
 * Makes the counter of a partition where it is missing. It outlives the
 * partition, so that indexes never begin anew under the same name.
 */
export async function ensureCounter(tx: Transaction, partition: string): Promise<void> {
  const name = `partition/${partition}`;
  if ((await tx.point(findCounter, name)) === undefined) tx.write(insertCounter, { name });
}

const stored = provenRows("partitions");
const recordWrite = writeRecorder<Partition>("partitions", ({ name }) => homeOf(name));

export function insertPartition(tx: Transaction, partition: Partition): void {
  tx.adds({ kind: "partitions", place: "" });
  stored.insert(tx, records.rowOf(partition));
  recordWrite(tx, undefined, partition);
}

/** @param before as it is stored @param action where it is more than an update */
export function updatePartition(tx: Transaction, partition: Partition, before: Partition, action?: "delete"): void {
  stored.update(tx, records.rowOf(partition));
  recordWrite(tx, before, partition, action && { action });
}

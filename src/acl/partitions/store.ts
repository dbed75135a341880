import type { Reader, Transaction } from "../../storage/database.ts";
import { definePoint, defineQuery } from "../../storage/query.ts";
import { contains } from "../../storage/conditions.ts";
import { checkProof, provenRows, type Content } from "../../storage/proofs.ts";
import type { PartitionsTable } from "../../storage/tables.ts";
import type { PageRequest } from "../page.ts";
import { fold } from "../rules/fold.ts";
import { sql } from "kysely";

export interface Partition {
  name: string;
  description: string;
  disableGossip: boolean;
  /** When its deletion began, ISO 8601; empty before. */
  deletedAt: string;
  createIndex: number;
  modifyIndex: number;
}

function partitionOf(row: PartitionsTable): Partition {
  checkProof("partitions", row);
  return {
    name: row.name,
    description: row.description,
    disableGossip: row.disable_gossip === 1,
    deletedAt: row.deleted_at,
    createIndex: row.create_index,
    modifyIndex: row.modify_index,
  };
}

function rowOf(partition: Partition): Content<"partitions"> {
  return {
    name: partition.name,
    description: partition.description,
    disable_gossip: partition.disableGossip ? 1 : 0,
    deleted_at: partition.deletedAt,
    create_index: partition.createIndex,
    modify_index: partition.modifyIndex,
  };
}

const byName = definePoint("partitions.name", (db) => db.selectFrom("partitions").selectAll());

/** Finds a partition by its folded name. */
export async function findPartition(db: Reader, name: string): Promise<Partition | undefined> {
  const row = await db.point(byName, name);
  return row && partitionOf(row);
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
  return rows.map(partitionOf);
}

/** Whether there are others than this one. */
export async function hasOtherPartitions(db: Reader, name: string): Promise<boolean> {
  const others = db.sql.selectFrom("partitions").select("name").where("name", "!=", name).limit(1);
  return (await others.execute()).length > 0;
}

const findCounter = definePoint("counters.name", (db) => db.selectFrom("counters").select("value"));
const insertCounter = defineQuery((db, p: { name: string }) =>
  db
    .insertInto("counters")
    .values({ name: p.name, value: 1 })
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

const stored = provenRows("partitions", ["create_index"]);
const remove = defineQuery((db, p: { name: string }) => db.deleteFrom("partitions").where("name", "=", p.name));

export function insertPartition(tx: Transaction, partition: Partition): void {
  stored.insert(tx, rowOf(partition));
}

export function updatePartition(tx: Transaction, partition: Partition): void {
  stored.update(tx, rowOf(partition));
}

export function deletePartition(tx: Transaction, name: string): void {
  tx.write(remove, { name });
}

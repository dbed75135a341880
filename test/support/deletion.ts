/** Runs the background deletion of objects that are marked for it; tests start it when they need it. */
import { sql } from "kysely";
import { expect } from "vitest";
import { startDeletion, type DeletionProgress } from "../../src/acl/deletion/removal.ts";
import {
  listDeletedMethods,
  listMarkedNamespaces,
  listMarkedPartitions,
  SCOPED_TABLE_NAMES,
} from "../../src/acl/deletion/store.ts";
import type { Scope } from "../../src/rights/scope.ts";
import type { Database } from "../../src/storage/database.ts";
import { writePast } from "./proofs.ts";

/** The name of the lease that the work is done under. */
export const LEASE = "scope-deletion";

export interface Deleted {
  progress: DeletionProgress;
  /** Messages to the log, in order. */
  told: { message: string; details: object }[];
}

/** Lets the lease run out, as it does when the node that held it is gone. */
export async function expireLease(db: Database): Promise<void> {
  await writePast(db, { kind: "root" }, (tx) =>
    Promise.resolve(tx.write(tx.sql.updateTable("leases").set({ expires_at: 0 }).where("name", "=", LEASE))),
  );
}

/** Starts the work, waits until nothing is marked any more and no auth method has left anything, and stops it. */
export async function finishDeletion(db: Database): Promise<Deleted> {
  const told: Deleted["told"] = [];
  const errors: unknown[] = [];
  await expireLease(db);
  const deletion = startDeletion(db, {
    onProgress: (message, details) => told.push({ message, details }),
    onError: (error) => errors.push(error),
  });
  const marked = async () => [
    errors,
    ...(await listMarkedNamespaces(db)),
    ...(await listMarkedPartitions(db)),
    ...(await listDeletedMethods(db)),
  ];
  try {
    await expect.poll(marked, { interval: 5 }).toEqual([[]]);
  } finally {
    await deletion.stop();
  }
  return { progress: deletion.progress(), told };
}

/** Every table of the real schema that has a column of this name, in order; records of what was done outlive where it was. */
export async function tablesWith(db: Database, column: "namespace" | "partition"): Promise<string[]> {
  const query =
    db.engine === "sqlite"
      ? sql<{ name: string }>`select m.name from sqlite_master m join pragma_table_info(m.name) c
          where m.type = 'table' and c.name = ${column} and m.name <> 'audit_records' order by 1`
      : sql<{ name: string }>`select table_name as name from information_schema.columns
          where table_schema = current_schema() and column_name = ${column}
            and table_name <> 'audit_records' order by 1`;
  return (await query.execute(db.sql)).rows.map(({ name }) => name);
}

/** Result of `countsIn` for an empty namespace. */
export const NO_ROWS: Readonly<Record<string, number>> = Object.fromEntries(
  [...SCOPED_TABLE_NAMES, "table_indexes"].map((table) => [table, 0]),
);

/** How many rows lie in a namespace, by table of the real schema, with the indexes that are kept of its tables. */
export async function countsIn(db: Database, { partition, namespace }: Scope): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tablesWith(db, "namespace")) {
    const query = sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
      where partition = ${partition} and namespace = ${namespace}`;
    counts[table] = Number((await query.execute(db.sql)).rows[0]?.count);
  }
  const indexes = db.sql
    .selectFrom("table_indexes")
    .select("name")
    .where("name", "like", `${partition}/${namespace}/%`);
  counts["table_indexes"] = (await indexes.execute()).length;
  return counts;
}

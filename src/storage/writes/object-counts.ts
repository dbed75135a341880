/**
 * Numbers of objects in each place, which limits are checked against and which no write could count. The program keeps them: it
 * knows what it writes, and all writers of a place hold the counter of its partition.
 */
import { sql } from "kysely";
import { type Counted, KINDS } from "./counted.ts";
import type { EngineTransaction } from "../database.ts";
import { defineQuery } from "../reads/query.ts";

/** Tables whose rows are counted in each namespace. */
const IN_NAMESPACES = ["tokens", "policies", "roles", "auth_methods", "binding_rules"] as const;

/** Counts of all rows as they are, by the name of their row in `object_counts`. */
export const COUNT_ALL = [
  ...IN_NAMESPACES.map(
    (table) =>
      `select partition || '/' || namespace || '/${table}' as name, count(*) as value from ${table} group by partition, namespace`,
  ),
  "select partition || '/namespaces' as name, count(*) as value from namespaces group by partition",
].join(" union all ");

/** Statements that count everything anew, for a database that was filled from a file. */
export const RECOUNT = ["delete from object_counts", `insert into object_counts (name, value) ${COUNT_ALL}`] as const;

/** Name of the row that contains a number; undefined for kinds that have a column of their organization, or no number. */
export function countName({ kind, place }: Counted): string | undefined {
  const { of } = KINDS[kind];
  return of === "namespace" || of === "partition" ? `${place}/${kind}` : undefined;
}

/** Changes of a transaction to the numbers. */
export interface CountChanges {
  add(counted: Counted, by?: number): void;
  /** Adds the statements to the transaction. */
  write(tx: Pick<EngineTransaction, "write">): void;
}

/** Collects them: one statement for each number, however many objects change. */
export function collectCounts(): CountChanges {
  const changes = new Map<string, number>();
  return {
    add(counted, by = 1) {
      const name = countName(counted);
      if (name !== undefined) changes.set(name, (changes.get(name) ?? 0) + by);
    },
    write(tx) {
      for (const [name, by] of changes) {
        if (by > 0) tx.write(raise, { name, by });
        else if (by < 0) {
          tx.write(lower, { name, by: -by });
          tx.write(dropEmpty, { name });
        }
      }
    },
  };
}

const raise = defineQuery((db, p: { name: string; by: number }) =>
  db
    .insertInto("object_counts")
    .values({ name: p.name, value: p.by })
    .onConflict((row) => row.column("name").doUpdateSet({ value: sql`object_counts.value + excluded.value` })),
);
const lower = defineQuery((db, p: { name: string; by: number }) =>
  db
    .updateTable("object_counts")
    .set({ value: sql`value - ${p.by}` })
    .where("name", "=", p.name),
);
const dropEmpty = defineQuery((db, p: { name: string }) =>
  db.deleteFrom("object_counts").where("name", "=", p.name).where("value", "<=", 0),
);

/** Sets a number to what a count has found. */
export function correct(tx: Pick<EngineTransaction, "write">, name: string, counted: number): void {
  tx.write(set, { name, counted });
  tx.write(dropEmpty, { name });
}

const set = defineQuery((db, p: { name: string; counted: number }) =>
  db
    .insertInto("object_counts")
    .values({ name: p.name, value: p.counted })
    .onConflict((row) => row.column("name").doUpdateSet({ value: sql`excluded.value` })),
);

/** For tests that write rows past the application. */
import type { Counter } from "../../src/storage/writes/counters.ts";
import type { Database, Transaction } from "../../src/storage/database.ts";
import { digestOf, prove, PROVEN_TABLES, type RowContent, type ProvenTable } from "../../src/storage/proofs/proofs.ts";
import { keyOf } from "../../src/storage/tables/tables.ts";

/** Makes a transaction of which nothing is put on record. */
export function writePast(db: Database, counter: Counter, work: (tx: Transaction) => Promise<void>): Promise<void> {
  return db.inTransaction(counter, (tx) => {
    tx.unrecorded("a test");
    return work(tx);
  });
}

/** Gives every row the proof of what it holds now, as if the application had written it. */
export async function proveRows(db: Database): Promise<void> {
  for (const table of PROVEN_TABLES) {
    const wrong = (await rowsOf(db, table)).flatMap((row) => {
      const made = prove(table, row as never) as unknown as Row;
      return made["proof"] === row["proof"] && made["rules_digest"] === row["rules_digest"] ? [] : [made];
    });
    if (wrong.length === 0) continue;
    await writePast(db, { kind: "root" }, (tx) => {
      const key = keyOf(table);
      const columns = ["proof", ...(digestOf(table) === undefined ? [] : ["rules_digest"])];
      for (const row of wrong) {
        const made = Object.fromEntries(columns.map((column) => [column, row[column]]));
        tx.write(
          tx.sql
            .updateTable(table as "meta")
            .set(made)
            .where(key as "name", "=", String(row[key])),
        );
      }
      return Promise.resolve();
    });
  }
}

/** Rows of one transaction. */
const AT_ONCE = 250;

/** Inserts rows with their proofs, some hundred in a transaction. */
export async function insertProven<T extends ProvenTable>(
  db: Database,
  table: T,
  rows: readonly RowContent<T>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const proven = rows.slice(start, start + AT_ONCE).map((row) => prove(table, row));
    await writePast(db, { kind: "partition", name: "default" }, async (tx) =>
      tx.write(tx.sql.insertInto(table).values(proven as never)),
    );
  }
}

type Row = Readonly<Record<string, unknown>>;

function rowsOf(db: Database, table: ProvenTable): Promise<Row[]> {
  return db.long.sql
    .selectFrom(table as "meta")
    .selectAll()
    .execute();
}

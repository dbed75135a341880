import type { Reader, Transaction } from "../../storage/database.ts";
import { checkProof, provenRows } from "../../storage/proofs.ts";
import { defineQuery } from "../../storage/query.ts";

const findMeta = defineQuery((db, p: { name: string }) => db.selectFrom("meta").selectAll().where("name", "=", p.name));
const stored = provenRows("meta");
const deleteMeta = defineQuery((db, p: { name: string }) => db.deleteFrom("meta").where("name", "=", p.name));

async function readMeta(db: Reader, name: string): Promise<{ value: string } | undefined> {
  const [row] = await db.run(findMeta, { name });
  if (row !== undefined) checkProof("meta", row);
  return row;
}

/** The index at which a first management token was made; undefined while there was none. */
export function findBootstrapIndex(db: Reader): Promise<number | undefined> {
  return findIndex(db, "bootstrapped");
}

/** The same, also after a reset. */
export async function findLastBootstrapIndex(db: Reader): Promise<number | undefined> {
  return (await findIndex(db, "ever-bootstrapped")) ?? findBootstrapIndex(db);
}

async function findIndex(db: Reader, name: string): Promise<number | undefined> {
  const row = await readMeta(db, name);
  // Databases made before indexes were noted hold the time.
  return row === undefined ? undefined : /^\d+$/.test(row.value) ? Number(row.value) : 1;
}

export function markBootstrapped(tx: Transaction, index: number): void {
  stored.put(tx, { name: "bootstrapped", value: String(index) });
  stored.put(tx, { name: "ever-bootstrapped", value: String(index) });
}

/** Lets the server be bootstrapped once more. */
export function clearBootstrapped(tx: Transaction): void {
  tx.write(deleteMeta, { name: "bootstrapped" });
}

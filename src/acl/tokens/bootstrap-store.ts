import type { Reader, Transaction } from "../../storage/database.ts";
import { defineQuery } from "../../storage/query.ts";

const findMeta = defineQuery((db, p: { name: string }) =>
  db.selectFrom("meta").select("value").where("name", "=", p.name),
);
const insertMeta = defineQuery((db, p: { name: string; value: string }) =>
  db
    .insertInto("meta")
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: p.value })),
);
const deleteMeta = defineQuery((db, p: { name: string }) => db.deleteFrom("meta").where("name", "=", p.name));

/** The index at which a first management token was made; undefined while there was none. */
export async function findBootstrapIndex(db: Reader): Promise<number | undefined> {
  const [row] = await db.run(findMeta, { name: "bootstrapped" });
  // Databases made before indexes were noted hold the time.
  return row === undefined ? undefined : /^\d+$/.test(row.value) ? Number(row.value) : 1;
}

/** Whether there ever was a first management token, also before a reset. */
export async function wasEverBootstrapped(db: Reader): Promise<boolean> {
  const [ever] = await db.run(findMeta, { name: "ever-bootstrapped" });
  return ever !== undefined || (await findBootstrapIndex(db)) !== undefined;
}

export function markBootstrapped(tx: Transaction, index: number): void {
  tx.write(insertMeta, { name: "bootstrapped", value: String(index) });
  tx.write(insertMeta, { name: "ever-bootstrapped", value: String(index) });
}

/** Lets the server be bootstrapped once more. */
export function clearBootstrapped(tx: Transaction): void {
  tx.write(deleteMeta, { name: "bootstrapped" });
}

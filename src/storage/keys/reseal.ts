/**
 * Seals all sealed values again: an operator requests it, the servers do it (`resealing.ts`). Its state is a row of the
 * database: a server continues where another one has stopped.
 */
import type { EngineTransaction, OperatorDatabase, Reader } from "../database.ts";
import { defineQuery } from "../reads/query.ts";
import { StartError } from "../start-error.ts";
import type { Tables } from "../tables/tables.ts";
import { listMasters } from "./masters.ts";
import { nameOf, SEALED_COLUMNS } from "./sealed-columns.ts";
import { databaseSeconds } from "./users.ts";

export type Reseal = Tables["reseals"];

const ID = "reseal";

/** The column that a pass begins with. */
export const FIRST_COLUMN = SEALED_COLUMNS.map(nameOf)[0] ?? "";

/**
 * Retires all data keys, so that servers make others, and asks that what they have sealed is sealed anew.
 *
 * @returns how many data keys were retired
 * @throws StartError while the master key is being replaced, whose old one opens what is made meanwhile, and while the last
 * one goes on
 */
export function beginReseal(db: OperatorDatabase): Promise<number> {
  return db.inTransaction({ kind: "root" }, async (tx) => {
    const [masters, before, now] = await Promise.all([listMasters(tx), readReseal(tx), databaseSeconds(tx)]);
    if (masters.length > 1) {
      throw new StartError(
        "a master key rotation is running. Finish it first: otherwise the old master key can decrypt the new data keys",
      );
    }
    if (before?.state === "sealing")
      throw new StartError(`re-encryption is already running: ${describeReseal(before)}`);
    const keys = await tx.run(usable, {});
    tx.write(retire, { now: new Date(now * 1000).toISOString() });
    const times = { began_at: now, pass_began_at: now, ended_at: 0 };
    const counts = { pass: 1, found: 0, damaged: 0, seen: 0, resealed: 0 };
    const place = { column_name: FIRST_COLUMN, last_key: "" };
    putReseal(tx, { id: ID, number: (before?.number ?? 0) + 1, state: "sealing", ...times, ...counts, ...place });
    tx.record({
      partition: "default",
      kind: "data-keys",
      objectId: "",
      name: "",
      action: "reseal",
      detail: { retired: keys.length },
    });
    return keys.length;
  });
}

/** How far it is; undefined where it was never asked for. */
export async function readReseal(db: Reader): Promise<Reseal | undefined> {
  const [row] = await db.run(find, { id: ID });
  return row;
}

/** One line of how far it is. */
export function describeReseal({ state, pass, column_name, seen, resealed, damaged }: Reseal): string {
  const counts = `${resealed} re-encrypted, ${damaged} cannot be decrypted`;
  if (state === "done") {
    return `done after ${pass} passes, ${counts}${damaged > 0 ? ", and the old data keys are kept for them" : ""}`;
  }
  if (column_name === "")
    return `${counts}; waiting for pass ${pass + 1}; old data keys are deleted when they are no longer used`;
  return `pass ${pass} is at ${column_name} after ${seen} values, ${counts}`;
}

export function putReseal(tx: EngineTransaction, row: Reseal): void {
  tx.write(put, row);
}

/** IDs of the data keys that nothing may be sealed with any more. */
export async function listRetired(db: Reader): Promise<Set<string>> {
  return new Set((await db.run(retired, {})).map(({ id }) => id));
}

/** Takes them away. What they have sealed nobody opens any more. */
export function removeRetired(tx: EngineTransaction): void {
  tx.write(remove, {});
}

const find = defineQuery((sql, p: { id: string }) => sql.selectFrom("reseals").selectAll().where("id", "=", p.id));
const put = defineQuery((sql, p: Reseal) => {
  const { number, state, began_at, pass, pass_began_at, column_name, last_key } = p;
  const { found, damaged, seen, resealed, ended_at } = p;
  const counts = { found, damaged, seen, resealed, ended_at };
  const row = { number, state, began_at, pass, pass_began_at, column_name, last_key, ...counts };
  return sql
    .insertInto("reseals")
    .values({ id: p.id, ...row })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row));
});
const usable = defineQuery((sql, _: object) =>
  sql.selectFrom("data_keys").select("id").where("purpose", "=", "data").where("retired_at", "is", null),
);
const retire = defineQuery((sql, p: { now: string }) =>
  sql.updateTable("data_keys").set({ retired_at: p.now }).where("purpose", "=", "data").where("retired_at", "is", null),
);
const retired = defineQuery((sql, _: object) =>
  sql.selectFrom("data_keys").select("id").where("retired_at", "is not", null),
);
const remove = defineQuery((sql, _: object) =>
  sql.deleteFrom("data_keys").where("purpose", "=", "data").where("retired_at", "is not", null),
);

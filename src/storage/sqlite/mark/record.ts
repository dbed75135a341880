/** Puts on record that writes are lost. */
import type { Database } from "../../database.ts";
import { defineQuery } from "../../reads/query.ts";
import type { LostWrites } from "./refusals.ts";

/** More than was written in the time of which anything may be lost. */
const GAP = 2 ** 24;

/**
 * Puts it on record, and raises all indexes: a client that has seen one of what is lost must not see it again with another
 * content.
 *
 * @param db as the server has it
 */
export async function recordLostWrites(
  db: Pick<Database, "run" | "inTransaction">,
  { action, line, from, upTo }: LostWrites,
): Promise<void> {
  const [lookup] = await db.run(findLookup, {});
  await db.inTransaction({ kind: "root" }, async (tx) => {
    tx.write(raiseCounters, {});
    tx.write(raiseTables, {});
    tx.record({
      partition: "default",
      kind: "database",
      objectId: lookup?.id ?? "",
      name: "",
      action,
      detail: { reason: line, ...(from === undefined ? {} : { fromCommit: from, toCommit: upTo }) },
    });
  });
}

const findLookup = defineQuery((sql, _: object) =>
  sql.selectFrom("data_keys").select("id").where("purpose", "=", "lookup"),
);
const raiseCounters = defineQuery((sql, _: object) =>
  sql.updateTable("counters").set((eb) => ({ value: eb("value", "+", GAP) })),
);
const raiseTables = defineQuery((sql, _: object) =>
  sql.updateTable("table_indexes").set((eb) => ({ value: eb("value", "+", GAP) })),
);

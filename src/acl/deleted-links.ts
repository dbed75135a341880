/**
 * Tells links to what was deleted from links to what was lost. Objects are deleted while others link to them, and a
 * link to nothing counts for nothing (decision 12); but a policy may deny, so one that is missing and was never
 * deleted must not count for nothing.
 */
import { sql } from "kysely";
import { damaged } from "../storage/damaged-rows.ts";
import type { Reader, Transaction } from "../storage/database.ts";
import { defineQuery, oneOf } from "../storage/query.ts";
import { checkProof, shortColumns } from "../storage/proofs.ts";
import { runInSlices } from "../storage/slices.ts";
import { isIn, type Scope } from "./scope.ts";

/** The tables of what is linked to. */
export type LinkedTable = "policies" | "roles";

const insert = defineQuery((db, p: Scope & { id: string }) =>
  db
    .insertInto("deleted_links")
    .values({ id: p.id, partition: p.partition, namespace: p.namespace })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Notes that a policy or role is deleted, in the transaction that does it. */
export function noteDeletedLink(tx: Transaction, { partition, namespace }: Scope, id: string): void {
  tx.write(insert, { partition, namespace, id });
}

const noted = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db
    .selectFrom("deleted_links")
    .select("id")
    .where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** Rows of what is linked to, by their IDs, wherever they lie and without their long text. */
export const linkedRows = { policies: anywhere("policies"), roles: anywhere("roles") };

function anywhere(table: LinkedTable) {
  return defineQuery((db, p: { ids: readonly string[] }, engine) =>
    db
      .selectFrom(table)
      .select(shortColumns(table))
      .where(oneOf(engine, sql.ref("id"), p.ids)),
  );
}

/**
 * Checks that what is linked to and was not found was deleted, or lies elsewhere: then the link counts for nothing.
 *
 * @param found whether it was, by ID
 * @param scope where it was looked for, when that was in one scope alone: what lies there and was not found has lost its
 * place in an index, and is not elsewhere
 * @throws StorageDamaged when it was lost
 */
export async function checkMissing(
  db: Reader,
  table: LinkedTable,
  ids: readonly string[],
  found: { has(id: string): boolean },
  scope?: Scope,
): Promise<void> {
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return;
  const [deleted, others] = await Promise.all([
    runInSlices(db, noted, missing, (slice) => ({ ids: slice })),
    runInSlices(db, linkedRows[table], missing, (slice) => ({ ids: slice })),
  ]);
  for (const row of others) {
    checkProof(table, row);
    if (scope !== undefined && isIn(row, scope)) throw damaged({ table, key: row.id });
  }
  const known = new Set([...deleted, ...others].map(({ id }) => id));
  const lost = missing.find((id) => !known.has(id));
  if (lost !== undefined) throw damaged({ table, key: lost });
}

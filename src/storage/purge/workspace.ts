/**
 * Removes the rows that a deleted workspace leaves: the consumers of its state, and the workspaces whose state it
 * consumed. See `purge.ts`.
 */
import { sql } from "kysely";
import type { Transaction } from "../database.ts";
import { defineQuery, oneOf } from "../reads/query.ts";
import type { RemovedBatch } from "../operator/removal.ts";

/** Removes some of it. */
export async function purgeWorkspace(
  tx: Transaction,
  { target }: { target: string },
  limit: number,
): Promise<RemovedBatch> {
  const removed = await purgeConsumers(tx, target, limit);
  if (removed === limit) return { removed, isLast: false };
  const consumed = await tx.run(consumedBy, { workspace: target, limit });
  if (consumed.length > 0) {
    tx.write(deleteConsumed, { workspace: target, others: consumed.map((row) => row.workspace_id) });
  }
  return { removed: removed + consumed.length, isLast: consumed.length < limit };
}

/** @returns how many of the workspace's consumers were taken off it */
export async function purgeConsumers(tx: Transaction, workspace: string, limit: number): Promise<number> {
  const consumers = await tx.run(consumersOf, { workspace, limit });
  if (consumers.length > 0) {
    tx.write(deleteConsumers, { workspace, others: consumers.map((row) => row.consumer_id) });
  }
  return consumers.length;
}

const consumersOf = defineQuery((db, p: { workspace: string; limit: number }) =>
  db
    .selectFrom("state_consumers")
    .select("consumer_id")
    .where("workspace_id", "=", p.workspace)
    .orderBy("consumer_id")
    .limit(p.limit),
);
const deleteConsumers = defineQuery((db, p: { workspace: string; others: string[] }, engine) =>
  db
    .deleteFrom("state_consumers")
    .where("workspace_id", "=", p.workspace)
    .where(oneOf(engine, sql.ref("consumer_id"), p.others)),
);
const consumedBy = defineQuery((db, p: { workspace: string; limit: number }) =>
  db
    .selectFrom("state_consumers")
    .select("workspace_id")
    .where("consumer_id", "=", p.workspace)
    .orderBy("workspace_id")
    .limit(p.limit),
);
const deleteConsumed = defineQuery((db, p: { workspace: string; others: string[] }, engine) =>
  db
    .deleteFrom("state_consumers")
    .where("consumer_id", "=", p.workspace)
    .where(oneOf(engine, sql.ref("workspace_id"), p.others)),
);

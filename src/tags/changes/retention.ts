/**
 * How long records are kept: so long may a stream or a webhook be away, and a job be undone. What is older is removed in the
 * background, and how far that went is noted with it, so that nobody takes a gap for silence.
 */
import { sql } from "kysely";
import type { Database } from "../../storage/database.ts";
import type { Lease } from "../../storage/feed/lease.ts";
import { defineQuery } from "../../storage/reads/query.ts";
import type { RemovedBatch, Removal } from "../../storage/operator/removal.ts";

export const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

/** Each batch goes along one index, at its beginning: its rows lie together. */
const ROWS = { least: 50, most: 400 };
const EVERY_MS = 30_000;

/** Records that are too old. @param now milliseconds since the epoch */
export function oldChanges(db: Database, now: () => number): Removal {
  const before = () => new Date(now() - RETENTION_MS).toISOString();
  return {
    lease: "old-changes",
    rows: ROWS,
    everyMs: EVERY_MS,
    async jobs() {
      const found = await db.run(oldest, { before: before(), limit: 1 });
      return found.map(() => ({ remove: (lease, limit) => removeOld(db, lease, before(), limit) }));
    },
  };
}

/**
 * Removes the records of each organization up to the last one that is too old. Positions follow commits, and times
 * follow the clocks of servers: a removed record may be younger by the difference of these clocks.
 */
async function removeOld(db: Database, lease: Lease, before: string, limit: number): Promise<RemovedBatch> {
  let began = 0;
  const removed = await db.inTransaction(lease, async (tx) => {
    began = performance.now();
    tx.unrecorded("an object whose retention has ended");
    const found = await tx.run(oldest, { before, limit });
    for (const [organization, rows] of Map.groupBy(found, (row) => row.organization)) {
      const last = Math.max(...rows.map(({ position }) => position));
      tx.write(removeUpTo, { organization, last });
      tx.write(raiseFloor, { organization, last });
    }
    return found.length;
  });
  return { removed, isLast: removed < limit, milliseconds: performance.now() - began };
}

const oldest = defineQuery((db, p: { before: string; limit: number }) =>
  db
    .selectFrom("changes")
    .select(["organization_id as organization", "position"])
    .where("at", "<", p.before)
    .orderBy("at")
    .limit(p.limit),
);

const removeUpTo = defineQuery((db, p: { organization: string; last: number }) =>
  db.deleteFrom("changes").where("organization_id", "=", p.organization).where("position", "<=", p.last),
);

/** Raises the floor of an organization; a deleted organization has none. */
const raiseFloor = defineQuery((db, p: { organization: string; last: number }) =>
  db
    .insertInto("change_floors")
    .columns(["organization_id", "position"])
    .expression((eb) =>
      eb
        .selectFrom("organizations")
        .select(["id as organization_id", sql<number>`cast(${p.last} as bigint)`.as("position")])
        .where("id", "=", p.organization),
    )
    .onConflict((oc) => oc.column("organization_id").doUpdateSet((eb) => ({ position: eb.ref("excluded.position") }))),
);

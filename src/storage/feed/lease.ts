import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { missingCounter, type Counter } from "../writes/counters.ts";
import type { Database, Reader } from "../database.ts";
import type { Engine } from "../engine.ts";
import { defineQuery } from "../reads/query.ts";

/** A lease that this process holds; give it to `inTransaction`, which checks it. */
export type Lease = Extract<Counter, { kind: "lease" }>;

/** How long a lease lasts without being renewed, in seconds by the database's clock. */
export const LEASE_SECONDS = 6;

/**
 * Takes or renews a lease: a row that says which node does a work that only one may do. Its fence grows each time it
 * changes hands, so that a node which was paused and wakes up finds that its batches are refused.
 *
 * @param holder this process, as made by `newHolder`
 * @returns undefined while another node holds it
 */
export async function takeLease(
  db: Pick<Database, "engine" | "run" | "inTransaction">,
  name: string,
  holder: string,
): Promise<Lease | undefined> {
  await db.inTransaction({ kind: "root" }, async (tx) => {
    tx.unrecorded("who does a work that only one may do");
    const [row] = await tx.run(findLease, { name });
    const [clock] = await tx.run(readClock, {});
    const now = clock?.now ?? 0;
    if (row === undefined) tx.write(insertLease, { name, holder, expiresAt: now + LEASE_SECONDS });
    else if (row.holder === holder) tx.write(extendLease, { name, expiresAt: now + LEASE_SECONDS });
    else if (row.expires_at < now || row.expires_at > now + LEASE_SECONDS || db.engine === "sqlite") {
      // Beyond its time, or further off than a lease lasts: the clock has gone back, as by a fail-over to a machine that is behind.
      tx.write(moveLease, { name, holder, expiresAt: now + LEASE_SECONDS });
    }
  });
  const [row] = await db.run(findLease, { name });
  return row?.holder === holder ? { kind: "lease", name, holder, fence: row.fence } : undefined;
}

/**
 * For a transaction that is not the lease's own: whether the lease is still held.
 *
 * @throws AppError `conflict` when it has changed hands
 */
export async function checkLease(tx: Reader, { name, holder, fence }: Lease): Promise<void> {
  const [row] = await tx.run(findLease, { name });
  if (row?.holder !== holder || row.fence !== fence) throw missingCounter({ kind: "lease", name, holder, fence });
}

/** A name for this process that no other has had. */
export function newHolder(): string {
  return randomUUID();
}

/** Seconds since the epoch by the clock of the database. */
export const readClock = defineQuery((db, _: object, engine: Engine) =>
  db.selectNoFrom(
    (engine === "postgres" ? sql<number>`extract(epoch from clock_timestamp())::bigint` : sql<number>`unixepoch()`).as(
      "now",
    ),
  ),
);
const findLease = defineQuery((db, p: { name: string }) =>
  db.selectFrom("leases").select(["holder", "fence", "expires_at"]).where("name", "=", p.name),
);
const insertLease = defineQuery((db, p: { name: string; holder: string; expiresAt: number }) =>
  db.insertInto("leases").values({ name: p.name, holder: p.holder, fence: 1, expires_at: p.expiresAt }),
);
/** For its holder. */
export const extendLease = defineQuery((db, p: { name: string; expiresAt: number }) =>
  db.updateTable("leases").set({ expires_at: p.expiresAt }).where("name", "=", p.name),
);
const moveLease = defineQuery((db, p: { name: string; holder: string; expiresAt: number }) =>
  db
    .updateTable("leases")
    .set((eb) => ({ holder: p.holder, expires_at: p.expiresAt, fence: eb("fence", "+", 1) }))
    .where("name", "=", p.name),
);

/** Removal of rows that were not used for longer than the ledger is kept, in slices. */
import type { Database } from "../storage/database.ts";
import { slices } from "../storage/purge/slices.ts";
import type { Removal, RemovalJob } from "../storage/operator/removal.ts";
import { dayOf, LEASES } from "./flush.ts";
import { listOld, listOldServers, removeGaps, removeLeases, removeRows, removeServers } from "./store.ts";

/** Days after which a server that wrote nothing is forgotten. */
const SERVER_DAYS = 3;
const DAY_MS = 24 * 60 * 60 * 1000;

/** @param keepMs how long rows are kept, in milliseconds; 0 keeps them @param now milliseconds since the epoch */
export function oldUses(db: Database, keepMs: number, now: () => number): Removal {
  const before = (): number => (keepMs === 0 ? 0 : dayOf(now()) - Math.ceil(keepMs / DAY_MS));
  const forgotten = (): number => dayOf(now()) - SERVER_DAYS;
  const rows: RemovalJob = {
    async remove(lease, limit) {
      const old = await db.run(listOld, { before: before(), limit });
      if (old.length === 0) return { removed: 0, isLast: true };
      let began = 0;
      await db.inTransaction(lease, async (tx) => {
        began = performance.now();
        tx.unrecorded("uses that are too old");
        const ids = old.map(({ id }) => id);
        for (const slice of slices(tx, ids)) tx.write(removeRows, { ids: slice, before: before() });
        tx.write(removeGaps, { before: before() });
      });
      return { removed: old.length, isLast: false, milliseconds: performance.now() - began };
    },
  };
  const servers: RemovalJob = {
    async remove(lease, limit) {
      const old = await db.run(listOldServers, { before: forgotten(), limit });
      if (old.length === 0) return { removed: 0, isLast: true };
      await db.inTransaction(lease, async (tx) => {
        tx.unrecorded("servers that no longer write uses");
        const names = old.map(({ server }) => server);
        tx.write(removeServers, { servers: names });
        tx.write(removeLeases, { names: names.map((name) => LEASES + name) });
      });
      return { removed: old.length, isLast: false };
    },
  };
  return {
    lease: "old-uses",
    rows: { least: 10, most: 200 },
    everyMs: 60_000,
    async jobs() {
      const [old, idle] = await Promise.all([
        db.run(listOld, { before: before(), limit: 1 }),
        db.run(listOldServers, { before: forgotten(), limit: 1 }),
      ]);
      return [...(old.length > 0 ? [rows] : []), ...(idle.length > 0 ? [servers] : [])];
    },
  };
}

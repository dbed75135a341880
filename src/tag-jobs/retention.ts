/** How long jobs are kept when they have ended: for as long as what they have changed can be taken back. */
import type { Database } from "../storage/database.ts";
import type { Removal } from "../storage/removal.ts";
import { deleteJobs, findOldJobs } from "./store.ts";

const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const EVERY_MS = 30_000;

/** Jobs that ended too long ago. @param now milliseconds since the epoch */
export function oldJobs(db: Database, now: () => number): Removal {
  const before = () => new Date(now() - KEPT_MS).toISOString();
  return {
    lease: "old-tag-jobs",
    rows: { least: 25, most: 25 },
    everyMs: EVERY_MS,
    async jobs() {
      const isAny = (await findOldJobs(db, before(), 1)).length > 0;
      if (!isAny) return [];
      return [
        {
          remove: (lease, limit) =>
            db.inTransaction(lease, async (tx) => {
              const ids = await findOldJobs(tx, before(), limit);
              deleteJobs(tx, ids);
              return { removed: ids.length, isLast: ids.length < limit };
            }),
        },
      ];
    },
  };
}

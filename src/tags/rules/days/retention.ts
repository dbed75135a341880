/** How long the coverage of required keys by day is kept. */
import type { Database } from "../../../storage/database.ts";
import type { Removal } from "../../../storage/operator/removal.ts";
import { dayOf } from "./day.ts";
import { oldestDays, removeDay } from "./store.ts";

/** Days that are kept, with the day that is not over. */
export const KEPT_DAYS = 90;

const ROWS = { least: 50, most: 400 };
const EVERY_MS = 60_000;

/** Coverage that is too old. @param now milliseconds since the epoch */
export function oldCoverage(db: Database, now: () => number): Removal {
  const before = () => dayOf(now()) - KEPT_DAYS + 1;
  return {
    lease: "old-coverage",
    rows: ROWS,
    everyMs: EVERY_MS,
    async jobs() {
      const found = await db.run(oldestDays, { before: before(), limit: 1 });
      return found.map(() => ({
        async remove(lease, limit) {
          let began = 0;
          const removed = await db.inTransaction(lease, async (tx) => {
            began = performance.now();
            tx.unrecorded("numbers that are too old");
            const old = await tx.run(oldestDays, { before: before(), limit });
            for (const each of old) tx.write(removeDay, each);
            return old.length;
          });
          return { removed, isLast: removed < limit, milliseconds: performance.now() - began };
        },
      }));
    },
  };
}

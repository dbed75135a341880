/** Sessions whose time is over. One is unknown at once to all who look it up; this only takes its row away. */
import type { Database } from "../../storage/database.ts";
import type { RemovedBatch, Removal } from "../../storage/operator/removal.ts";
import { isIn } from "../../rights/scope.ts";
import { changeRegardless } from "../kit/write.ts";
import { ABSOLUTE_MS, IDLE_MS, NOTE_EVERY_MS } from "./life.ts";
import { removeAll } from "./service.ts";
import { listOverdue } from "./store.ts";

const EVERY_MS = 10_000;

/** @param now milliseconds since the epoch */
export function overdueSessions(db: Database, now: () => number): Removal {
  // A use is written a moment later.
  const bounds = () => ({ idleSince: now() - IDLE_MS - 2 * NOTE_EVERY_MS, begunBefore: now() - ABSOLUTE_MS });
  return {
    lease: "console-sessions",
    rows: { least: 25, most: 25 },
    everyMs: EVERY_MS,
    async jobs() {
      const isAny = (await listOverdue(db, bounds(), 1)).length > 0;
      return isAny ? [{ remove: (_lease, limit) => removeBatch(limit) }] : [];
    },
  };

  /** The partition's own counter guards it and not the lease: what is removed is chosen inside, and stays over. */
  async function removeBatch(limit: number): Promise<RemovedBatch> {
    const [first] = await listOverdue(db, bounds(), 1);
    if (first === undefined) return { removed: 0, isLast: true };
    const { scope } = first;
    return changeRegardless({ db }, scope, async (tx, change) => {
      const here = (await listOverdue(tx, bounds(), limit)).filter((each) => isIn(each.scope, scope));
      removeAll(tx, change, scope, here, "expire");
      return { removed: here.length, isLast: here.length === 0 };
    });
  }
}

/**
 * How long jobs are kept: when they have ended, for as long as what they have changed can be taken back; and when they are
 * paused, for as long as somebody may have meant to go on with them.
 */
import type { Database, Transaction } from "../../storage/database.ts";
import { checkLease, type Lease } from "../../storage/feed/lease.ts";
import type { Removal, RemovalJob } from "../../storage/operator/removal.ts";
import { ended } from "./engine.ts";
import { deleteJobs, findForgotten, findJob, findOldJobs, updateJob } from "./store.ts";

const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const EVERY_MS = 30_000;
/** Paused jobs that are looked at at a time. */
const AT_A_TIME = 100;

/** Jobs that ended or were paused too long ago. @param now milliseconds since the epoch */
export function oldJobs(db: Database, now: () => number): Removal {
  const before = () => new Date(now() - KEPT_MS).toISOString();

  const removal: RemovalJob = {
    remove: (lease, limit) =>
      db.inTransaction(lease, async (tx) => {
        tx.unrecorded("an object whose retention has ended");
        const ids = await findOldJobs(tx, before(), limit);
        deleteJobs(tx, ids);
        return { removed: ids.length, isLast: ids.length < limit };
      }),
  };

  function cancellation({ id, organizationId }: { id: string; organizationId: string }): RemovalJob {
    return {
      async remove(lease) {
        const removed = await db.inTransaction({ kind: "organization", id: organizationId }, (tx) =>
          cancel(tx, lease, id),
        );
        return { removed, isLast: true };
      },
    };
  }

  /** @returns how many that were; it may have gone on meanwhile */
  async function cancel(tx: Transaction, lease: Lease, id: string): Promise<number> {
    const [job] = await Promise.all([findJob(tx, id), checkLease(tx, lease)]);
    if (job?.status !== "paused" || job.updatedAt >= before()) return 0;
    tx.unrecorded("how far a job is");
    updateJob(tx, ended(job, "cancelled", now(), "The job was paused for 7 days"));
    return 1;
  }

  return {
    lease: "old-tag-jobs",
    rows: { least: 25, most: 25 },
    everyMs: EVERY_MS,
    async jobs() {
      const [old, forgotten] = await Promise.all([
        findOldJobs(db, before(), 1),
        findForgotten(db, before(), AT_A_TIME),
      ]);
      return [...(old.length > 0 ? [removal] : []), ...forgotten.map(cancellation)];
    },
  };
}

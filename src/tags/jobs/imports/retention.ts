/** How long files are kept: no longer than the job that takes them over is under way. */
import type { Database, Transaction } from "../../../storage/database.ts";
import { checkLease } from "../../../storage/feed/lease.ts";
import type { Removal } from "../../../storage/operator/removal.ts";
import { AppError } from "../../../errors.ts";
import { deleteSome, findSuperfluous } from "./store.ts";

/**
 * Time without a note after which a file has been cut off with its server: while a file is received or shown, a note is
 * written every few seconds.
 */
const SILENT_MS = 120_000;
const EVERY_MS = 10_000;
/** Files that are looked at at a time. */
const AT_A_TIME = 100;

/** Files that nobody needs any more. @param now milliseconds since the epoch */
export function oldImports(db: Database, now: () => number): Removal {
  return {
    lease: "old-tag-imports",
    rows: { least: 25, most: 500 },
    everyMs: EVERY_MS,
    async jobs() {
      const before = new Date(now() - SILENT_MS).toISOString();
      const found = await findSuperfluous(db, before, AT_A_TIME);
      return found.map(({ id, organizationId }) => ({
        async remove(lease, limit) {
          const began = performance.now();
          // In turn with who still adds to it, as long as there can be anybody.
          const removed = await db
            .inTransaction({ kind: "organization", id: organizationId }, async (tx) => {
              await checkLease(tx, lease);
              return deleteOld(tx, id, limit);
            })
            .catch((error: unknown) => {
              if (!(error instanceof AppError) || error.code !== "not_found") throw error;
              return db.inTransaction(lease, (tx) => deleteOld(tx, id, limit));
            });
          return { removed, isLast: removed < limit, milliseconds: performance.now() - began };
        },
      }));
    },
  };
}

function deleteOld(tx: Transaction, id: string, limit: number): Promise<number> {
  tx.unrecorded("parts of an abandoned import file");
  return deleteSome(tx, id, limit);
}

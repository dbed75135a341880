/**
 * Tokens whose time has come. An expired token is unknown at once to all who
 * look it up; this only takes its row away.
 */
import type { Database } from "../../storage/database.ts";
import type { RemovedBatch, Removal } from "../../storage/operator/removal.ts";
import { TOKENS } from "../../rights/kinds.ts";
import { isIn } from "../../rights/scope.ts";
import { changeRegardless } from "../kit/write.ts";
import { writeTokens, listExpiredTokens } from "./store.ts";

/** @param now milliseconds since the epoch */
export function expiredTokens(db: Database, now: () => number): Removal {
  return {
    lease: "token-expiry",
    rows: { least: 50, most: 50 },
    async jobs() {
      const isAny = (await listExpiredTokens(db, now(), 1)).length > 0;
      return isAny ? [{ remove: (_lease, limit) => removeBatch(db, now(), limit) }] : [];
    },
  };
}

/**
 * The partition's own counter guards the batch and not the lease: what it removes is chosen inside and stays expired,
 * so a node that was paused and wakes up does no harm.
 */
async function removeBatch(db: Database, now: number, limit: number): Promise<RemovedBatch> {
  const [first] = await listExpiredTokens(db, now, 1);
  if (first === undefined) return { removed: 0, isLast: true };
  const { scope } = first;
  return changeRegardless({ db }, scope, async (tx, change) => {
    const expired = await listExpiredTokens(tx, now, limit);
    const here = expired.filter((token) => isIn(token.scope, scope));
    writeTokens.remove(tx, here, { action: "expire" });
    for (const { accessorId } of here) change(TOKENS, accessorId);
    return { removed: here.length, isLast: false };
  });
}

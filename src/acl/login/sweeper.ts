/** Removes what was noted for a time that is over: keys of repeated requests, and used states of logins. Neither counts any more. */
import { sql } from "kysely";
import { startBackground, type Background } from "../../storage/background.ts";
import type { Database } from "../../storage/database.ts";
import { newHolder, takeLease } from "../../storage/lease.ts";
import { defineQuery, oneOf } from "../../storage/query.ts";

const LEASE = "login-notes";
/** Rows that one transaction removes. */
const BATCH = 50;
const EVERY_MS = 10_000;

type Table = "idempotency_keys" | "used_login_states";

function expiring(table: Table) {
  return {
    find: defineQuery((db, p: { now: number; limit: number }) =>
      db.selectFrom(table).select("id").where("expires_at", "<=", p.now).orderBy("expires_at").limit(p.limit),
    ),
    // A key may have been used anew since.
    remove: defineQuery((db, p: { ids: readonly string[]; now: number }, engine) =>
      db
        .deleteFrom(table)
        .where(oneOf(engine, sql.ref("id"), p.ids))
        .where("expires_at", "<=", p.now),
    ),
  };
}

const EXPIRING = [expiring("idempotency_keys"), expiring("used_login_states")];

/**
 * Starts the work, which one node does at a time.
 *
 * @param now milliseconds since the epoch
 * @param onError told of a failure; the work is tried again
 */
export function startSweeper(db: Database, now: () => number, onError: (error: unknown) => void): Background {
  const holder = newHolder();
  let last = -Infinity;

  async function work(signal: AbortSignal): Promise<void> {
    if (performance.now() - last < EVERY_MS) return;
    last = performance.now();
    for (const table of EXPIRING) {
      while (!signal.aborted) {
        const rows = await db.run(table.find, { now: now(), limit: BATCH });
        const lease = rows.length === 0 ? undefined : await takeLease(db, LEASE, holder);
        if (lease === undefined) break;
        const ids = rows.map(({ id }) => id);
        await db.inTransaction(lease, (tx) => Promise.resolve(tx.write(table.remove, { ids, now: now() })));
      }
    }
  }

  return startBackground(work, onError);
}

/**
 * Removes notes whose time is over: keys of repeated requests, and used states of logins. Neither is valid any longer.
 */
import { sql } from "kysely";
import type { Database } from "../../storage/database.ts";
import { defineQuery, oneOf } from "../../storage/reads/query.ts";
import type { Removal, RemovalJob } from "../../storage/operator/removal.ts";

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

/** @param now milliseconds since the epoch */
export function oldNotes(db: Database, now: () => number): Removal {
  const jobs = EXPIRING.map(({ find, remove }): RemovalJob => ({
    async remove(lease, limit) {
      const rows = await db.run(find, { now: now(), limit });
      if (rows.length === 0) return { removed: 0, isLast: true };
      const ids = rows.map(({ id }) => id);
      await db.inTransaction(lease, async (tx) => {
        tx.unrecorded("notes that had an end");
        tx.write(remove, { ids, now: now() });
      });
      return { removed: ids.length, isLast: false };
    },
  }));
  return {
    lease: "login-notes",
    rows: { least: 50, most: 50 },
    everyMs: 10_000,
    async jobs() {
      const found = await Promise.all(EXPIRING.map(({ find }) => db.run(find, { now: now(), limit: 1 })));
      return jobs.filter((_, index) => found[index]?.length === 1);
    },
  };
}

/** A process that stands still while PostgreSQL goes on, as on a machine that is busy or was suspended. */
import { execFileSync } from "node:child_process";
import { sql } from "kysely";
import type { Transaction } from "../../src/storage/database.ts";

/** Ends when a session is over: by then its last words have been sent. */
const WATCH = `
  import pg from "pg";
  const client = new pg.Client({ connectionString: process.env.URL });
  await client.connect();
  const isThere = async () => (await client.query("select from pg_stat_activity where pid = $1", [process.env.PID])).rowCount;
  while (await isThere()) await new Promise((resolve) => setTimeout(resolve, 10));
  await client.end();
`;

/** The session of PostgreSQL that a transaction works in; everything that was asked before has been answered then. */
export async function sessionOf(tx: Transaction): Promise<number> {
  const { pid } = await tx.sql.selectNoFrom(sql<number>`pg_backend_pid()`.as("pid")).executeTakeFirstOrThrow();
  return pid;
}

/** Lets the database end this transaction as soon as nothing is asked in it for a moment. */
export async function expireSoon(tx: Transaction): Promise<void> {
  const limit = sql`set_config('idle_in_transaction_session_timeout', '50ms', true)`;
  await tx.sql.selectNoFrom(limit.as("set")).execute();
}

/** Stops this process, its event loop too, until the database has ended a session; nothing that it sent is read before. */
export function standStillUntilEnded(url: string, pid: number): void {
  execFileSync(process.execPath, ["--input-type=module", "-e", WATCH], {
    env: { ...process.env, URL: url, PID: String(pid) },
    timeout: 60_000,
  });
}

/** A PostgreSQL database while it is moved, whether or not servers use it. */
import type pg from "pg";
import { fence, GUARDED, markerOf } from "../operator/moved.ts";
import { CUTOVER_SECONDS, isServed, startTime, type MovingOptions, type MovingSource } from "../operator/moving.ts";
import { checkSchema, selectRows } from "../operator/snapshot.ts";
import { StartError } from "../start-error.ts";
import { connectedServers } from "./finish-upgrade.ts";
import { reasonOf } from "./hosts.ts";
import { createServers } from "./servers.ts";
import { readMigrations, rowsOf } from "./snapshot.ts";
import { connectForLong, PLAIN_TYPES } from "./whole-database.ts";

/** Writes that are under way come to their end in less. */
const LOCK_WAIT = "15s";

/**
 * Locks the tables in which every write begins, and keeps them: servers' writes wait for them, and are refused after a while.
 * Its snapshot is taken when it has the locks, so that all is in it that was acknowledged. The locks go with the session.
 *
 * @throws StartError when there is no database that this version knows, or servers use it and `cutover` is not given
 */
export async function openPostgresMoving(url: string, options: MovingOptions): Promise<MovingSource> {
  let client: pg.Client | undefined;
  try {
    client = await connectForLong(createServers(url), "write");
    // Told by the statement that fails, too.
    client.on("error", () => undefined);
    await client.query("set synchronous_commit = on");
    if (options.cutover) {
      // A process that is stopped must not keep everybody waiting.
      await client.query(`set idle_in_transaction_session_timeout = '${CUTOVER_SECONDS}s'`);
    }
    const migrations = await readMigrations(client);
    checkSchema(migrations);
    await client.query(`set lock_timeout = '${LOCK_WAIT}'`);
    await client.query("begin isolation level repeatable read");
    await client.query(`lock table ${GUARDED.join(", ")} in share row exclusive mode`);
    const checkTime = startTime(options);
    if (!options.cutover) await refuseServed(url);
    return await assemble(client, migrations, checkTime);
  } catch (error) {
    await client?.end().catch(() => undefined);
    throw told(error);
  }
}

async function refuseServed(url: string): Promise<void> {
  const servers = await connectedServers(url);
  if (servers.length > 0) throw isServed(servers.sort().join(", "));
}

async function assemble(
  client: pg.Client,
  migrations: readonly string[],
  checkTime: () => void,
): Promise<MovingSource> {
  const clock = `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`;
  const { rows } = await client.query<{ now: string }>(clock);
  return {
    engine: "postgres",
    takenAt: rows[0]?.now ?? "",
    migrations,
    rows: (table, columns, key) => rowsOf(client, selectRows(table, columns, key)),
    async count(table) {
      const text = `select count(*) as count from ${table}`;
      const answer = await client.query<{ count: number }>({ text, types: PLAIN_TYPES });
      return answer.rows[0]?.count ?? 0;
    },
    checkTime,
    async leave(to) {
      try {
        const { columns, values } = markerOf(to);
        const marks = columns.map((_, index) => `$${index + 1}`).join(", ");
        await client.query(`insert into meta (${columns.join(", ")}) values (${marks})`, values);
        for (const statement of fence("postgres")) await client.query(statement);
        const { command } = await client.query("commit");
        if (command !== "COMMIT")
          throw new StartError("PostgreSQL rolled back the transaction. Check its log and retry");
      } catch (error) {
        throw told(error);
      }
    },
    close: () => client.end(),
  };
}

function told(error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`cannot use PostgreSQL: ${reasonOf(error)}. Check that it is running, and check its log`, {
    cause: error,
  });
}

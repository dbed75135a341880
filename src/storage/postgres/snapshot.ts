/** A PostgreSQL database as it was at one moment. */
import type pg from "pg";
import { checkSchema, ROWS_AT_A_TIME, selectRows, type Snapshot, type SnapshotRow } from "../operator/snapshot.ts";
import { StartError } from "../start-error.ts";
import { reasonOf } from "./hosts.ts";
import { createServers } from "./servers.ts";
import { connectForLong, PLAIN_TYPES } from "./whole-database.ts";

/**
 * Opens one transaction that sees what was committed before it and nothing else. It takes no lock that a server waits for.
 *
 * @throws StartError when there is no database that this version knows
 */
export async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  let client: pg.Client | undefined;
  try {
    client = await connectForLong(createServers(url), "read");
    const clock = `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`;
    const { rows } = await client.query<{ now: string }>(clock);
    await client.query("begin isolation level repeatable read, read only");
    const opened = client;
    const migrations = await readMigrations(opened);
    checkSchema(migrations);
    return {
      engine: "postgres",
      takenAt: rows[0]?.now ?? "",
      migrations,
      rows: (table, columns, key) => rowsOf(opened, selectRows(table, columns, key)),
      close: () => opened.end(),
    };
  } catch (error) {
    await client?.end().catch(() => undefined);
    throw told(error);
  }
}

function told(error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`cannot read PostgreSQL: ${reasonOf(error)}. Check --database and that the server is running`, {
    cause: error,
  });
}

/** Returns the names of the migrations that the database has; none where there is no database. */
export async function readMigrations(client: pg.Client): Promise<string[]> {
  // Its own: a schema further on in the search path may be another installation's.
  const own = "select to_regclass(quote_ident(current_schema()) || '.schema_migrations') is not null as made";
  if ((await client.query<{ made: boolean }>(own)).rows[0]?.made !== true) return [];
  const { rows } = await client.query<{ name: string }>("select name from schema_migrations");
  return rows.map(({ name }) => name).sort();
}

/** The rows of a statement, a bounded number at a time; within a transaction. */
export async function* rowsOf(client: pg.Client, sql: string): AsyncGenerator<SnapshotRow[]> {
  try {
    await client.query(`declare backup_rows no scroll cursor for ${sql}`);
    const fetch = () => {
      const text = `fetch ${ROWS_AT_A_TIME} from backup_rows`;
      const answer = client.query<(string | number | null)[]>({ text, rowMode: "array", types: PLAIN_TYPES });
      // A consumer that stops in the middle does not wait for this answer.
      answer.catch(() => undefined);
      return answer;
    };
    // The server reads on while these are written.
    for (let next = fetch(); ;) {
      const { rows } = await next;
      if (rows.length === 0) break;
      next = fetch();
      yield rows;
    }
    await client.query("close backup_rows");
  } catch (error) {
    throw told(error);
  }
}

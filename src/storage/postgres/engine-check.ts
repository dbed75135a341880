/** Checks the database engine at the other end, and reports the missing features that a server can do without. */
import pg from "pg";
import { StartError } from "../start-error.ts";
import type { PostgresConnection } from "./connection.ts";

/** The oldest that is tested, as PostgreSQL writes it. */
const OLDEST = 140_000;

/** Other products with PostgreSQL's protocol, by the text of their version. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  CockroachDB: /cockroach/i,
  YugabyteDB: /-YB-|yugabyte/i,
  Materialize: /materialize/i,
  "Amazon Redshift": /redshift/i,
};

interface Lacks {
  /** Whether one of several servers is to be the primary. */
  hasSeveral: boolean;
  onWarning: (message: string) => void;
}

/**
 * Says what the database is, before anything of it is changed.
 *
 * @throws StartError when it is a PostgreSQL that is too old
 */
export async function checkVersion(client: Pick<pg.Client, "query">): Promise<void> {
  const { rows } = await client.query<{ name: string; version: string }>(
    "select version() as name, current_setting('server_version_num') as version",
  );
  const { name, version } = rows[0] ?? { name: "", version: "" };
  // Products that only speak the protocol report an arbitrary number; `checkEngine` reports them.
  if (otherEngine(name) !== undefined || Number(version) >= OLDEST) return;
  const shown = `${Math.floor(Number(version) / 10_000)}.${Number(version) % 10_000}`;
  throw new StartError(
    `PostgreSQL ${shown} is not supported: 14 or newer is required (see docs/operations/postgresql.md)`,
  );
}

/**
 * Looks at what the database lacks, once at a start, and tells the log what is done without.
 *
 * @param connection of those that read
 */
export async function checkEngine(connection: PostgresConnection, { hasSeveral, onWarning }: Lacks): Promise<void> {
  const other = otherEngine(String(await ask(connection, "select version() as found")));
  if (other !== undefined) onWarning(`untested database engine: ${other} (see docs/operations/scale.md)`);
  const search = "select to_regclass(quote_ident(current_schema()) || '.tags_search') is not null as found";
  if ((await ask(connection, search)) !== true) {
    onWarning("the database has no trigram index (pg_trgm); tag searches read all tags of the organization");
  }
  const timeline = "select pg_walfile_name(pg_current_wal_lsn()) as found";
  if (hasSeveral && (await ask(connection, timeline)) === undefined) {
    onWarning("the database does not report a timeline; a former primary that returns cannot be detected");
  }
}

function otherEngine(name: string): string | undefined {
  return Object.keys(OTHERS).find((each) => OTHERS[each]?.test(name));
}

/** @returns undefined where the database refuses the question */
async function ask(connection: PostgresConnection, text: string): Promise<unknown> {
  try {
    const { rows } = await connection.query({ text, values: [] });
    return (rows[0] as { found?: unknown } | undefined)?.found;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError || (error instanceof Error && error.cause instanceof pg.DatabaseError);
}

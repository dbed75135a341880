import { hostname } from "node:os";
import pg from "pg";
import { MIGRATIONS, youngestMigration } from "../migrations/migrate.ts";
import { StartError } from "../start-error.ts";

/** Parts of the application name of a session. */
export interface SessionName {
  /** Number of the youngest migration that the program knows; empty when the name does not contain it. */
  knows: string;
  /** Identifies the installation among those in one database; empty before the session is used. */
  installation: string;
  /** Host and process ID. */
  node: string;
}

/** SQLSTATEs of a table, and of a column, that the schema does not have. */
const NOT_THERE: ReadonlySet<string> = new Set(["42P01", "42703"]);

/** Maximum length of a name that PostgreSQL keeps, in bytes. */
const LENGTH = 63;

/**
 * Returns the name of this program in `pg_stat_activity`: `tessera/0005/16423/host:pid`. `finish-upgrade` finds by it
 * the servers that do not know a migration yet.
 *
 * @param installation empty while it is not known
 * @returns at most 63 bytes
 */
export function applicationName(installation = ""): string {
  const knows = migrationNumber(youngestMigration());
  const start = `tessera/${knows}/${installation}/`;
  const end = `:${process.pid}`;
  // Names of hosts in a cluster differ at their ends.
  const host = hostname().replaceAll(/[^\w.-]/g, "?");
  return start + host.slice(-(LENGTH - start.length - end.length)) + end;
}

/** @returns undefined for what is no session of this product */
export function parseApplicationName(text: string): SessionName | undefined {
  if (text === "tessera") return { knows: "", installation: "", node: "an address that it does not tell" };
  const [, knows = "", installation = "", node = ""] = /^tessera\/(\d{4})\/(\d*)\/(.*)$/.exec(text) ?? [];
  return knows === "" ? undefined : { knows, installation, node };
}

/** The part of a migration's name that says what is older. */
export function migrationNumber(name: string): string {
  return name.slice(0, 4);
}

/** Identifies an installation in its database, where each has a schema of its own. */
export const INSTALLATION = "'schema_migrations'::regclass::oid::text";

/**
 * Makes a new session known to `finish-upgrade`, and refuses it when an upgrade was finished while this server was
 * away. One statement, so that nothing falls in between: it holds the table's lock, which `finish-upgrade` takes
 * before it looks for sessions.
 *
 * @throws StartError when the schema has lost what this version needs
 */
export async function announceSession(client: pg.Client): Promise<void> {
  const [before = "", behind = ""] = applicationName("#").split("#");
  const known = MIGRATIONS.map(({ name }) => name);
  const announced = client.query<{ refused: string | null }>(
    `select set_config('application_name', $1 || ${INSTALLATION} || $2, false),
       (select min(name) from schema_migrations where phase <> 'expand' and name <> all($3::text[])) as refused`,
    [before, behind, known],
  );
  const refused = await announced.then(
    ({ rows }) => rows[0]?.refused,
    (error: unknown) => {
      // A replica without a schema yet, or the schema of a first version, whose migrations have no phase.
      if (!(error instanceof pg.DatabaseError && NOT_THERE.has(error.code ?? ""))) throw error;
    },
  );
  if (refused === undefined || refused === null) return;
  throw new StartError(
    `an upgrade was finished: the database has migration ${refused}, which this version does not know. ` +
      "Stop this server and start the new version",
  );
}

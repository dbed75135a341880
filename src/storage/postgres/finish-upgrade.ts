import type pg from "pg";
import { MIGRATIONS, pendingMigrations, type AppliedMigration } from "../migrations/migrate.ts";
import type { Migration } from "../migrations/migration.ts";
import { StartError } from "../start-error.ts";
import { migrationNumber, type SessionName, INSTALLATION, parseApplicationName } from "./application-name.ts";
import { applyMigrations, inSchemaTurn, type Patience } from "./migrate.ts";
import { createServers } from "./servers.ts";
import { reasonOf } from "./hosts.ts";

/**
 * Applies the migrations that a start leaves because they take away what older programs need.
 *
 * @returns the names of those that were applied; none also for an empty database, which a start sets up
 * @throws StartError when a server is connected that does not know them, or a table cannot be had
 */
export async function finishUpgrade(
  url: string,
  known: readonly Migration[] = MIGRATIONS,
  patience?: Patience,
): Promise<string[]> {
  try {
    return await inSchemaTurn(createServers(url), (client, applied) => finish(client, applied, known), patience);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot finish the upgrade; nothing was changed: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

async function finish(client: pg.Client, applied: AppliedMigration[], known: readonly Migration[]): Promise<string[]> {
  const { now, left } = pendingMigrations(applied, known);
  const last = left.at(-1);
  if (last === undefined) return [];
  // A server that comes now waits here, and finds out afterwards; see `announceSession`.
  await client.query("lock table schema_migrations in access exclusive mode");
  await refuseOlder(client, migrationNumber(last.name));
  await applyMigrations(client, [...now, ...left], true);
  return [...now, ...left].map(({ name }) => name);
}

async function refuseOlder(client: pg.Client, needed: string): Promise<void> {
  const { installation, sessions } = await listSessions(client);
  const older = sessions.filter((session) => isOlder(session, installation, needed)).map(describe);
  if (older.length === 0) return;
  throw new StartError(
    `servers of older versions are connected: ${older.sort().join(", ")}. Stop them, then run this command again`,
  );
}

/** One that does not say what it knows is older than all that do, and may belong to any installation. */
function isOlder({ knows, installation }: SessionName, here: string, needed: string): boolean {
  return knows === "" || (installation === here && knows < needed);
}

function describe({ node, knows }: SessionName): string {
  return `${node} (knows ${knows === "" ? "no rolling upgrades" : `migrations up to ${knows}`})`;
}

/** Sessions of this product in the database of the client, but for its own. */
interface ProductSessions {
  /** Which installation the client's schema is. */
  installation: string;
  sessions: SessionName[];
}

/** Looks them up in `pg_stat_activity`. */
async function listSessions(client: pg.Client): Promise<ProductSessions> {
  const { rows } = await client.query<{ names: string[] | null; installation: string }>(
    `select ${INSTALLATION} as installation, (select array_agg(distinct application_name) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like 'tessera%') as names`,
  );
  const sessions = (rows[0]?.names ?? []).flatMap((name) => parseApplicationName(name) ?? []);
  return { installation: rows[0]?.installation ?? "", sessions };
}

/**
 * Servers of versions that are connected and do not know a migration.
 *
 * @param needed its name
 * @returns host and process of each, and what it knows
 */
export async function olderServers(url: string, needed: string): Promise<string[]> {
  const { client } = await createServers(url).connect("write", {});
  try {
    const { installation, sessions } = await listSessions(client);
    return sessions.filter((each) => isOlder(each, installation, migrationNumber(needed))).map(describe);
  } finally {
    await client.end();
  }
}

/** The servers that are connected to a database now, as host and process. */
export async function connectedServers(url: string): Promise<string[]> {
  const { client } = await createServers(url).connect("write", {});
  try {
    const { installation, sessions } = await listSessions(client);
    return sessions.filter((session) => session.installation === installation).map(({ node }) => node);
  } finally {
    await client.end();
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import {
  MIGRATIONS,
  newerWarning,
  pendingMigrations,
  type Pending,
  type AppliedMigration,
} from "../migrations/migrate.ts";
import { type Migration, DIALECTS } from "../migrations/migration.ts";
import { StartError } from "../start-error.ts";
import type { Servers } from "./servers.ts";
import { checkVersion } from "./engine-check.ts";
import { applicationName } from "./application-name.ts";

interface MigrateOptions {
  onWarning: (message: string) => void;
  /** Asked before anything is made where there is no schema; what it throws refuses the start. */
  beforeMaking?: () => void;
  /** Default: the migrations of this program. Tests set others. */
  known?: readonly Migration[];
  patience?: Patience;
}

/**
 * Brings the schema to where this program can work with it. What an older program still needs stays until
 * `finishUpgrade`.
 *
 * @throws StartError when the schema is of a newer version that this one cannot work with, when an earlier upgrade has
 *   to be finished first, or when a table cannot be had
 */
export async function migratePostgres(
  servers: Servers,
  { onWarning, beforeMaking, known = MIGRATIONS, patience }: MigrateOptions,
): Promise<void> {
  const there = await peekApplied(servers);
  if (there === "nothing") beforeMaking?.();
  const { left, newer } = nothingToDo(there, known) ?? (await applyPending(servers, known, patience));
  if (newer.length > 0) onWarning(newerWarning(newer));
  if (left.length > 0) {
    onWarning(
      `the upgrade is not finished: ${left.map(({ name }) => name).join(", ")} is left; ` +
        "run tessera finish-upgrade when all servers of older versions are stopped",
    );
  }
}

function nothingToDo(there: Peeked, known: readonly Migration[]): Pending | undefined {
  const pending = Array.isArray(there) ? pendingMigrations(there, known) : undefined;
  if (pending === undefined || pending.now.length > 0) return undefined;
  checkLeft(pending.left);
  return pending;
}

function applyPending(servers: Servers, known: readonly Migration[], patience?: Patience): Promise<Pending> {
  return inSchemaTurn(
    servers,
    async (client, applied) => {
      const pending = pendingMigrations(applied, known);
      checkLeft(pending.left);
      await applyMigrations(client, pending.now, applied.length > 0);
      return pending;
    },
    patience,
  );
}

/** This program runs while `contract` migrations are left; without what an `expand` one adds it cannot. */
function checkLeft(left: readonly Migration[]): void {
  const needed = left.find(({ phase }) => phase !== "contract");
  if (needed === undefined) return;
  throw new StartError(
    `an earlier upgrade was not finished: migration ${left[0]?.name} is pending, and this version needs the later ${needed.name}. ` +
      "Stop the servers whose version lacks these migrations, and run tessera finish-upgrade",
  );
}

/**
 * A change of the schema has to have its tables alone, and whoever asks for a table behind it waits as well. So it
 * waits briefly and tries again: a running cluster is held up for that long at the most, for each table. In all it is
 * longer than the longest statement of a server takes.
 */
export interface Patience {
  lockTimeoutMs: number;
  attempts: number;
  pauseMs: number;
}

const PATIENCE: Patience = { lockTimeoutMs: 1000, attempts: 30, pauseMs: 1000 };

/** SQLSTATEs of a lock that was not to be had in time, and of a deadlock. */
const LOCKED = new Set(["55P03", "40P01"]);

/** How long a start or the end of an upgrade waits for one answer; a migration of large tables takes its time. */
const ANSWER_MS = 10 * 60_000;

/** Applied migrations; `nothing` where there is no schema, `unknown` where its tables differ from the present ones. */
type Peeked = AppliedMigration[] | "nothing" | "unknown";

/**
 * Reads the applied migrations without a turn: a start that has nothing to apply writes nothing, and therefore does not
 * wait for an absent standby.
 */
async function peekApplied(servers: Servers): Promise<Peeked> {
  const { client } = await servers.connect("write", { application_name: applicationName() });
  try {
    await checkVersion(client);
    // Its own: a schema further on in the search path may be another installation's.
    const own = "select to_regclass(quote_ident(current_schema()) || '.schema_migrations') is not null as made";
    if ((await client.query<{ made: boolean }>(own)).rows[0]?.made !== true) return "nothing";
    return (await client.query<AppliedMigration>("select name, phase from schema_migrations order by name")).rows;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return "unknown";
    throw error;
  } finally {
    await client.end();
  }
}

/**
 * Runs `work` in a transaction, one process at a time: nodes that start at once take turns, by the lock of one row.
 * The transaction is all or nothing, and is run again when a table cannot be had.
 *
 * @throws StartError when a table is in use all the time
 */
export async function inSchemaTurn<T>(
  servers: Servers,
  work: (client: pg.Client, applied: AppliedMigration[]) => Promise<T>,
  { lockTimeoutMs, attempts, pauseMs }: Patience = PATIENCE,
): Promise<T> {
  const config = { application_name: applicationName(), query_timeout: ANSWER_MS };
  const { client } = await servers.connect("write", config);
  try {
    await makeTables(client);
    for (let attempt = 1; attempt <= attempts; attempt++) {
      try {
        await client.query("begin");
        await client.query("update schema_lock set taken = taken + 1");
        // Only from here on: for its turn it waits as long as the others take.
        await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
        const result = await work(client, await readApplied(client));
        await client.query("commit");
        return result;
      } catch (error) {
        if (!isLocked(error)) throw error;
        await client.query("rollback");
        await sleep(pauseMs);
      }
    }
  } finally {
    await client.end();
  }
  throw new StartError(
    "cannot change the schema: a table is locked by long transactions; nothing was changed: " +
      "end long transactions in the database, such as a backup, and retry",
  );
}

/**
 * Applies migrations, in the transaction of the turn.
 *
 * @param servesEarlier whether programs of earlier versions may use the schema meanwhile, or afterwards
 */
export async function applyMigrations(
  client: pg.Client,
  migrations: readonly Migration[],
  servesEarlier: boolean,
): Promise<void> {
  const dialect = { ...DIALECTS.postgres, servesEarlier };
  for (const migration of migrations) {
    for (const statement of migration.statements(dialect)) await client.query(statement);
    await tryOptional(client, migration.optional?.(dialect) ?? []);
    await client.query("insert into schema_migrations (name, applied_at, phase) values ($1, $2, $3)", [
      migration.name,
      new Date().toISOString(),
      migration.phase ?? "expand",
    ]);
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof pg.DatabaseError && LOCKED.has(error.code ?? "");
}

/** "If not exists" is no protection against a second node at the same moment: that one tries again. */
async function makeTables(client: pg.Client): Promise<void> {
  for (let attempts = 0; ; attempts++) {
    try {
      await client.query(
        "create table if not exists schema_migrations (name text primary key, applied_at text not null)",
      );
      await client.query("create table if not exists schema_lock (id integer primary key, taken bigint not null)");
      await client.query("insert into schema_lock (id, taken) values (1, 0) on conflict do nothing");
      return;
    } catch (error) {
      if (attempts >= 5) throw error;
    }
  }
}

async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  const { rowCount } = await client.query(
    `select 1 from pg_attribute
       where attrelid = 'schema_migrations'::regclass and attname = 'phase' and not attisdropped`,
  );
  // Tables of earlier versions do not have it. Not "if not exists": that takes the lock, and the owner, all the same.
  if (rowCount === 0) {
    await client.query("alter table schema_migrations add column phase text not null default 'expand'");
  }
  return (await client.query<AppliedMigration>("select name, phase from schema_migrations order by name")).rows;
}

async function tryOptional(client: pg.Client, statements: string[]): Promise<void> {
  try {
    await client.query("savepoint optional");
    for (const statement of statements) await client.query(statement);
  } catch (error) {
    if (isLocked(error)) throw error;
    await client.query("rollback to savepoint optional");
  }
}

/** A PostgreSQL database as a backup is loaded into it: one transaction, around which a marker keeps servers away. */
import type pg from "pg";
import { markerRow, refuseOverWhole, RESTORING, wholeMarker, type WholeOf } from "../operator/half-restored.ts";
import { notEmpty, type Loading } from "../operator/loading.ts";
import { MIGRATIONS } from "../migrations/migrate.ts";
import type { Migration } from "../migrations/migration.ts";
import { selectRows } from "../operator/snapshot.ts";
import { StartError } from "../start-error.ts";
import { TABLES } from "../tables/tables.ts";
import { reasonOf } from "./hosts.ts";
import { applyMigrations, inSchemaTurn } from "./migrate.ts";
import { createServers, type Servers } from "./servers.ts";
import { rowsOf } from "./snapshot.ts";
import { dropIfEmpty } from "./empty-schema.ts";
import { connectForLong, PLAIN_TYPES } from "./whole-database.ts";
import { RECOUNT } from "../writes/object-counts.ts";

/**
 * Begins a database. The tables are made in one transaction with the marker, so that a server which comes from then on refuses;
 * the rows, the end of the marker and the rest of the migrations are another. Whatever ends this process takes that one back.
 *
 * @param migrations of the backup; those that this program has beyond come when all is loaded
 * @param moving which database is moved there; nothing for a backup
 * @throws StartError when there is a database, or another restore is under way
 */
export async function openPostgresLoading(
  url: string,
  migrations: readonly Migration[],
  moving?: WholeOf,
): Promise<Loading> {
  const servers = createServers(url);
  let client: pg.Client | undefined;
  try {
    await begin(servers, migrations, moving);
    client = await connectForLong(servers, "write");
    await client.query("set synchronous_commit = on");
    await client.query("begin");
    await takeTurn(client, moving);
    return assemble(client, await dropIndexes(client), moving);
  } catch (error) {
    await client?.end().catch(() => undefined);
    throw told(error, moving);
  }
}

async function begin(servers: Servers, migrations: readonly Migration[], moving?: WholeOf): Promise<void> {
  await inSchemaTurn(servers, async (client, applied) => {
    if (applied.length > 0 && !(await dropIfEmpty(client))) {
      await refuseOther(client, moving);
      const names = migrations.map(({ name }) => name).sort();
      const isSame = JSON.stringify(names) === JSON.stringify(applied.map(({ name }) => name).sort());
      if (isSame) return;
      throw new StartError(
        "an interrupted restore of a backup of another version left tables in the database. Drop its tables, or choose another database",
      );
    }
    // A moved database may be in the middle of an upgrade, and goes on with it.
    const servesEarlier = moving !== undefined && MIGRATIONS.some((each) => !migrations.includes(each));
    await applyMigrations(client, migrations, servesEarlier);
    await mark(client, new Date().toISOString());
  });
}

async function mark(client: pg.Client, value: string): Promise<void> {
  const { columns, values } = markerRow(value);
  const marks = columns.map((_, index) => `$${index + 1}`).join(", ");
  await client.query(`insert into meta (${columns.join(", ")}) values (${marks})`, values);
}

/** @throws StartError when there is a database, or all of another one that moves */
async function refuseOther(client: pg.Client, moving: WholeOf | undefined): Promise<void> {
  const { rows } = await client.query<{ value: string }>("select value from meta where name = $1", [RESTORING]);
  if (rows[0] === undefined) throw notEmpty("the database", moving !== undefined);
  refuseOverWhole(rows[0].value, moving);
}

/** A restore that was killed may have its last statement run on for a while. */
const TURN_WAIT = "15s";

/** Two restores at once would each take the other for one that was cut off. */
async function takeTurn(client: pg.Client, moving?: WholeOf): Promise<void> {
  try {
    await client.query(`set local lock_timeout = '${TURN_WAIT}'`);
    await client.query("select 1 from schema_lock for update");
    await client.query("set local lock_timeout = 0");
  } catch (error) {
    if (reasonCode(error) !== "55P03") throw error;
    throw new StartError(
      "another restore into the database is running, or a server is changing its schema. Wait until it ends",
      {
        cause: error,
      },
    );
  }
  // The other one may have come to its end just before.
  await refuseOther(client, moving);
}

function reasonCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function told(error: unknown, moving: WholeOf | undefined): unknown {
  if (error instanceof StartError) return error;
  const what = moving === undefined ? "cannot restore the backup" : "cannot move the database";
  return new StartError(`${what}, and nothing was changed: ${reasonOf(error)}`, { cause: error });
}

/** Without it each token that is deleted here would be looked for in all rows of old secrets. */
const KEPT_INDEX = "token_secrets_of_token";

/**
 * Drops the indexes that belong to no key: to create them once, after all rows are loaded, is faster.
 *
 * @returns the statements that create them
 */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select quote_ident(c.relname) as name, pg_get_indexdef(c.oid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid
       where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
         and not exists (select 1 from pg_constraint where conindid = c.oid) and c.relname <> $1`,
    [KEPT_INDEX],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

function assemble(client: pg.Client, indexes: readonly string[], moving: WholeOf | undefined): Loading {
  const types = new Map<string, string[]>();
  const asked: Loaded["asked"] = async (answer) => {
    try {
      return await answer;
    } catch (error) {
      throw told(error, moving);
    }
  };

  async function typesOf(table: string, columns: readonly string[]): Promise<string[]> {
    const known = types.get(table);
    if (known !== undefined) return known;
    const { rows } = await client.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [table],
    );
    const found = columns.map((column) => rows.find(({ name }) => name === column)?.type ?? "text");
    types.set(table, found);
    return found;
  }

  return {
    async load(table, columns, lines) {
      const values = (await typesOf(table, columns)).map((type, index) =>
        type === "text" ? `line ->> ${index}` : `(line ->> ${index})::${type}`,
      );
      const text = `insert into ${table} (${columns.join(", ")}) select ${values.join(", ")} from jsonb_array_elements($1::jsonb) line`;
      const rows = `[${lines.slice(0, -1).replaceAll("\n", ",")}]`;
      await asked(client.query({ name: `load-${table}`, text, values: [rows] }));
    },
    async run(sql, list) {
      const text = sql.replace("{list}", "(select unnest($1::text[]))");
      return (await asked(client.query({ text, values: list === undefined ? [] : [[...list]], types: PLAIN_TYPES })))
        .rows;
    },
    rows: (table, columns, key) => rowsOf(client, selectRows(table, columns, key)),
    async empty(tables) {
      // At once: row by row each would be looked for in all that has just been taken out of the tables that refer to it.
      // Cascading: tables that are in no backup may refer to these.
      await asked(client.query(`truncate ${tables.filter((table) => table !== "meta").join(", ")} cascade`));
      // A process that looks for the marker must find it without waiting.
      await asked(client.query("delete from meta"));
    },
    finish: (mayGoOn = () => undefined) => finishLoading({ client, indexes, moving, asked }, mayGoOn),
    async give() {
      await asked(client.query("delete from meta where name = $1", [RESTORING]));
    },
    async tidy() {
      await client.query(`analyze ${Object.keys(TABLES).join(", ")}`).catch(() => undefined);
      await client.end().catch(() => undefined);
    },
    async abandon() {
      await client.end().catch(() => undefined);
    },
  };
}

/** A database into which all rows have been loaded. */
interface Loaded {
  client: pg.Client;
  /** Statements that create what was dropped. */
  indexes: readonly string[];
  moving: WholeOf | undefined;
  /** Waits for an answer, and says of a failure what it means. */
  asked<T>(answer: Promise<T>): Promise<T>;
}

async function finishLoading({ client, indexes, moving, asked }: Loaded, mayGoOn: () => void): Promise<void> {
  for (const definition of indexes) {
    mayGoOn();
    await asked(client.query(definition));
  }
  const { rows } = await client.query<{ name: string }>("select name from schema_migrations");
  // An unfinished upgrade of a moved database is finished at its new place. A move therefore applies no `contract`
  // migrations and can begin again.
  const isOurs = ({ phase }: Migration) => moving === undefined || phase !== "contract";
  const left = MIGRATIONS.filter((each) => isOurs(each) && rows.every(({ name }) => name !== each.name));
  await applyMigrations(client, left, moving !== undefined);
  for (const statement of RECOUNT) await asked(client.query(statement));
  await asked(client.query("delete from meta where name = $1", [RESTORING]));
  if (moving !== undefined) await asked(mark(client, wholeMarker(moving)));
  mayGoOn();
  const { command } = await asked(client.query("commit"));
  if (command !== "COMMIT")
    throw new StartError(
      `${moving === undefined ? "the backup was not restored" : "the database was not moved"}: PostgreSQL rolled back the transaction. Check its log and retry`,
    );
}

/** Fresh, empty places in the PostgreSQL server of this test run. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import pg from "pg";

const made: { readonly admin: string; readonly schema: string }[] = [];
const databases: { readonly admin: string; readonly name: string }[] = [];

/** The administrator's URL of the server that this test run started (see set-up/postgres.ts). */
export function sharedPostgresUrl(): string {
  const url = process.env["TESSERA_TEST_POSTGRES"];
  if (url === undefined || url === "") throw new Error("TESSERA_TEST_POSTGRES is not set: run the tests with vitest");
  return url;
}

/** Connects, runs `work` and disconnects whatever happens. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // A server that a test kills must not end the test process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Makes an empty schema and returns a URL whose connections work in it (`public`, which holds pg_trgm, comes second).
 * It is dropped when the test file ends. `server` is the administrator's URL of a private server.
 */
export async function freshDatabaseUrl(server: string = sharedPostgresUrl()): Promise<string> {
  // Behind PgBouncer a URL cannot name a schema: each test gets a database of its own, which takes longer.
  if (process.env["TESSERA_TEST_WHOLE_DATABASES"] === "1") return freshWholeDatabaseUrl(server);
  const schema = `test_${randomBytes(8).toString("hex")}`;
  await withClient(server, async (client) => {
    await client.query(`create schema ${schema}`);
  });
  made.push({ admin: server, schema });
  return withSearchPath(server, `${schema},public`);
}

/** Names the database with the schema of this version and no rows; without it, as on a server of somebody else, there is none. */
export const TEMPLATE_VARIABLE = "TESSERA_TEST_POSTGRES_TEMPLATE";

/**
 * Makes a database with the schema of this version and no rows, and returns its URL: a copy takes a fifth of the time that
 * the migrations do. It is dropped when the test file ends. An empty one where there is no template.
 */
export async function migratedDatabaseUrl(server: string = sharedPostgresUrl()): Promise<string> {
  const template = process.env[TEMPLATE_VARIABLE];
  if (template === undefined) return freshDatabaseUrl(server);
  return freshWholeDatabaseUrl(server, template);
}

/** Makes an empty database, for what is about `public` itself. It is dropped when the test file ends. */
export async function freshWholeDatabaseUrl(
  server: string = sharedPostgresUrl(),
  template = "template1",
): Promise<string> {
  // A database of Citus has its nodes from its coordinator; a schema has all that tests ask of it.
  if (process.env["TESSERA_TEST_SCHEMAS"] === "1") return freshDatabaseUrl(server);
  const name = `whole_${randomBytes(8).toString("hex")}`;
  await withClient(server, async (client) => client.query(`create database ${name} template ${template}`));
  databases.push({ admin: server, name });
  const url = new URL(server);
  url.pathname = `/${name}`;
  const prepare = process.env["TESSERA_TEST_PREPARE"];
  if (prepare !== undefined) await withClient(url.href, (client) => client.query(readFileSync(prepare, "utf8")));
  return url.href;
}

/** Makes a database that a role without any special right owns nothing of but a schema, so no extension can be made there. */
export async function freshPlainDatabaseUrl(server: string = sharedPostgresUrl()): Promise<string> {
  const name = `plain_${randomBytes(8).toString("hex")}`;
  await withClient(server, async (client) => {
    await client.query(`create database ${name}`);
    await client.query(`create role ${name} login password '${name}'`);
  });
  const database = new URL(server);
  database.pathname = `/${name}`;
  await withClient(database.href, async (client) => {
    await client.query(`create schema ${name} authorization ${name}`);
  });
  database.username = name;
  database.password = name;
  return withSearchPath(database.href, name);
}

/** Drops every schema and database that this process made; one whose server is gone is forgotten. */
export async function dropFreshDatabases(): Promise<void> {
  for (const { admin, name } of databases.splice(0)) {
    await withClient(admin, async (client) => client.query(`drop database ${name} with (force)`)).catch(
      () => undefined,
    );
  }
  for (const { admin, schema } of made.splice(0)) {
    try {
      await withClient(admin, async (client) => {
        await client.query("set lock_timeout = '2s'");
        await client.query(`drop schema if exists ${schema} cascade`);
      });
    } catch {
      // The whole server goes away at the end of the run; a schema that is still in use goes with it.
    }
  }
}

function withSearchPath(server: string, path: string): string {
  const url = new URL(server);
  // Not through searchParams: it writes a blank as "+", which the pg package takes literally.
  url.search = `options=${encodeURIComponent(`-c search_path=${path}`)}`;
  return url.href;
}

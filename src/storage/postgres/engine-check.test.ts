/**
 * Databases that lack something. Functions of a schema that comes before PostgreSQL's own answer as those would: what such a
 * database says is made up, what the server makes of it is not.
 */
import { onTestFinished, expect, test } from "vitest";
import { startTcpProxy, type TcpProxy } from "../../../test/faults/tcp-proxy.ts";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { freshDatabaseUrl, freshPlainDatabaseUrl, withClient } from "../../../test/support/postgres-schema.ts";
import { openDatabase } from "../open.ts";

/** Opens the database as a server does. @returns what the log was told */
async function warningsOf(url: string, dataDir = temporaryDirectory()): Promise<string[]> {
  const warnings: string[] = [];
  const fail = (error: Error): void => {
    throw error;
  };
  const onWarning = (message: string): void => void warnings.push(message);
  const db = await openDatabase({ url, dataDir, onFatal: fail, onWarning });
  await db.close();
  return warnings.filter((message) => !message.startsWith("created the master key"));
}

/** A database in which these functions come before PostgreSQL's own. */
async function withFunctions(...functions: string[]): Promise<string> {
  const url = await freshDatabaseUrl();
  const schema = /search_path(?:%3D|=)(\w+)/.exec(url)?.[1] ?? "";
  await withClient(url, async (client) => {
    for (const each of functions) await client.query(`create function ${schema}.${each}`);
  });
  return url.replace("%2Cpublic", "%2Cpublic%2Cpg_catalog");
}

const sql = (head: string, body: string): string => `${head} language sql as $$ ${body} $$`;
const VERSION_NUMBER = (number: string): string =>
  sql(
    "current_setting(text) returns text",
    `select case $1 when 'server_version_num' then '${number}' else pg_catalog.current_setting($1) end`,
  );

test("a database that has all is told nothing of", async () => {
  expect(await warningsOf(await freshDatabaseUrl())).toEqual([]);
});

test("a PostgreSQL that is too old is refused before anything is made in it", async () => {
  const url = await withFunctions(VERSION_NUMBER("130014"));
  await expect(warningsOf(url)).rejects.toThrow(
    "PostgreSQL 13.14 is not supported: 14 or newer is required (see docs/operations/postgresql.md)",
  );
  await withClient(url, async (client) => {
    const { rows } = await client.query("select from pg_tables where schemaname = current_schema()");
    expect(rows).toEqual([]);
  });
});

test.each([
  ["CockroachDB", "CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu)"],
  ["YugabyteDB", "PostgreSQL 15.2-YB-2.25.0.0-b0 on x86_64"],
])("%s is not refused for its number, and the log says that nobody has tried it", async (name, version) => {
  const url = await withFunctions(sql("version() returns text", `select '${version}'::text`), VERSION_NUMBER("130000"));
  expect(await warningsOf(url)).toEqual([`untested database engine: ${name} (see docs/operations/scale.md)`]);
});

test("without pg_trgm a server starts, and says what a search of tags costs", async () => {
  expect(await warningsOf(await freshPlainDatabaseUrl())).toEqual([
    "the database has no trigram index (pg_trgm); tag searches read all tags of the organization",
  ]);
});

test("without a timeline one server is as good as before, and of several the log says what is not noticed", async () => {
  const raise = "begin raise exception 'unknown function'; end";
  const url = await withFunctions(`pg_walfile_name(pg_lsn) returns text language plpgsql as $$ ${raise} $$`);
  const dataDir = temporaryDirectory();
  expect(await warningsOf(url, dataDir)).toEqual([]);
  const { host } = new URL(url);
  expect(await warningsOf(url.replace(host, `${host},${host}`), dataDir)).toEqual([
    "the database does not report a timeline; a former primary that returns cannot be detected",
  ]);
});

test("where LISTEN is refused the log says so, and changes are found by polling", async () => {
  const proxy = await proxyOf(await freshDatabaseUrl());
  const spoiled = Buffer.from("listen ");
  // Another word of the same length, which the database does not know.
  proxy.judge = (direction, data) => {
    const at = direction === "up" ? data.indexOf(spoiled) : -1;
    if (at !== -1) data.write("listem ", at);
    return "pass";
  };
  expect(await warningsOf(proxy.url)).toEqual([
    expect.stringMatching(/^database notifications failed \(.*listem.*\); using polling only$/),
  ]);
});

test("incident 64: what answers one statement at a time is refused, since a write travels in flights, and nothing is made", async () => {
  const url = await freshDatabaseUrl();
  const proxy = await proxyOf(url);
  // The statements that are sent together are lost; all others are answered.
  proxy.judge = (direction, data) => (direction === "up" && data.includes("select 2 as found") ? "lose" : "pass");
  await expect(warningsOf(proxy.url)).rejects.toThrow(/does not support pipelined statements/);
  await withClient(url, async (client) => {
    const { rows } = await client.query("select to_regclass(quote_ident(current_schema()) || '.meta') as made");
    expect(rows).toEqual([{ made: null }]);
  });
});

async function proxyOf(url: string): Promise<TcpProxy> {
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  return proxy;
}

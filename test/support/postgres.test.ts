import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { engines, makeDatabaseUrl } from "./engines.ts";
import { startPostgres } from "./postgres.ts";
import { freshDatabaseUrl, freshPlainDatabaseUrl, withClient } from "./postgres-schema.ts";

test("a fresh database URL works in a schema of its own", async () => {
  const [one, two] = await Promise.all([freshDatabaseUrl(), freshDatabaseUrl()]);
  await withClient(one, async (client) => {
    await client.query("create table things (name text)");
  });
  await withClient(two, async (client) => {
    await client.query("create table things (name text)");
    expect((await client.query("select * from things")).rows).toEqual([]);
  });
});

test("the server is PostgreSQL 18, in UTF-8, and orders text by locale", async () => {
  await withClient(await freshDatabaseUrl(), async (client) => {
    const version = await client.query<{ server_version: string }>("show server_version");
    expect(version.rows[0]?.server_version).toMatch(/^18\./);
    const encoding = await client.query<{ server_encoding: string }>("show server_encoding");
    expect(encoding.rows[0]?.server_encoding).toBe("UTF8");
    const values = "(values ('Beta'), ('Zed'), ('_x'), ('a-b'), ('ab'), ('alpha')) as v(name)";
    const sorted = await client.query<{ name: string }>(`select name from ${values} order by name`);
    expect(sorted.rows.map((row) => row.name)).toEqual(["_x", "a-b", "ab", "alpha", "Beta", "Zed"]);
  });
});

test("pg_trgm is there in a fresh schema, and cannot be made by a plain role", async () => {
  await withClient(await freshDatabaseUrl(), async (client) => {
    await client.query("create table things (name text)");
    await client.query("create index on things using gin (name gin_trgm_ops)");
  });
  await withClient(await freshPlainDatabaseUrl(), async (client) => {
    await client.query("create table things (name text)");
    await expect(client.query("create extension pg_trgm")).rejects.toThrow(/permission denied/);
  });
});

test("every engine gets a database URL", async () => {
  const urls = await Promise.all(engines.map((engine) => makeDatabaseUrl(engine)));
  expect(urls[0]).toMatch(/^sqlite:.*tessera\.db$/);
  expect(urls[1]).toMatch(/^postgres:/);
});

test("a durable server keeps what was committed when it is killed and started again", async () => {
  const server = await startPostgres({ durable: true });
  try {
    await withClient(server.url, async (client) => {
      await client.query("create table things (name text)");
      await client.query("insert into things values ('kept')");
    });
    await server.kill();
    expect(server.pid).toBe(0);
    await server.restart();
    await withClient(server.url, async (client) => {
      expect((await client.query("select * from things")).rows).toEqual([{ name: "kept" }]);
      expect((await client.query("show fsync")).rows).toEqual([{ fsync: "on" }]);
    });
    await server.shutDown("immediate");
    await server.restart();
  } finally {
    await server.stop();
  }
  expect(existsSync(server.dataDir)).toBe(false);
});

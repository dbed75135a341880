import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { ADD_MOTTOS, DEMAND_MOTTOS, NEXT_MIGRATIONS } from "../../../test/support/next-migrations.ts";
import { freshDatabaseUrl, freshWholeDatabaseUrl, withClient } from "../../../test/support/postgres-schema.ts";
import { rowsOf, schemaOf } from "../../../test/upgrades/state.ts";
import { MIGRATIONS } from "../migrations/migrate.ts";
import type { Migration } from "../migrations/migration.ts";
import { StartError } from "../start-error.ts";
import { announceSession, applicationName } from "./application-name.ts";
import { finishUpgrade } from "./finish-upgrade.ts";
import { migratePostgres } from "./migrate.ts";
import { createServers } from "./servers.ts";

const NEXT = [...MIGRATIONS, ...NEXT_MIGRATIONS];
const LATER: Migration = { name: "9003-later", statements: () => ["create table later (id text)"] };
const QUICK = { lockTimeoutMs: 100, attempts: 3, pauseMs: 100 };

const clients: pg.Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map(async (client) => client.end().catch(() => undefined)));
});

async function connect(url: string, name = "psql"): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name });
  client.on("error", () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

/** @returns what was logged */
async function migrate(url: string, known: readonly Migration[], patience = QUICK): Promise<string[]> {
  const warnings: string[] = [];
  const onWarning = (message: string) => void warnings.push(message);
  await migratePostgres(createServers(url), { onWarning, known, patience });
  return warnings;
}

async function phases(url: string): Promise<Record<string, string>> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string; phase: string }>("select name, phase from schema_migrations");
    return Object.fromEntries(rows.map(({ name, phase }) => [name, phase]));
  });
}

async function exists(url: string, table: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ found: boolean }>("select to_regclass($1) is not null as found", [table]);
    return rows[0]?.found === true;
  });
}

/** Expects that a start is refused, and that the database is as it was before it. */
async function expectRefused(url: string, known: readonly Migration[], says: RegExp): Promise<void> {
  const before = [await schemaOf(url), await rowsOf(url, [])];
  const start = migrate(url, known);
  await expect(start).rejects.toThrow(StartError);
  await expect(start).rejects.toThrow(says);
  expect([await schemaOf(url), await rowsOf(url, [])]).toEqual(before);
}

describe("a start", () => {
  it("makes tables of its own where another installation's come later in the search path", async () => {
    const [theirs, own] = [await freshDatabaseUrl(), await freshDatabaseUrl()];
    const schemaNamed = (url: string) => /search_path%3D(\w+)%2C/.exec(url)?.[1] ?? "";
    await migrate(theirs, MIGRATIONS);
    const both = own.replace("%2Cpublic", `%2C${schemaNamed(theirs)}%2Cpublic`);
    expect(both).not.toBe(own);
    await migrate(both, MIGRATIONS);
    expect([
      await exists(own, `${schemaNamed(own)}.policies`),
      await exists(own, `${schemaNamed(own)}.schema_migrations`),
    ]).toEqual([true, true]);
  });

  it("gives an empty database everything, and nodes that start at once take turns", async () => {
    const url = await freshDatabaseUrl();
    const logs = await Promise.all([migrate(url, NEXT), migrate(url, NEXT), migrate(url, NEXT)]);
    expect(logs).toEqual([[], [], []]);
    const expected = Object.fromEntries(NEXT.map(({ name, phase }) => [name, phase ?? "expand"]));
    expect(await phases(url)).toEqual(expected);
    expect(expected[DEMAND_MOTTOS.name]).toBe("contract");
  });

  it("adds what it needs, leaves what takes away from older programs, and says so", async () => {
    const url = await freshDatabaseUrl();
    await migrate(url, MIGRATIONS);
    for (let start = 0; start < 2; start++) {
      expect(await migrate(url, NEXT)).toEqual([
        "the upgrade is not finished: 9002-mottos-only is left; " +
          "run tessera finish-upgrade when all servers of older versions are stopped",
      ]);
    }
    expect(await phases(url)).toMatchObject({ "9001-mottos": "expand" });
    expect(await phases(url)).not.toHaveProperty("9002-mottos-only");
    expect(await migrate(url, MIGRATIONS)).toEqual([
      "a newer version has added to the database (9001-mottos); this one works on, " +
        "until the upgrade is finished with tessera finish-upgrade",
    ]);
  });

  it("takes a table of migrations from before there were phases", async () => {
    const url = await freshDatabaseUrl();
    await migrate(url, MIGRATIONS);
    await withClient(url, async (client) => client.query("alter table schema_migrations drop column phase"));
    await migrate(url, NEXT);
    expect(new Set(Object.values(await phases(url)))).toEqual(new Set(["expand"]));
    expect(Object.keys(await phases(url))).toHaveLength(MIGRATIONS.length + 1);
  });

  it("incident 64: is refused while what it needs comes after an upgrade that was not finished, and changes nothing", async () => {
    const url = await freshWholeDatabaseUrl();
    await migrate(url, MIGRATIONS);
    const notFinished = /9002-mottos-only is pending, .*9003-later\. .* run tessera finish-upgrade$/;
    // Beside what could be applied, and where nothing could.
    await expectRefused(url, [...NEXT, LATER], notFinished);
    await migrate(url, NEXT);
    await expectRefused(url, [...NEXT, LATER], notFinished);
    expect(await finishUpgrade(url, [...NEXT, LATER])).toEqual(["9002-mottos-only", "9003-later"]);
    expect(await migrate(url, [...NEXT, LATER])).toEqual([]);
  });
});

describe("a migration", () => {
  it("that fails half-way leaves nothing", async () => {
    const url = await freshDatabaseUrl();
    await migrate(url, MIGRATIONS);
    const broken: Migration = {
      name: "9003-broken",
      statements: () => ["create table half (id text)", "select 1 / 0"],
    };
    await expect(migrate(url, [...MIGRATIONS, ADD_MOTTOS, broken])).rejects.toThrow(/division by zero/);
    expect([await exists(url, "half"), await exists(url, "mottos")]).toEqual([false, false]);
    expect(Object.keys(await phases(url))).toHaveLength(MIGRATIONS.length);
    await migrate(url, [...MIGRATIONS, ADD_MOTTOS]);
    expect(await exists(url, "mottos")).toBe(true);
  });

  it("whose node is gone half-way leaves nothing", async () => {
    const url = await freshDatabaseUrl();
    await migrate(url, MIGRATIONS);
    const slow: Migration = {
      name: "9003-slow",
      statements: () => ["create table half (id text)", "select pg_sleep(60)"],
    };
    const failing = migrate(url, [...MIGRATIONS, ADD_MOTTOS, slow]).then(
      () => "applied",
      () => "failed",
    );
    const admin = await connect(url);
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where query = 'select pg_sleep(60)' and application_name = $1`;
    await expect.poll(async () => (await admin.query(cut, [applicationName()])).rowCount).toBe(1);
    expect(await failing).toBe("failed");
    expect([await exists(url, "half"), await exists(url, "mottos")]).toEqual([false, false]);
    await migrate(url, [...MIGRATIONS, ADD_MOTTOS]);
    expect(await exists(url, "mottos")).toBe(true);
  });

  it("that waits for a table does not make others wait for as long, and is applied when the table is free", async () => {
    const url = await freshDatabaseUrl();
    await migrate(url, MIGRATIONS);
    const [holder, reader] = [await connect(url), await connect(url)];
    await holder.query("begin");
    await holder.query("select count(*) from policies");
    let applied = false;
    const migrating = migrate(url, [...MIGRATIONS, ADD_MOTTOS], { ...QUICK, attempts: 100 }).then(
      () => (applied = true),
    );
    const waits = `select 1 from pg_locks where relation = 'policies'::regclass and not granted`;
    for (let round = 0; round < 3; round++) {
      await expect.poll(async () => (await reader.query(waits)).rowCount, { interval: 10 }).not.toBe(0);
      // It comes back while the table is still held, so it was the migration that gave way.
      await reader.query("select count(*) from policies");
    }
    expect(applied).toBe(false);
    await holder.query("commit");
    await migrating;
    expect(await exists(url, "mottos")).toBe(true);
  });

  it("incident 64: that cannot have a table is given up in one line, and nothing is changed", async () => {
    const url = await freshWholeDatabaseUrl();
    await migrate(url, MIGRATIONS);
    const holder = await connect(url);
    await holder.query("begin");
    await holder.query("select count(*) from tokens");
    await expectRefused(
      url,
      [...MIGRATIONS, LATER, ADD_MOTTOS],
      /^cannot change the schema: a table is locked .* retry$/,
    );
  });
});

describe("finish-upgrade", () => {
  async function upgraded(): Promise<string> {
    const url = await freshDatabaseUrl();
    await migrate(url, MIGRATIONS);
    await migrate(url, NEXT);
    return url;
  }

  it("applies what was left, once", async () => {
    const url = await upgraded();
    expect(await finishUpgrade(url, NEXT)).toEqual(["9002-mottos-only"]);
    expect(await phases(url)).toMatchObject({ "9002-mottos-only": "contract" });
    expect(await finishUpgrade(url, NEXT)).toEqual([]);
    await expect(migrate(url, MIGRATIONS)).rejects.toThrow(/9002-mottos-only, which this version does not know/);
  });

  it("does nothing in an empty database", async () => {
    const url = await freshDatabaseUrl();
    expect(await finishUpgrade(url, NEXT)).toEqual([]);
    expect(await exists(url, "tokens")).toBe(false);
  });

  it("is refused while a session of this installation does not know what it applies", async () => {
    const url = await upgraded();
    const old = await connect(url, applicationName());
    await announceSession(old);
    const refused = finishUpgrade(url, NEXT);
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(
      new RegExp(
        `^servers of older versions are connected: \\S+:${process.pid} \\(knows migrations up to \\d{4}\\)\\. Stop them`,
      ),
    );
    await old.end();
    expect(await finishUpgrade(url, NEXT)).toEqual(["9002-mottos-only"]);
  });

  it("is not hindered by sessions of another installation in the database, nor by newer ones", async () => {
    const [url, other] = [await upgraded(), await upgraded()];
    await announceSession(await connect(other, applicationName()));
    const { rows } = await (
      await connect(url)
    ).query<{ id: string }>(`select 'schema_migrations'::regclass::oid as id`);
    await connect(url, `tessera/9002/${rows[0]?.id}/host:1`);
    await connect(url, `tessera/9003/${rows[0]?.id}/host:2`);
    expect(await finishUpgrade(url, NEXT)).toEqual(["9002-mottos-only"]);
  });

  it("a session that comes while it runs waits for it, and is refused", async () => {
    const url = await upgraded();
    const [running, old] = [await connect(url), await connect(url, applicationName())];
    await running.query("begin");
    await running.query("lock table schema_migrations in access exclusive mode");
    await running.query("insert into schema_migrations (name, applied_at, phase) values ('9002-x', '', 'contract')");
    const announced = announceSession(old).then(
      () => "accepted",
      (error: unknown) => String(error),
    );
    const waits = "select from pg_locks where relation = 'schema_migrations'::regclass and not granted";
    await expect.poll(async () => (await running.query(waits)).rowCount).toBe(1);
    await running.query("commit");
    expect(await announced).toMatch(/an upgrade was finished: .* 9002-x, .* start the new version/);
  });

  it("says in one line that the database cannot be reached", async () => {
    const refused = finishUpgrade("postgres://nobody:x@127.0.0.1:1/none", NEXT);
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(/^cannot finish the upgrade; nothing was changed: .*ECONNREFUSED/);
  });
});

/** PostgreSQL in trouble of each kind, under load: 503 and nothing half done, then on without a restart. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { sized } from "../support/length.ts";
import { startPostgres, type PostgresOptions, type PostgresServer } from "../support/postgres.ts";
import { withClient } from "../support/postgres-schema.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { connectClient, type ApiClient } from "./api-client.ts";
import { fill, mountForPostgres, openDirectory, whyNoMount } from "./small-disk.ts";
import { readPostgres } from "./stored-state.ts";
import { findContradictions, makeOrganization, startTagLoad, type Attempt, type TagLoad } from "./tag-load.ts";

const STOPPED_MS = sized(4000, 30_000);
/** How often all its connections are taken away. */
const CUTS = sized(5, 20);
const ROUNDS = sized(1, 4);

let postgres: PostgresServer;
let server: RunningServer;
let probe: ApiClient;
let load: TagLoad;
const afterwards: (() => void)[] = [];
afterEach(async () => {
  await load.stop();
  probe.close();
  await server.kill();
  await postgres.stop("immediate");
  for (const undo of afterwards.splice(0)) undo();
});

/** Starts everything and lets the load do something. */
async function begin(options: PostgresOptions = {}, prepare?: (url: string) => Promise<void>): Promise<void> {
  postgres = await startPostgres({ durable: "kills", ...options });
  await prepare?.(postgres.url);
  server = await startServer({ database: postgres.url });
  const { url, token } = server;
  const workspace = await makeOrganization(url, token, "troubled");
  probe = connectClient(url, token);
  load = startTagLoad({ url, token, organization: "troubled", workspace, clients: 4 });
  await untilDone(40);
}

async function untilDone(more: number): Promise<void> {
  const before = load.done();
  await expect.poll(() => load.done(), { timeout: 60_000 }).toBeGreaterThanOrEqual(before + more);
}

function unavailable(): number {
  return load.attempts.filter(({ status }) => status === 503).length;
}

async function untilRefused(more: number): Promise<void> {
  const before = unavailable();
  await expect.poll(unavailable, { timeout: 60_000 }).toBeGreaterThanOrEqual(before + more);
}

async function sql(...statements: string[]): Promise<void> {
  await withClient(postgres.url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

/** Ends the load and compares what it was told with what is there. */
async function expectNothingLost(): Promise<void> {
  await load.stop();
  const attempts: readonly Attempt[] = load.attempts;
  expect(attempts.filter(({ status }) => status !== 503 && (status < 200 || status >= 300))).toEqual([]);
  const refused = attempts.filter(({ outcome, status }) => outcome === "refused" && status === 503);
  expect(refused.filter((attempt) => !attempt.retryAfter)).toEqual([]);
  const stored = await readPostgres(postgres.url);
  expect(stored.faults).toEqual([]);
  expect(findContradictions(attempts, stored.tags)).toEqual([]);
}

const read = async (path = "organizations/troubled/tags") => (await probe.send("GET", `/api/v2/${path}`)).status;

test(`stopped for ${STOPPED_MS / 1000} s: each request is told so at once, and all goes on within seconds of its return`, async () => {
  await begin();
  await postgres.shutDown("fast");
  const stopped = performance.now();
  await untilRefused(20);
  while (performance.now() - stopped < STOPPED_MS) {
    // Nobody waits for the end of an outage, which comes after all these answers: a client has others to ask.
    expect(await read()).toBe(503);
    await sleep(200);
  }
  await postgres.restart();
  await expect.poll(async () => (await probe.send("GET", "/readyz")).status, { timeout: 60_000 }).toBe(200);
  await untilDone(100);
  await expectNothingLost();
});

test("out of connections: those that it has go on, a start is refused in one line, and lost ones are made again", async () => {
  await begin({ settings: { max_connections: "40", superuser_reserved_connections: "0" } });
  const others: pg.Client[] = [];
  try {
    for (;;) {
      const client = new pg.Client({ connectionString: postgres.url });
      client.on("error", () => undefined);
      await client.connect();
      others.push(client);
    }
  } catch (error) {
    expect(String(error)).toMatch(/too many clients|remaining connection slots/);
  }
  await untilDone(40);
  await expect(startServer({ database: postgres.url })).rejects.toThrow(/cannot use PostgreSQL: .*(clients|slots)/);
  // Its own are ended, and others take their place.
  const [first] = others;
  const before = unavailable();
  // Until writes were refused for it, how soon ever the server gets its connections back.
  for (let round = 0; round < CUTS || unavailable() < before + 20; round++) {
    await first?.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'tessera%' and datname = current_database()",
    );
    const client = new pg.Client({ connectionString: postgres.url });
    client.on("error", () => undefined);
    await client.connect().then(
      () => others.push(client),
      () => undefined,
    );
  }
  await Promise.all(others.map((client) => client.end()));
  await untilDone(100);
  await expectNothingLost();
});

test("read-only: writes are refused, reads go on, and writes too as soon as it takes them", async () => {
  await begin();
  await sql("alter system set default_transaction_read_only = on", "select pg_reload_conf()");
  await untilRefused(20);
  for (let times = 0; times < 30; times++) {
    expect(await read()).toBe(200);
    await sleep(50);
  }
  // Ready means that writes succeed.
  expect((await probe.send("GET", "/readyz")).status).toBe(503);
  await sql(
    "set default_transaction_read_only = off",
    "alter system reset default_transaction_read_only",
    "select pg_reload_conf()",
  );
  await untilDone(100);
  await expectNothingLost();
});

test.each(["restarted", "reloaded"])(
  "%s with synchronous_commit=off: what was answered is on disk all the same when it crashes",
  async (how) => {
    await begin();
    for (let round = 0; round < ROUNDS; round++) {
      await sql("alter system set synchronous_commit = off", "alter system set wal_writer_delay = '10s'");
      await (how === "restarted" ? postgres.restart() : sql("select pg_reload_conf()"));
      await untilDone(60);
      await postgres.kill();
      await postgres.restart();
      await untilDone(20);
    }
    await expectNothingLost();
  },
);

const reason = whyNoMount();

describe.skipIf(reason !== undefined)(`disk full${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  function smallDisk(megabytes: number): string {
    const { folder, remove } = mountForPostgres(megabytes);
    afterwards.push(remove);
    return folder;
  }

  test("of the tables: writes are refused, reads go on, and writes too once there is space", async () => {
    const folder = smallDisk(64);
    await begin({ durable: true }, async (url) => {
      const place = openDirectory(folder, "tables");
      await withClient(url, async (client) => {
        await client.query(`create tablespace small location '${place}'`);
        await client.query("alter role postgres set default_tablespace = small");
      });
    });
    for (let round = 0; round < ROUNDS; round++) {
      const ballast = fill(folder);
      await untilRefused(20);
      expect(await read()).toBe(200);
      rmSync(ballast);
      await untilDone(60);
    }
    await expectNothingLost();
  });

  test("of all it has, so that it stops: nothing answered is lost when it is up again", async () => {
    const folder = smallDisk(160);
    await begin({
      durable: true,
      dataDir: join(openDirectory(folder, "cluster"), "data"),
      settings: { max_wal_size: "32MB", min_wal_size: "32MB" },
    });
    const ballast = fill(folder);
    await untilRefused(20);
    rmSync(ballast);
    await postgres.restart();
    await untilDone(60);
    await expectNothingLost();
  });
});

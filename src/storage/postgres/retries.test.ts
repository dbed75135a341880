import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { startPostgres } from "../../../test/support/postgres.ts";
import { freshDatabaseUrl, freshPlainDatabaseUrl, withClient } from "../../../test/support/postgres-schema.ts";
import { insertFact, listFacts, makeCounter, openForTest, readCounter, root } from "../../../test/support/storage.ts";
import { StartError } from "../start-error.ts";

/** A second client, for locks that the seam does not take. */
async function connectOther(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Makes each insert of a fact called `name` fail with that SQLSTATE, as many times as told. */
async function failInserts(url: string, name: string, state: string, times: number): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("create sequence failures");
    await client.query(`create function fail() returns trigger language plpgsql as $$
      begin
        if new.name = '${name}' and nextval('failures') <= ${times} then raise exception using errcode = '${state}'; end if;
        return new;
      end $$`);
    await client.query("create trigger fail before insert on meta for each row execute function fail()");
  });
}

test("a transaction that met a deadlock is run again and succeeds", async () => {
  const url = await freshDatabaseUrl();
  const db = await openForTest(url);
  await db.inTransaction(root, async (tx) => tx.write(insertFact, { name: "a", value: "" }));
  const [other, watcher] = [await connectOther(url), await connectOther(url)];
  const { rows } = await other.query<{ pid: number }>("select pg_backend_pid() as pid");
  const isBlocked = async () => {
    const found = await watcher.query<{ by: number[] }>("select pg_blocking_pids($1) as by", [rows[0]?.pid]);
    return found.rows[0]?.by.length === 1;
  };
  await other.query("set deadlock_timeout = '60s'");
  await other.query("begin");
  await other.query("update meta set value = 'other' where name = 'a'");
  let othersEnd: Promise<unknown> | undefined;
  let runs = 0;
  await db.inTransaction(root, async (tx) => {
    runs += 1;
    // It holds its counter from here on, and takes the row when this returns. A deadlock is looked for once, a second
    // after a wait began: by then the other one has to wait for ours.
    await tx.index();
    othersEnd ??= other
      .query("update counters set value = value where name = 'root'")
      .then(() => other.query("commit"));
    if (runs === 1) await expect.poll(isBlocked, { interval: 5 }).toBe(true);
    tx.write(tx.sql.updateTable("meta").set({ value: "ours" }).where("name", "=", "a"));
  });
  await othersEnd;
  // Ours may come first to the counter that it gave up, and meet the other one again.
  expect(runs).toBeGreaterThan(1);
  expect(await listFacts(db)).toEqual({ a: "ours" });
});

test.each(["40001", "40P01"])("a failure %s that passes is not shown to the caller", async (state) => {
  const url = await freshDatabaseUrl();
  const db = await openForTest(url);
  await failInserts(url, "odd", state, 3);
  let runs = 0;
  await db.inTransaction(root, async (tx) => {
    runs += 1;
    tx.write(insertFact, { name: "odd", value: "" });
  });
  expect(runs).toBe(4);
  expect(await listFacts(db)).toEqual({ odd: "" });
});

test("a serialization failure that does not pass ends as unavailable after four runs", async () => {
  const url = await freshDatabaseUrl();
  const db = await openForTest(url);
  await failInserts(url, "odd", "40001", 1000);
  const before = await readCounter(db, "root");
  let runs = 0;
  const hopeless = db.inTransaction(root, async (tx) => {
    runs += 1;
    tx.write(insertFact, { name: "odd", value: "" });
  });
  await expect(hopeless).rejects.toMatchObject({ code: "unavailable" });
  expect(runs).toBe(4);
  expect(await readCounter(db, "root")).toBe(before);
});

test("a counter that another holds for too long makes the write unavailable, and others go on", async () => {
  const url = await freshDatabaseUrl();
  const db = await openForTest(url);
  const [stuck, free] = [await makeCounter(db, "organization", "stuck"), await makeCounter(db, "organization", "free")];
  const other = await connectOther(url);
  await other.query("begin");
  await other.query("update counters set value = value where name = 'organization/stuck'");
  const waiting = db.inTransaction(stuck, async (tx) => tx.write(insertFact, { name: "stuck", value: "" }));
  await db.inTransaction(free, async (tx) => tx.write(insertFact, { name: "free", value: "" }));
  await expect(waiting).rejects.toMatchObject({ code: "unavailable" });
  expect(await listFacts(db)).toEqual({ free: "" });
});

test("an integer too large for a number is refused, not rounded", async () => {
  const url = await freshDatabaseUrl();
  const db = await openForTest(url);
  await withClient(url, (client) => client.query("insert into counters values ('huge', 9007199254740993)"));
  await expect(readCounter(db, "huge")).rejects.toThrow(RangeError);
  expect(await readCounter(db, "root")).toBeTypeOf("number");
});

test.each(["off", "local", "remote_write"])(
  "a server set to synchronous_commit=%s still makes every commit durable",
  async (level) => {
    const server = await startPostgres({ durable: "kills", settings: { synchronous_commit: level } });
    try {
      const db = await openForTest(server.url);
      const shown = await db.inTransaction(root, (tx) =>
        tx.sql
          .selectFrom("pg_settings" as "meta")
          .select("setting" as "value")
          .where("name", "=", "synchronous_commit")
          .execute(),
      );
      expect(shown).toEqual([{ setting: "on" }]);
      await withClient(server.url, async (client) => {
        expect((await client.query("show synchronous_commit")).rows).toEqual([{ synchronous_commit: level }]);
      });
      await db.close();
    } finally {
      await server.stop();
    }
  },
);

test("four nodes that start at once on an empty schema all come up, and one migrated", async () => {
  const url = await freshDatabaseUrl();
  const dataDir = temporaryDirectory();
  // The master key is given to all, as an operator of several nodes does; another database has used it.
  await openForTest(await freshDatabaseUrl(), { dataDir });
  const nodes = await Promise.all(Array.from({ length: 4 }, () => openForTest(url, { dataDir, allowEmpty: true })));
  const sealed = await Promise.all(nodes.map((node) => node.keyring.seal("s", "p")));
  for (const node of nodes) for (const text of sealed) expect(await node.keyring.open(text, "p")).toBe("s");
  const [first] = nodes;
  const lookupKeys = await first?.sql.selectFrom("data_keys").select("id").where("purpose", "=", "lookup").execute();
  expect(lookupKeys?.length).toBe(1);
});

test("nodes that start at once on an empty schema with different keys: one comes up, the others are refused", async () => {
  const url = await freshDatabaseUrl();
  const starts = await Promise.allSettled(Array.from({ length: 3 }, () => openForTest(url)));
  expect(starts.filter((start) => start.status === "fulfilled").length).toBe(1);
  for (const start of starts) if (start.status === "rejected") expect(start.reason).toBeInstanceOf(StartError);
});

test("a role that may create no extension still gets a database", async () => {
  const url = await freshPlainDatabaseUrl();
  const db = await openForTest(url);
  await db.inTransaction(root, async (tx) => tx.write(insertFact, { name: "a", value: "" }));
  expect(await listFacts(db)).toEqual({ a: "" });
});

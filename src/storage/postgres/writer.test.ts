import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTcpProxy, type TcpProxy } from "../../../test/faults/tcp-proxy.ts";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { startPostgres } from "../../../test/support/postgres.ts";
import { sharedTemporaryDirectory } from "../../../test/support/postgres-native.ts";
import { freshDatabaseUrl, withClient } from "../../../test/support/postgres-schema.ts";
import { sessionOf, standStillUntilEnded } from "../../../test/support/stalls.ts";
import {
  findFact,
  insertFact,
  listFacts,
  makeCounter,
  openForTest,
  readCounter,
  root,
} from "../../../test/support/storage.ts";
import type { Database } from "../database.ts";

interface BehindProxy {
  db: Database;
  direct: Database;
  proxy: TcpProxy;
}

/** A database behind a proxy, and the same one reached directly. */
async function openBehindProxy(onWarning = (_message: string) => undefined): Promise<BehindProxy> {
  const url = await freshDatabaseUrl();
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  const dataDir = temporaryDirectory();
  const db = await openForTest(proxy.url, { dataDir, onWarning });
  return { db, direct: await openForTest(url, { dataDir }), proxy };
}

const addFact = (db: Database, name: string) =>
  db.inTransaction(root, async (tx) => tx.write(insertFact, { name, value: "" }));

/** Writes are refused while connections come back; that takes a moment. */
async function eventually(work: () => Promise<unknown>): Promise<void> {
  await expect.poll(() => work().then(() => "done", String)).toBe("done");
}

const holds = (data: Buffer, word: string) => data.includes(word);

test("two nodes with the same key read each other's sealed secrets and share their counters", async () => {
  const url = await freshDatabaseUrl();
  const dataDir = temporaryDirectory();
  const [one, two] = await Promise.all([openForTest(url, { dataDir }), openForTest(url, { dataDir })]);
  const sealed = await Promise.all([one.keyring.seal("from one", "p"), two.keyring.seal("from two", "p")]);
  expect(await Promise.all(sealed.map((text) => one.keyring.open(text, "p")))).toEqual(["from one", "from two"]);
  expect(await Promise.all(sealed.map((text) => two.keyring.open(text, "p")))).toEqual(["from one", "from two"]);
  expect(one.keyring.lookup("x")).toBe(two.keyring.lookup("x"));

  const counter = await makeCounter(one, "organization", "shared");
  await addFact(one, "sum");
  const add = (db: Database) =>
    db.inTransaction(counter, async (tx) => {
      const [row] = await tx.run(findFact, { name: "sum" });
      tx.write(
        tx.sql
          .updateTable("meta")
          .set({ value: String(Number(row?.value) + 1) })
          .where("name", "=", "sum"),
      );
    });
  await Promise.all(Array.from({ length: 64 }, (_, i) => add(i % 2 === 0 ? one : two)));
  expect(await listFacts(one)).toEqual({ sum: "64" });
  expect(await readCounter(two, "organization/shared")).toBe(64);
});

test("COMMIT that the server answers with ROLLBACK is no success", async () => {
  const db = await openForTest(await freshDatabaseUrl());
  const spoiled = db.inTransaction(root, async (tx) => {
    // Every write succeeds by itself, but the transaction was aborted before: the tag is the only sign of it.
    await tx.run(findFact, { name: "x" });
    await tx.sql
      .selectFrom("no_such_table" as "meta")
      .selectAll()
      .execute()
      .catch(() => undefined);
    tx.write(tx.sql.insertInto("meta").values({ name: "never", value: "", proof: "" }));
  });
  await expect(spoiled).rejects.toThrow();
  expect(await listFacts(db)).toEqual({});
});

test("a commit that the server refuses is known to have done nothing", async () => {
  const url = await freshDatabaseUrl();
  const db = await openForTest(url);
  await withClient(url, (client) =>
    client.query(
      "alter table meta add constraint known foreign key (value) references counters deferrable initially deferred",
    ),
  );
  await expect(addFact(db, "orphan")).rejects.toMatchObject({ code: "not_found" });
  expect(await listFacts(db)).toEqual({});
});

// The end of a session is told as the answer to COMMIT, and says nothing of it.
test.each(["pg_cancel_backend", "pg_terminate_backend"])(
  "a commit whose wait for its standby is ended by %s is neither told as done nor run again",
  async (end) => {
    const server = await startPostgres({ durable: true });
    onTestFinished(() => server.stop());
    const db = await openForTest(server.url);
    await withClient(server.url, async (client) => {
      await client.query("alter system set synchronous_standby_names = 'nobody'");
      await client.query("select pg_reload_conf()");
      // The server begins to wait for it a moment after the reload: until then commits are done at once.
      let [name, outcome] = ["", Promise.resolve<unknown>("done")];
      let [times, runs] = [0, 0];
      let isWaiting = false;
      const write = () => {
        name = `fact-${times++}`;
        isWaiting = true;
        runs = 0;
        outcome = db
          .inTransaction(root, async (tx) => {
            runs += 1;
            tx.write(insertFact, { name, value: "" });
          })
          .then(() => "done")
          .catch((error: unknown) => error)
          .finally(() => (isWaiting = false));
      };
      const ended = `select ${end}(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
      const isEnded = async () => {
        if (!isWaiting) write();
        return (await client.query(ended)).rowCount;
      };
      await expect.poll(isEnded, { timeout: 60_000 }).toBe(1);
      expect(await outcome).toMatchObject({ code: "outcome_unknown" });
      expect(runs).toBe(1);
      // It is there all the same: only nobody may be told so.
      expect(Object.keys(await listFacts(db))).toContain(name);
    });
  },
);

test("a connection lost after COMMIT arrived leaves the outcome unknown, and the write is there", async () => {
  const { db, direct, proxy } = await openBehindProxy();
  proxy.judge = (direction, data) => (direction === "down" && holds(data, "COMMIT\0") ? "cut" : "pass");
  await expect(addFact(db, "arrived")).rejects.toMatchObject({ code: "outcome_unknown" });
  proxy.judge = () => "pass";
  expect(await listFacts(direct)).toEqual({ arrived: "" });
  await eventually(() => addFact(db, "next"));
});

test("a connection lost while COMMIT is under way leaves the outcome unknown, and nothing is half there", async () => {
  const { db, direct, proxy } = await openBehindProxy();
  proxy.judge = (direction, data) => (direction === "up" && holds(data, "commit\0") ? "cut" : "pass");
  await expect(addFact(db, "lost")).rejects.toMatchObject({ code: "outcome_unknown" });
  proxy.judge = () => "pass";
  expect(await listFacts(direct)).toEqual({});
  await eventually(() => addFact(db, "lost"));
  expect(await listFacts(direct)).toEqual({ lost: "" });
});

test("a connection lost before the writes were sent is unavailable, and nothing happened", async () => {
  const { db, direct, proxy } = await openBehindProxy();
  proxy.judge = (direction, data) => (direction === "up" && holds(data, "begin") ? "cut" : "pass");
  await expect(addFact(db, "never")).rejects.toMatchObject({ code: "unavailable" });
  proxy.judge = () => "pass";
  expect(await listFacts(direct)).toEqual({});
});

test("one broken connection takes no writes while others are up", async () => {
  const { db, proxy } = await openBehindProxy();
  proxy.refuse = true;
  let broken = false;
  proxy.judge = (direction, data) => {
    if (broken || direction !== "up" || !holds(data, "begin")) return "pass";
    broken = true;
    return "cut";
  };
  await expect(addFact(db, "cut")).rejects.toMatchObject({ code: "unavailable" });
  for (let i = 0; i < 5; i++) await addFact(db, `in turn ${i}`);
  await Promise.all(Array.from({ length: 20 }, (_, i) => addFact(db, `at once ${i}`)));
  expect(Object.keys(await listFacts(db)).length).toBe(25);
});

test("a connection whose server has become read-only is made again before it gets another write", async () => {
  const { db, proxy, direct } = await openBehindProxy();
  await withClient(proxy.url, async (client) => {
    await client.query("create sequence failures");
    await client.query(`create function fail() returns trigger language plpgsql as $$
      begin
        if nextval('failures') = 1 then raise exception using errcode = 'read_only_sql_transaction'; end if;
        return new;
      end $$`);
    await client.query("create trigger fail before update on counters for each row execute function fail()");
  });
  const used: number[] = [];
  proxy.judge = (direction, data, connection) => {
    if (direction === "up" && holds(data, "begin")) used.push(connection);
    return "pass";
  };
  await expect(addFact(db, "refused")).rejects.toMatchObject({ code: "unavailable" });
  for (let i = 0; i < 3; i++) await addFact(db, `n${i}`);
  expect(used.length).toBe(4);
  expect(used.slice(1)).not.toContain(used[0]);
  expect(Object.keys(await listFacts(direct)).length).toBe(3);
});

test("a transaction does not go on in the connection that replaces its own", async () => {
  const url = await freshDatabaseUrl();
  const dataDir = temporaryDirectory();
  const db = await openForTest(url, { dataDir });
  const before = await readCounter(db, "root");
  const sessions = async () =>
    withClient(url, async (client) => {
      const found = await client.query<{ pid: number }>(
        "select pid from pg_stat_activity where application_name like $1",
        [`%:${process.pid}`],
      );
      return found.rows.map(({ pid }) => pid);
    });
  const moved = db.inTransaction(root, async (tx) => {
    tx.write(insertFact, { name: "outside any transaction", value: "" });
    tx.write(tx.sql.insertInto("no_such_table" as "meta").values({ name: "refused", value: "", proof: "" }));
    await tx.index();
    const first = await sessions();
    await withClient(url, (client) =>
      client.query(`select pg_terminate_backend(pid) from pg_stat_activity
                    where state = 'idle in transaction' and pid <> pg_backend_pid() and datname = current_database()
                      and query like 'update counters%' and application_name like '%:${process.pid}'`),
    );
    // The connection is made again.
    await expect.poll(async () => (await sessions()).length).toBe(first.length);
    expect(await sessions()).not.toEqual(expect.arrayContaining(first));
  });
  await expect(moved).rejects.toMatchObject({ code: "unavailable" });
  expect(await listFacts(db)).toEqual({});
  expect(await readCounter(db, "root")).toBe(before);
});

test("reads and writes fail as unavailable while the server is away, and work again when it is back", async () => {
  let lost = 0;
  const { db, proxy } = await openBehindProxy((message) => void (lost += message.includes("lost") ? 1 : 0));
  proxy.refuse = true;
  const { open } = proxy;
  proxy.cut();
  await expect.poll(() => lost).toBe(open);
  await expect(addFact(db, "away")).rejects.toMatchObject({ code: "unavailable" });
  await expect(listFacts(db)).rejects.toMatchObject({ code: "unavailable" });
  await expect(listFacts(db.long)).rejects.toMatchObject({ code: "unavailable" });
  await expect(db.ping()).rejects.toMatchObject({ code: "unavailable" });
  proxy.refuse = false;
  await eventually(() => db.ping());
  await eventually(() => addFact(db, "back"));
  await eventually(async () => expect(await listFacts(db)).toEqual({ back: "" }));
});

test("a server that falls silent is given up, not waited for without end", async () => {
  const { db, proxy, direct } = await openBehindProxy();
  proxy.judge = () => "lose";
  const asked = Promise.allSettled([addFact(db, "silent"), listFacts(db), db.ping()]);
  const outcomes = await asked;
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected", "rejected"]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: "unavailable" } });
  proxy.judge = () => "pass";
  // Connections that owed nothing are not known to be dead; they are as good as before.
  await eventually(() => addFact(db, "heard"));
  expect(await listFacts(direct)).toEqual({ heard: "" });
});

test("a process that stood still learns over a Unix socket too that the database ended its transaction", async () => {
  const sockets = mkdtempSync(join(sharedTemporaryDirectory(), "tessera-socket-"));
  onTestFinished(() => rmSync(sockets, { recursive: true }));
  chmodSync(sockets, 0o777);
  const server = await startPostgres({ settings: { unix_socket_directories: sockets } });
  onTestFinished(() => server.stop());
  const url = new URL(server.url);
  const place = `host=${encodeURIComponent(sockets)}&port=${url.port}`;
  const db = await openForTest(`postgres://postgres:${url.password}@${url.pathname}?${place}`);
  let runs = 0;
  await db.inTransaction(root, async (tx) => {
    runs += 1;
    // With the limit that each session has: a write to a closed socket of this kind keeps what came from being read.
    if (runs === 1) standStillUntilEnded(server.url, await sessionOf(tx));
    tx.write(insertFact, { name: "a", value: String(runs) });
  });
  expect(await listFacts(db)).toEqual({ a: "2" });
});

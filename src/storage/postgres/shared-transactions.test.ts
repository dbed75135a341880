import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startTcpProxy, type TcpProxy } from "../../../test/faults/tcp-proxy.ts";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { freshDatabaseUrl } from "../../../test/support/postgres-schema.ts";
import {
  ensurePartition,
  findFact,
  insertFact,
  listFacts,
  makeCounter,
  makeOrganization,
  openForTest,
  readCounter,
  root,
} from "../../../test/support/storage.ts";
import { AppError } from "../../errors.ts";
import type { Counter } from "../writes/counters.ts";
import type { Database, Transaction } from "../database.ts";
import { NO_PARTITION, type FeedEvent } from "../feed/feed.ts";

const scope = { partition: "default", namespace: "default" };

interface Behind {
  db: Database;
  direct: Database;
  proxy: TcpProxy;
  /** Transactions that were begun. */
  begun(): number;
}

async function openBehindProxy(): Promise<Behind> {
  const url = await freshDatabaseUrl();
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  const dataDir = temporaryDirectory();
  const db = await openForTest(proxy.url, { dataDir });
  let begun = 0;
  proxy.judge = (direction, data) => {
    if (direction === "up") begun += data.toString("latin1").split("begin isolation").length - 1;
    return "pass";
  };
  return { db, direct: await openForTest(url, { dataDir }), proxy, begun: () => begun };
}

const write =
  (name: string, value = "") =>
  async (tx: Transaction) =>
    tx.write(insertFact, { name, value });

/**
 * Runs the first write, and the second one, which comes while the first has the counter and so goes on in the same
 * transaction.
 */
function together<A, B>(
  db: Database,
  counter: Counter,
  first: (tx: Transaction) => Promise<A>,
  second: (tx: Transaction) => Promise<B>,
): Promise<[PromiseSettledResult<A>, PromiseSettledResult<B>]> {
  const { promise, resolve } = Promise.withResolvers<Promise<B>>();
  let isAsked = false;
  const one = db.inTransaction(counter, async (tx) => {
    await tx.index();
    if (!isAsked) {
      const two = db.inTransaction(counter, second);
      // It is awaited below.
      two.catch(() => undefined);
      resolve(two);
    }
    isAsked = true;
    return first(tx);
  });
  return Promise.allSettled([one, promise.then((two) => two)]);
}

test("writes that wait for the same counter share a transaction, and each has an index of its own", async () => {
  const { db, begun } = await openBehindProxy();
  const counter = await makeCounter(db, "partition", "shared");
  const before = begun();
  const indexes = await Promise.all(
    Array.from({ length: 64 }, (_, i) =>
      db.inTransaction(counter, async (tx) => {
        tx.write(insertFact, { name: `n${i}`, value: "" });
        return tx.index();
      }),
    ),
  );
  expect(indexes.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 64 }, (_, i) => i + 1));
  expect(await readCounter(db, "partition/shared")).toBe(64);
  expect(Object.keys(await listFacts(db)).length).toBe(64);
  expect(begun() - before).toBeLessThan(64);
});

test("a write finds what the one before it in the same transaction has written", async () => {
  const { db, begun } = await openBehindProxy();
  const before = begun();
  const found = await together(db, root, write("first", "seen"), (tx) => tx.run(findFact, { name: "first" }));
  expect(found[1]).toEqual({ status: "fulfilled", value: [{ name: "first", value: "seen" }] });
  expect(begun() - before).toBe(1);
});

test("one that is refused takes no index, and those beside it are made", async () => {
  const { db, begun } = await openBehindProxy();
  const counter = await makeCounter(db, "partition", "shared");
  const before = begun();
  const refuse = async (tx: Transaction) => {
    tx.write(insertFact, { name: "never", value: "" });
    await tx.run(findFact, { name: "made" });
    throw new AppError("conflict", "refused");
  };
  const indexOf = (name: string) => async (tx: Transaction) => {
    tx.write(insertFact, { name, value: "" });
    return tx.index();
  };
  const [refused, made] = await together(db, counter, refuse, indexOf("made"));
  expect(refused).toMatchObject({ status: "rejected", reason: { code: "conflict", message: "refused" } });
  expect(made).toEqual({ status: "fulfilled", value: 1 });
  expect(begun() - before).toBe(1);
  const [next, last] = await together(db, counter, indexOf("next"), refuse);
  expect([next, last.status]).toEqual([{ status: "fulfilled", value: 2 }, "rejected"]);
  expect(await readCounter(db, "partition/shared")).toBe(2);
  expect(await listFacts(db)).toEqual({ made: "", next: "" });
});

test("nothing is committed for writes that are all refused, or write nothing under an organization", async () => {
  const { db } = await openBehindProxy();
  const owner = await makeOrganization(db, "org");
  const refuse = () => Promise.reject(new AppError("conflict", "refused"));
  const [one, two] = await together(db, owner, refuse, () => Promise.resolve("nothing"));
  expect([one.status, two]).toEqual(["rejected", { status: "fulfilled", value: "nothing" }]);
  expect(await readCounter(db, "organization/org")).toBe(0);
});

test.each([1, 2])("a unique key that write %d breaks is refused to that one alone", async (place) => {
  const { db } = await openBehindProxy();
  const counter = await makeCounter(db, "partition", "shared");
  await db.inTransaction(counter, write("taken"));
  const works = place === 1 ? ([write("taken"), write("free")] as const) : ([write("free"), write("taken")] as const);
  const outcomes = await together(db, counter, ...works);
  expect(outcomes[place - 1]).toMatchObject({ status: "rejected", reason: { code: "already_exists" } });
  expect(outcomes[2 - place]).toMatchObject({ status: "fulfilled" });
  expect(await listFacts(db)).toEqual({ free: "", taken: "" });
  expect(await readCounter(db, "partition/shared")).toBe(2);
});

test("a read that fails in one write, and is swallowed, fails that one alone", async () => {
  const { db } = await openBehindProxy();
  const swallow = async (tx: Transaction) => {
    const read = tx.sql.selectFrom("no_such_table" as "meta").selectAll();
    await read.execute().catch(() => undefined);
    tx.write(insertFact, { name: "never", value: "" });
  };
  const outcomes = await together(db, root, write("made"), swallow);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await listFacts(db)).toEqual({ made: "" });
});

test("when a shared commit is lost, no refusal that rests on it is told, and what was written is of unknown outcome", async () => {
  const { db, direct, proxy } = await openBehindProxy();
  const counter = await makeCounter(db, "partition", "shared");
  const heard: FeedEvent[] = [];
  onTestFinished(db.feed.subscribe({ onCommitted: (event) => void heard.push(event) }));
  proxy.judge = (direction, data) => (direction === "up" && data.includes("commit\0") ? "cut" : "pass");
  const refuse = async (tx: Transaction) => {
    if ((await tx.run(findFact, { name: "first" })).length > 0) throw new AppError("conflict", "it is there");
  };
  const [one, two] = await together(db, counter, write("first"), refuse);
  expect(one).toMatchObject({ status: "rejected", reason: { code: "outcome_unknown" } });
  expect(two).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
  proxy.judge = () => "pass";
  expect(await listFacts(direct)).toEqual({});
  expect(heard.filter(({ partition }) => partition === "shared")).toEqual([{ partition: "shared", all: true }]);
});

test("a connection that is lost before a shared commit makes all of it unavailable", async () => {
  const { db, direct, proxy } = await openBehindProxy();
  const cut = async (tx: Transaction) => {
    proxy.cut();
    await tx.run(findFact, { name: "first" });
  };
  const outcomes = await together(db, root, write("first"), cut);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: "unavailable" } });
  expect(await listFacts(direct)).toEqual({});
});

test("the feed tells the writes of a shared transaction in order, before anybody is answered, and indexes follow the last", async () => {
  const { db, begun } = await openBehindProxy();
  const counter = await ensurePartition(db, "default");
  await expect.poll(() => db.feed.isTrusted()).toBe(true);
  const heard: unknown[] = [];
  const note = (event: FeedEvent) => void (event.partition === NO_PARTITION || heard.push(event));
  onTestFinished(db.feed.subscribe({ onCommitted: note }));
  const touch = (table: string, key: string) => async (tx: Transaction) => {
    tx.touch({ ...scope, table, key });
    return tx.index();
  };
  const before = begun();
  const works = [touch("tokens", "a"), touch("tokens", "b"), touch("roles", "c"), touch("tokens", "d")] as const;
  const answered = (outcomes: PromiseSettledResult<number>[]) =>
    outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : undefined));
  const [a, b] = answered(await together(db, counter, works[0], works[1]));
  expect(heard.length).toBe(2);
  const [c, d] = answered(await together(db, counter, works[2], works[3]));
  expect(begun() - before).toBe(2);
  expect([b, c, d]).toEqual([1, 2, 3].map((step) => (a ?? 0) + step));
  const told = [
    ["tokens", "a", a],
    ["tokens", "b", b],
    ["roles", "c", c],
    ["tokens", "d", d],
  ];
  expect(heard).toEqual(told.map(([table, key, index]) => ({ ...scope, table, key, index })));
  expect(await db.tableIndex("tokens", scope)).toBe(d);
  expect(await db.tableIndex("roles", scope)).toBe(c);
  expect(await db.tableIndex("tokens", { ...scope, namespace: "*" })).toBe(d);
});

test("indexes that a write deletes stay away, though the one before it had raised them", async () => {
  const { db, begun } = await openBehindProxy();
  const counter = await ensurePartition(db, "default");
  const before = begun();
  const raise = async (tx: Transaction) => tx.touch({ ...scope, namespace: "gone", table: "tokens", key: "a" });
  const remove = async (tx: Transaction) => {
    tx.write(tx.sql.deleteFrom("table_indexes").where("name", "=", "default/gone/tokens"));
    tx.touch({ ...scope, table: "namespaces", key: "gone" });
  };
  await together(db, counter, raise, remove);
  expect(begun() - before).toBe(1);
  const rows = await db.sql.selectFrom("table_indexes").select("name").orderBy("name").execute();
  expect(rows.map(({ name }) => name)).toEqual([
    "default/*/namespaces",
    "default/*/tokens",
    "default/default/namespaces",
  ]);
});

test("a write that has waited too long for its turn is refused, and the counter goes on", async () => {
  const url = await freshDatabaseUrl();
  const db = await openForTest(url);
  const counter = await makeCounter(db, "organization", "stuck");
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("begin");
  await other.query("update counters set value = value where name = 'organization/stuck'");
  // The first has a turn, which waits for the row and fails; the others wait for theirs.
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, (_, i) => db.inTransaction(counter, write(`n${i}`))),
  );
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: "unavailable" } });
  await other.query("rollback");
  await db.inTransaction(counter, write("next"));
  expect(await listFacts(db)).toEqual({ next: "" });
  expect(db.stats().writeQueue).toBe(0);
});

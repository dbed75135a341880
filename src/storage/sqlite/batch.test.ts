import { join } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { ensurePartition, findFact, insertFact, openForTest, root } from "../../../test/support/storage.ts";
import { AppError } from "../../errors.ts";
import { createTurnClock, type TurnClock } from "../../turns.ts";
import type { EngineTransaction } from "../database.ts";
import { createWriteQueue } from "../writes/write-queue.ts";
import { openConnection } from "./connection.ts";
import { createReader } from "./reader.ts";
import { createWriter } from "./writer.ts";

/** For tests in which turns are not to end by the time that they take. */
const patient: TurnClock = { isSpent: () => false, nextTurn: () => immediate() };

/** A queue in front of a writer, and what was told, in order. */
function setUp(clock = patient) {
  const connection = openConnection(join(temporaryDirectory(), "plain.db"), "write");
  const { db } = connection;
  onTestFinished(() => connection.close());
  db.exec("create table counters (name text primary key, value integer, audit_seq integer, audit_hash text)");
  db.exec("create table meta (name text primary key, value text, proof text)");
  db.exec("insert into counters values ('root', 0, 0, ''), ('partition/p', 0, 0, '')");
  const told: string[] = [];
  const ignore = () => undefined;
  const writer = createWriter(connection, createReader(connection, ignore, ignore, clock), clock, {
    onCommit: (commits) => told.push(`committed ${commits.map((commit) => commit?.index).join(",")}`),
    onFull: () => told.push("full"),
    waiting: () => queue.waiting(),
  });
  const queue = createWriteQueue([writer], 1, 3000);

  async function write<T>(name: string, work: (tx: EngineTransaction) => Promise<T>, counter = root): Promise<void> {
    const outcome = new Promise<T>((resolve, reject) => {
      queue.run("", (slot) => slot.transact(counter, work, { resolve, reject })).catch(reject);
    });
    await outcome.then(
      (result) => told.push(`${name} done${result === undefined ? "" : ` with ${String(result)}`}`),
      (error: unknown) => told.push(`${name} ${error instanceof AppError ? error.code : String(error)}`),
    );
  }
  /** Adds a fact, and gives the index of the write. */
  const add = (name: string) => write(name, addFact(name));
  const list = db.prepare("select name from meta order by name");
  const names = () => list.all().map(({ name }) => name);
  return { db, told, write, add, names };
}

const addFact =
  (name: string, value = "") =>
  (tx: EngineTransaction) => {
    tx.write(insertFact, { name, value });
    return tx.index();
  };

/** In the place of a commit that fails: SQLite looks at this only then. */
const FAILING_COMMIT = `
  create table child (id integer references parent (id) deferrable initially deferred);
  create table parent (id integer primary key);
  create trigger fails after insert on meta when new.name = 'fails' begin insert into child values (1); end`;
/** Rolls back the whole batch, as SQLite does by itself when a disk is full or a write fails. */
const LOSING_ALL = `create trigger loses before insert on meta when new.name = 'loses' begin
  select raise(rollback, 'everything'); end`;

test("transactions that wait at the same time share one commit, and are told of it in order, when it has happened", async () => {
  const { told, add } = setUp();
  await Promise.all(["a", "b", "c", "d"].map(add));
  await add("e");
  expect(told).toEqual([
    "committed 1,2,3,4",
    "a done with 1",
    "b done with 2",
    "c done with 3",
    "d done with 4",
    "committed 5",
    "e done with 5",
  ]);
});

test("a refused member leaves nothing, uses no index up, and the others are committed", async () => {
  const { told, write, add, names } = setUp();
  await Promise.all([
    add("a"),
    write("b", async (tx) => {
      tx.write(insertFact, { name: "b", value: "" });
      tx.write(insertFact, { name: "a", value: "" });
    }),
    write("c", async (tx) => {
      tx.write(insertFact, { name: "c", value: "" });
      throw new AppError("conflict", "no");
    }),
    write("d", addFact("d"), { kind: "organization", id: "none" }),
    add("e"),
  ]);
  expect(told).toEqual([
    "committed 1,2",
    "a done with 1",
    "b already_exists",
    "c conflict",
    "d not_found",
    "e done with 2",
  ]);
  expect(names()).toEqual(["a", "e"]);
});

test("the first of a batch is taken back alone too", async () => {
  const { told, write, add, names } = setUp();
  await Promise.all([write("a", () => Promise.reject(new AppError("conflict", "no"))), add("b"), add("c")]);
  expect(told).toEqual(["a conflict", "committed 1,2", "b done with 1", "c done with 2"]);
  expect(names()).toEqual(["b", "c"]);
});

test("who writes nothing is told what others have written when that is committed, and raises no counter", async () => {
  const { told, write, add } = setUp();
  const look = (tx: EngineTransaction) => tx.run(findFact, { name: "a" }).then((rows) => rows.length);
  await Promise.all([write("before", look), add("a"), write("after", look), add("b")]);
  expect(told).toEqual(["before done with 0", "committed 1,2", "a done with 1", "after done with 1", "b done with 2"]);
  // A write in a partition raises its counter even if it changes nothing.
  told.length = 0;
  const p = { kind: "partition", name: "p" } as const;
  await Promise.all([write("a", (tx) => tx.index(), p), write("b", (tx) => tx.index(), p)]);
  expect(told).toEqual(["committed 1,2", "a done with 1", "b done with 2"]);
});

test("where SQLite has rolled back everything, nobody of the batch is told that it was done or why it was refused", async () => {
  const { db, told, write, add, names } = setUp();
  db.exec(LOSING_ALL);
  await Promise.all([add("a"), write("b", addFact("a")), add("loses"), add("c")]);
  expect(told).toEqual(["a unavailable", "b unavailable", "loses unavailable", "committed 1", "c done with 1"]);
  expect(names()).toEqual(["c"]);
});

test("a commit that fails fails for every member of the batch, and the next one goes on", async () => {
  const { db, told, write, add, names } = setUp();
  db.exec(FAILING_COMMIT);
  const look = (tx: EngineTransaction) => tx.run(findFact, { name: "a" });
  await Promise.all([add("a"), add("fails"), write("b", addFact("a")), write("c", look)]);
  expect(told).toEqual(["a unavailable", "fails unavailable", "b unavailable", "c unavailable"]);
  expect(names()).toEqual([]);
  await add("d");
  expect(told.slice(4)).toEqual(["committed 1", "d done with 1"]);
});

test("a disk that is full for one member is told, and what is stored is what was told", async () => {
  const { db, told, write, add, names } = setUp();
  const pages = Number(db.prepare("pragma page_count").get()?.["page_count"]);
  db.exec(`pragma max_page_count = ${pages + 2}`);
  await Promise.all([add("a"), write("b", addFact("b", "x".repeat(50_000))), add("c")]);
  expect(told).toContain("full");
  expect(told).toContain("b unavailable");
  const done = ["a", "c"].filter((name) => told.some((text) => text.startsWith(`${name} done`)));
  expect(names()).toEqual(done);
  expect(done).toContain("c");
});

test("a transaction that was rolled back while its callback read is not continued as single statements", async () => {
  const { db, told, write, add, names } = setUp();
  const rolledBack = async (tx: EngineTransaction) => {
    tx.write(insertFact, { name: "b", value: "" });
    db.exec("rollback");
  };
  await write("b", rolledBack);
  await Promise.all([add("a"), write("b", rolledBack), add("c")]);
  expect(told).toEqual(["b unavailable", "a unavailable", "b unavailable", "committed 1", "c done with 1"]);
  expect(names()).toEqual(["c"]);
});

/** Lets this turn end, and one more, since it may have begun before what it is about. */
async function nextTurns(): Promise<void> {
  await immediate();
  await immediate();
}

/** Work that reads, waits until the test lets it go on, and then writes. */
function held() {
  const gate = Promise.withResolvers<void>();
  const work = async (tx: EngineTransaction) => {
    const before = await tx.run(findFact, { name: "a" });
    await gate.promise;
    const after = await tx.run(findFact, { name: "a" });
    tx.write(insertFact, { name: "held", value: "" });
    return `${before.length} and ${after.length} at ${await tx.index()}`;
  };
  return { work, letGo: gate.resolve };
}

test("one that goes on beyond its turn does not keep those before it from their commit, and goes on behind them", async () => {
  const { told, write, add, names } = setUp();
  const { work, letGo } = held();
  const all = Promise.all([add("a"), write("held", work), add("b")]);
  await nextTurns();
  expect(told).toEqual(["committed 1", "a done with 1"]);
  letGo();
  await all;
  expect(told.slice(2)).toEqual(["committed 2,3", "held done with 1 and 1 at 2", "b done with 3"]);
  expect(names()).toEqual(["a", "b", "held"]);
});

test("one that goes on beyond its turn is refused when those before it could not be committed", async () => {
  const { db, told, write, add, names } = setUp();
  db.exec(FAILING_COMMIT);
  const { work, letGo } = held();
  const all = Promise.all([add("fails"), write("held", work), add("b")]);
  await nextTurns();
  expect(told).toEqual(["fails unavailable"]);
  letGo();
  await all;
  expect(told.slice(1)).toEqual(["held unavailable", "committed 1", "b done with 1"]);
  expect(names()).toEqual(["b"]);
  // Nor is a refusal told that rests on what was lost.
  const refusing = async () => nextTurns().then(() => Promise.reject(new AppError("conflict", "there is such a fact")));
  await Promise.all([add("fails"), write("refusing", refusing)]);
  expect(told.slice(-2)).toEqual(["fails unavailable", "refusing unavailable"]);
});

test("a large transaction in a batch is written once and whole, and those before it are told before it is done", async () => {
  let asked = 0;
  // A turn is over in the middle of its statements, when some of them have run.
  const clock: TurnClock = { isSpent: () => [40, 90].includes(++asked), nextTurn: () => immediate() };
  const { told, write, add, names } = setUp(clock);
  const large = Array.from({ length: 200 }, (_, i) => `large ${i}`);
  const work = async (tx: EngineTransaction) => {
    for (const name of large) tx.write(insertFact, { name, value: "" });
    return tx.index();
  };
  await Promise.all([add("a"), write("large", work), add("b")]);
  expect(told).toEqual(["committed 1", "a done with 1", "committed 2,3", "large done with 2", "b done with 3"]);
  expect(names().length).toBe(large.length + 2);
});

test("a batch of thousands gives the event loop its turns", async () => {
  const { told, add } = setUp(createTurnClock());
  let turns = 0;
  let next = setImmediate(function tick() {
    turns += 1;
    next = setImmediate(tick);
  });
  await Promise.all(Array.from({ length: 900 }, (_, i) => add(`n${i}`)));
  clearImmediate(next);
  expect(turns).toBeGreaterThan(1);
  const commits = told.filter((text) => text.startsWith("committed"));
  expect(commits.length).toBeLessThan(450);
  const indexes = commits.flatMap((text) => text.slice("committed ".length).split(",").map(Number));
  expect(indexes).toEqual(Array.from({ length: 900 }, (_, i) => i + 1));
});

test("the feed tells each write of a batch by its own index, in order, before its caller is told; of a refused one nothing", async () => {
  const db = await openForTest(`sqlite:${join(temporaryDirectory(), "tessera.db")}`);
  const p = await ensurePartition(db, "p");
  const heard: string[] = [];
  db.feed.subscribe({ onCommitted: (event) => heard.push("key" in event ? `${event.key} at ${event.index}` : "all") });
  const touch = async (key: string) => {
    const index = await db.inTransaction(p, async (tx) => {
      tx.touch({ partition: "p", namespace: "default", table: "tokens", key });
      tx.write(insertFact, { name: key, value: "" });
      if (key === "refused") throw new AppError("conflict", "no");
      return tx.index();
    });
    heard.push(`${key} told ${index}`);
  };
  const keys = ["a", "b", "refused", "c", "b", "d"];
  const outcomes = await Promise.allSettled(keys.map(touch));
  expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual([true, true, false, true, false, true]);
  const expected = ["a", "b", "c", "d"].map((key, i) => ({ at: `${key} at ${i + 1}`, told: `${key} told ${i + 1}` }));
  expect(heard.filter((text) => text.includes(" at "))).toEqual(expected.map(({ at }) => at));
  expect(heard.filter((text) => text.includes(" told "))).toEqual(expected.map(({ told }) => told));
  for (const { at, told } of expected) expect(heard.indexOf(at)).toBeLessThan(heard.indexOf(told));
  expect(await db.tableIndex("tokens", { partition: "p", namespace: "default" })).toBe(4);
});

test("after one that took its whole turn the next begins in another, and all are told in order", async () => {
  const db = await openForTest(`sqlite:${join(temporaryDirectory(), "tessera.db")}`);
  const spin = async (tx: EngineTransaction) => {
    const ends = performance.now() + 20;
    while (performance.now() < ends);
    tx.write(insertFact, { name: "slow", value: "" });
  };
  const done: string[] = [];
  const note = (name: string) => () => void done.push(name);
  await Promise.all([
    db.inTransaction(root, addFact("a")).then(note("a")),
    db.inTransaction(root, spin).then(note("slow")),
    db.inTransaction(root, addFact("b")).then(note("b")),
  ]);
  expect(done).toEqual(["a", "slow", "b"]);
});

test("what waits for the connection and is no transaction comes when those before it are committed", async () => {
  const db = await openForTest(`sqlite:${join(temporaryDirectory(), "tessera.db")}`);
  const { work, letGo } = held();
  let isTold = false;
  const write = db.inTransaction(root, work).then(() => (isTold = true));
  const closed = db.close();
  await expect.poll(() => db.stats().writeQueue).toBe(1);
  letGo();
  await closed;
  expect(isTold).toBe(true);
  await write;
});

import { join } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { findFact, insertFact, listFacts, openForTest, root } from "../../../test/support/storage.ts";
import { AppError } from "../../errors.ts";
import type { Database, EngineTransaction } from "../database.ts";
import { openConnection, stopWaiting, type SqliteConnection } from "./connection.ts";
import { createReader, createTurnSnapshot } from "./reader.ts";
import { createTurnClock } from "../../turns.ts";
import { createWriter, type SqliteWriter, type WriterOptions } from "./writer.ts";

const open = () => openForTest(`sqlite:${join(temporaryDirectory(), "tessera.db")}`);

/** Counts the turns of the event loop until told to stop. */
function countTurns(): () => number {
  let turns = 0;
  let next = setImmediate(function tick() {
    turns += 1;
    next = setImmediate(tick);
  });
  return () => {
    clearImmediate(next);
    return turns;
  };
}

/** A writer by itself: its answers wait for no sync. */
function writerOn(connection: SqliteConnection, options: WriterOptions = {}): SqliteWriter {
  const nothing = () => undefined;
  const clock = createTurnClock();
  return createWriter(connection, createReader(connection, nothing, nothing, clock), clock, options);
}

const transact = (writer: SqliteWriter, work: (tx: EngineTransaction) => Promise<void>) =>
  new Promise<void>((resolve, reject) => {
    void writer.transact(root, work, { resolve, reject }).catch(reject);
  });

const readOften = (db: Database, times: number) =>
  db.inTransaction(root, async (tx) => {
    for (let i = 0; i < times; i++) await tx.run(findFact, { name: "none" });
    tx.write(insertFact, { name: `after ${times} reads`, value: "" });
  });

test("a transaction of many reads in a row gives others their turns", async () => {
  const db = await open();
  const turns = countTurns();
  await readOften(db, 30_000);
  expect(turns()).toBeGreaterThan(3);
  expect(await listFacts(db)).toEqual({ "after 30000 reads": "" });
});

test("many short transactions that waited for a long one give others their turns", async () => {
  const db = await open();
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const held = db.inTransaction(root, () => {
    begun.resolve();
    return end.promise;
  });
  await begun.promise;
  const waiting = Array.from({ length: 400 }, (_, i) => readOften(db, 100 + i));
  const turns = countTurns();
  end.resolve();
  await Promise.all([held, ...waiting]);
  expect(turns()).toBeGreaterThan(3);
});

test("that a commit is about to be made is told before anybody can see it", async () => {
  const path = join(temporaryDirectory(), "tessera.db");
  await (await openForTest(`sqlite:${path}`)).close();
  const [connection, onlooker] = [openConnection(path, "write"), openConnection(path, "read")];
  const seen: unknown[] = [];
  const see = () => seen.push(onlooker.all("select name from meta where name = 'told'", []).length);
  const writer = writerOn(connection, { beforeCommit: see, onCommit: see });
  await transact(writer, async (tx) => tx.write(insertFact, { name: "told", value: "" }));
  expect(seen).toEqual([0, 1]);
  onlooker.close();
  connection.close();
});

test("a short transaction ends in the turn in which it began", async () => {
  const path = join(temporaryDirectory(), "tessera.db");
  await (await openForTest(`sqlite:${path}`)).close();
  const connection = openConnection(path, "write");
  onTestFinished(() => connection.close());
  const writer = writerOn(connection);
  const turns: number[] = [];
  for (let i = 0; i < 20; i++) {
    const count = countTurns();
    await transact(writer, async (tx) => {
      for (let read = 0; read < i; read++) await tx.run(findFact, { name: "none" });
      tx.write(insertFact, { name: `after ${i} reads`, value: "" });
    });
    turns.push(count());
    await new Promise((resolve) => setImmediate(resolve));
  }
  // One that another process holds up may have to give its turn back.
  expect(turns).toContain(0);
});

test("a commit is not reported as failed because the reads of its turn have lost their snapshot", async () => {
  const path = join(temporaryDirectory(), "plain.db");
  const write = openConnection(path, "write");
  write.db.exec(
    "create table counters (name text primary key, value integer, audit_seq integer default 0, audit_hash text default '')",
  );
  write.db.exec("create table meta (name text primary key, value text, proof text)");
  write.db.exec("insert into counters (name, value) values ('root', 0)");
  const read = openConnection(path, "read");
  onTestFinished(() => {
    read.close();
    write.close();
  });
  const snapshot = createTurnSnapshot(read);
  const reader = createReader(read, () => undefined, snapshot.enter);
  const writer = writerOn(write, { onCommit: snapshot.leave });

  expect(await reader.run(findFact, { name: "a" })).toEqual([]);
  // SQLite does this by itself after some errors.
  read.db.exec("rollback");
  await transact(writer, async (tx) => tx.write(insertFact, { name: "a", value: "1" }));
  expect(await reader.run(findFact, { name: "a" })).toEqual([{ name: "a", value: "1" }]);
});

describe("a file that another program has locked", () => {
  async function locked(options: WriterOptions) {
    const path = join(temporaryDirectory(), "tessera.db");
    await (await openForTest(`sqlite:${path}`)).close();
    const [own, other, read] = [
      openConnection(path, "write"),
      openConnection(path, "write"),
      openConnection(path, "read"),
    ];
    onTestFinished(() => [own, other, read].forEach((each) => each.close()));
    stopWaiting(own);
    other.db.exec("begin immediate");
    const writer = writerOn(own, options);
    const add = () => transact(writer, async (tx) => tx.write(insertFact, { name: "a", value: "" }));
    return {
      add,
      unlock: () => other.db.exec("commit"),
      count: () => read.all("select name from meta where name = 'a'", []).length,
    };
  }

  test("is waited for, while others have their turns", async () => {
    const { add, unlock, count } = await locked({ lockPatienceMs: 60_000 });
    const added = add();
    for (let turns = 0; turns < 3; turns++) await immediate();
    expect(count()).toBe(0);
    unlock();
    await added;
    expect(count()).toBe(1);
  });

  test("is answered as unavailable when that lasts, and nothing is done later", async () => {
    const { add, unlock, count } = await locked({ lockPatienceMs: 50 });
    await expect(add()).rejects.toMatchObject({ code: "unavailable" });
    unlock();
    expect(count()).toBe(0);
    await add();
    expect(count()).toBe(1);
  });

  test("is waited for no longer when writes are refused meanwhile", async () => {
    let refused: AppError | undefined;
    const { add, unlock, count } = await locked({ lockPatienceMs: 60_000, refusal: () => refused });
    const added = add();
    refused = new AppError("unavailable", "The disk has failed");
    await expect(added).rejects.toThrow("The disk has failed");
    unlock();
    expect(count()).toBe(0);
  });
});

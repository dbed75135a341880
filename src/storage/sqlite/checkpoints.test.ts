import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { insertFact, openForTest, root } from "../../../test/support/storage.ts";
import { untilDurable } from "../writes/durable.ts";
import { startCheckpoints } from "./checkpoints.ts";
import { openConnection } from "./connection.ts";
import { holdFile, placedNow, type PlacedFile } from "./placement.ts";

/** Checkpoints of a database in which there is always something new. */
function startForTest(options: {
  path: string;
  files?: readonly PlacedFile[];
  limitBytes?: number;
  pauseWriter?: (work: () => Promise<void>) => Promise<void>;
  onError?: (message: string) => void;
  onDamage?: (finding: string) => void;
}): void {
  const { path, files = [], limitBytes = 2 ** 30, pauseWriter = (work) => work(), onError = () => undefined } = options;
  const { onDamage } = options;
  let commits = 0;
  const checkpoints = startCheckpoints(
    { database: existsSync(path) ? holdFile(path) : { path, device: 0n, inode: 0n, descriptor: -1 }, files },
    limitBytes,
    () => ++commits,
    pauseWriter,
    onError,
    undefined,
    onDamage,
  );
  onTestFinished(() => void checkpoints.close());
}

test("a checkpoint thread that breaks, also while nobody asks it, is told of once and replaced", async () => {
  const folder = join(temporaryDirectory(), "later");
  const path = join(folder, "plain.db");
  const errors: string[] = [];
  // Each thread finds no folder to open the database in, and ends.
  startForTest({ path, onError: (message) => errors.push(message) });
  await expect.poll(() => errors.length).toBe(1);
  mkdirSync(folder);
  const connection = openConnection(path, "write");
  onTestFinished(() => connection.close());
  connection.db.exec("create table t (text text)");
  connection.db.exec("insert into t values ('marker-of-this-row')");
  await expect.poll(() => readFileSync(path).includes("marker-of-this-row")).toBe(true);
  expect(errors.length).toBe(1);
});

describe("incident 66: a file that is cut between two copyings", () => {
  /** A file that grows by what is copied into it. @returns how to write on, and to wait until all of it is copied */
  function growing(onDamage: (finding: string) => void) {
    const path = join(temporaryDirectory(), "plain.db");
    const writer = openConnection(path, "write");
    onTestFinished(() => writer.close());
    writer.db.exec("create table t (text text)");
    const errors: string[] = [];
    startForTest({ path, onDamage, onError: (message) => errors.push(message) });
    const noop = writer.db.prepare("pragma wal_checkpoint(noop)");
    const isCopied = () => noop.get()?.["log"] === noop.get()?.["checkpointed"];
    const write = () => writer.db.exec("insert into t values (hex(randomblob(100000)))");
    const copied = async () => {
      await expect.poll(isCopied).toBe(true);
    };
    return { path, writer, errors, write, copied };
  }

  test("is told of once, though more is written, and nothing is copied into it any more", async () => {
    const told: string[] = [];
    const { path, writer, errors, write, copied } = growing((finding) => told.push(finding));
    write();
    await copied();
    write();
    await copied();
    const { size } = statSync(path);
    truncateSync(path, size - 4096);
    // Copied into it, this would make it long again.
    write();
    await expect.poll(() => told).toEqual([`the file is ${size - 4096} bytes long, and should be ${size}`]);
    write();
    expect(statSync(path).size).toBe(size - 4096);
    expect([told.length, errors]).toEqual([1, []]);
    expect(writer.db.prepare("pragma wal_checkpoint(noop)").get()).not.toMatchObject({ log: 0 });
  });

  test("one that another program has made smaller is none", async () => {
    const told: string[] = [];
    const { path, writer, write, copied } = growing((finding) => told.push(finding));
    for (let i = 0; i < 4; i++) write();
    await copied();
    const { size } = statSync(path);
    writer.db.exec("delete from t");
    writer.db.exec("vacuum");
    await expect.poll(() => statSync(path).size).toBeLessThan(size);
    write();
    await copied();
    write();
    await copied();
    expect(told).toEqual([]);
  });
});

test("the writer is not kept paused for a long read: the log starts again when that has ended", async () => {
  const path = join(temporaryDirectory(), "plain.db");
  const writer = openConnection(path, "write");
  const reader = openConnection(path, "read");
  onTestFinished(() => {
    reader.close();
    writer.close();
  });
  writer.db.exec("create table t (text text)");
  writer.db.exec("insert into t values (hex(randomblob(100000)))");
  reader.db.exec("begin");
  reader.db.prepare("select count(*) from t").get();
  // More than the reader knows of: the log cannot start again before it ends.
  writer.db.exec("insert into t values (hex(randomblob(100000)))");
  let reads = true;
  let paused = false;
  let pausesWhileRead = 0;
  const endRead = () => {
    reads = false;
    reader.db.exec("commit");
  };
  startForTest({
    path,
    limitBytes: 300_000,
    async pauseWriter(work) {
      paused = true;
      await work();
      paused = false;
      // The pause ends before the read does, as often as it is tried.
      if (reads && ++pausesWhileRead === 2) endRead();
    },
  });
  // The number in the log's header counts how often it has started again.
  const logNumber = () => readFileSync(`${path}-wal`).readUInt32BE(12);
  const before = logNumber();
  const writeOn = (): number => {
    if (!paused) writer.db.exec("insert into t values ('')");
    return logNumber();
  };
  await expect.poll(writeOn).toBeGreaterThan(before);
  expect(reads).toBe(false);
  expect(pausesWhileRead).toBe(2);
});

test("a checkpoint thread opens no other file than the one that is written, and makes none", async () => {
  const path = join(temporaryDirectory(), "plain.db");
  const writer = openConnection(path, "write");
  onTestFinished(() => writer.close());
  writer.db.exec("create table t (text text)");
  const files = placedNow([path, `${path}-wal`]);
  renameSync(path, `${path}.aside`);
  const errors: string[] = [];
  startForTest({ path, files, onError: (message) => errors.push(message) });
  await expect.poll(() => errors.join("\n")).toContain(`${path} was moved or deleted`);
  expect(existsSync(path)).toBe(false);
  expect(existsSync(`${path}-wal`)).toBe(true);
});

test("what was written before the file was moved is in it, also when nothing had been copied yet", async () => {
  const dataDir = temporaryDirectory();
  const path = join(dataDir, "tessera.db");
  await (await openForTest(`sqlite:${path}`, { dataDir })).close();
  const db = await openForTest(`sqlite:${path}`, { dataDir });
  // As long as a server may only be read from.
  await sleep(600);
  await db.inTransaction(root, async (tx) => tx.write(insertFact, { name: "answered", value: "marker-of-this-row" }));
  await untilDurable(db);
  const aside = `${path}.aside`;
  renameSync(path, aside);
  await expect.poll(() => readFileSync(aside).includes("marker-of-this-row")).toBe(true);
});

test("the log starts again while threads read in one turn after the other", async () => {
  const path = join(temporaryDirectory(), "tessera.db");
  const limit = 256 * 1024;
  const db = await openForTest(`sqlite:${path}`, { walLimitBytes: limit });
  const file = new URL("../../../test/support/reading-thread.ts", import.meta.url);
  const threads = Array.from({ length: 3 }, () => new Worker(file, { workerData: { path } }));
  onTestFinished(async () => {
    const ended = threads.map((thread) => once(thread, "exit"));
    for (const thread of threads) thread.postMessage("end");
    await Promise.all(ended);
  });
  await Promise.all(threads.map((thread) => once(thread, "message")));
  const logNumber = () => readFileSync(`${path}-wal`).readUInt32BE(12);
  const first = logNumber();
  let written = 0;
  await expect
    .poll(
      async () => {
        await db.inTransaction(root, async (tx) =>
          tx.write(insertFact, { name: `n${written++}`, value: "x".repeat(20_000) }),
        );
        return logNumber() - first;
      },
      { interval: 10 },
    )
    .toBeGreaterThan(2);
});

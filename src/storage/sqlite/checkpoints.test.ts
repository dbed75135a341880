import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { insertFact, openForTest, root } from "../../../test/support/storage.ts";
import { startCheckpoints } from "./checkpoints.ts";
import { openConnection } from "./connection.ts";

/** Checkpoints of a database in which there is always something new. */
function startForTest(options: {
  path: string;
  limitBytes?: number;
  pauseWriter?: (work: () => Promise<void>) => Promise<void>;
  onError?: (message: string) => void;
}): void {
  const { path, limitBytes = 2 ** 30, pauseWriter = (work) => work(), onError = () => undefined } = options;
  let commits = 0;
  const checkpoints = startCheckpoints(path, limitBytes, () => ++commits, pauseWriter, onError);
  onTestFinished(() => checkpoints.close());
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
  let last: NodeJS.Timeout | undefined;
  const endRead = () => {
    reads = false;
    reader.db.exec("commit");
  };
  startForTest({
    path,
    limitBytes: 300_000,
    async pauseWriter(work) {
      // Long after the pause should have ended, and before a writer that waits for it would be given up.
      last ??= setTimeout(endRead, 1500);
      paused = true;
      await work();
      paused = false;
      if (reads) pausesWhileRead += 1;
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
  expect(pausesWhileRead).toBeGreaterThan(0);
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

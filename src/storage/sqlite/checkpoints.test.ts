import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { insertFact, openForTest, root } from "../contract/fixtures.ts";
import { startCheckpoints, type Checkpoints } from "./checkpoints.ts";
import { openConnection } from "./connection.ts";

const wait = { timeout: 15_000, interval: 20 };

function startForTest(path: string, onError: (message: string) => void): Checkpoints {
  let commits = 0;
  const checkpoints = startCheckpoints(
    path,
    2 ** 30,
    () => ++commits,
    (work) => work(),
    onError,
  );
  onTestFinished(() => checkpoints.close());
  return checkpoints;
}

test("a checkpoint thread that breaks, also while nobody asks it, is told of once and replaced", async () => {
  const folder = join(temporaryDirectory(), "later");
  const path = join(folder, "plain.db");
  const errors: string[] = [];
  // Each thread finds no folder to open the database in, and ends.
  startForTest(path, (message) => errors.push(message));
  await vi.waitFor(() => expect(errors.length).toBe(1), wait);
  mkdirSync(folder);
  const connection = openConnection(path, "write");
  onTestFinished(() => connection.close());
  connection.db.exec("create table t (text text)");
  connection.db.exec("insert into t values ('marker-of-this-row')");
  await vi.waitFor(() => expect(readFileSync(path).includes("marker-of-this-row")).toBe(true), wait);
  expect(errors.length).toBe(1);
});

test("a long read that holds the log does not stop writers while the log wants to start again", async () => {
  const dataDir = temporaryDirectory();
  const path = join(dataDir, "tessera.db");
  const db = await openForTest(`sqlite:${path}`, { dataDir, walLimitBytes: 2 ** 20 });
  const reader = new DatabaseSync(path, { readOnly: true });
  onTestFinished(() => reader.isOpen && reader.close());
  reader.exec("begin");
  reader.prepare("select * from meta").all();
  const value = "x".repeat(20_000);
  const started = performance.now();
  let longest = 0;
  // Past the limit for several rounds, and short of where the log has outgrown it.
  for (let i = 0; i < 70 || performance.now() - started < 1000; i++) {
    const before = performance.now();
    await db.inTransaction(root, async (tx) =>
      tx.write(i < 70 ? insertFact : insertFact, { name: `n${i}`, value: i < 70 ? value : "" }),
    );
    longest = Math.max(longest, performance.now() - before);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(2 ** 20);
  expect(longest).toBeLessThan(1000);
  reader.close();
});

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../../test/support/engines.ts";
import { insertFact, openForTest, root } from "../../../../test/support/storage.ts";
import { refuseLost } from "./keeping.ts";
import { NO_WALK } from "./log-frames.ts";
import { checkMark } from "./match.ts";
import { putMarkRow, readMarkRow } from "./row.ts";
import type { ReadSlot } from "./slots.ts";

const INSTANCE = "a".repeat(32);
const CHOICE = { accept: false, key: undefined, onWarning: () => undefined };

/** A database with the row of a mark, and a number of commits. */
function marked(commits: number): { path: string; db: DatabaseSync } {
  const path = join(temporaryDirectory(), "tessera.db");
  const db = new DatabaseSync(path);
  onTestFinished(() => db.close());
  putMarkRow(db, path, INSTANCE);
  db.exec(`update log_mark set commits = ${commits}`);
  return { path, db };
}

/** A mark of the same database, whose log was begun anew; not all of its frames are known to be copied. */
function begunAnew(counted: number) {
  const salts = [1, 2] as const;
  const numbers = { sequence: 1, frames: 9, copied: 3, pageSize: 4096, commit: 40, copiedCommit: 30, commitBefore: 20 };
  const boot = "0".repeat(32);
  const slot: ReadSlot = {
    ...numbers,
    instance: INSTANCE,
    kind: "live",
    salts,
    sums: salts,
    at: 0,
    boot,
    counted,
    bytes: Buffer.alloc(0),
  };
  return { slot, walk: NO_WALK, handling: "keep", isBegunAnew: true, accepted: undefined, unsure: undefined } as const;
}

test.each([
  ["as many commits as", 60],
  ["more commits than", 61],
])("a database that counts %s its mark has lost nothing with a log that was begun anew", (_, commits) => {
  const { path, db } = marked(commits);
  expect(checkMark(path, db, begunAnew(60), CHOICE)).toMatchObject({ accepted: undefined, slot: { counted: 60 } });
});

test("a database that counts fewer commits than its mark has lost the last ones, which are named", () => {
  const { path, db } = marked(57);
  expect(() => checkMark(path, db, begunAnew(60), CHOICE)).toThrow(/38.* to 40/);
});

test("a command refuses a database whose row names a mark that is gone", () => {
  const { path, db } = marked(1);
  expect(() => refuseLost(path)).toThrow(`${path}.mark`);
  db.exec("drop table log_mark");
  expect(() => refuseLost(path)).not.toThrow();
});

test("a server counts each of its commits in the database", async () => {
  const path = join(temporaryDirectory(), "tessera.db");
  const server = await openForTest(`sqlite:${path}`);
  const db = new DatabaseSync(path);
  onTestFinished(() => db.close());
  const before = readMarkRow(db)?.commits ?? 0;
  for (const name of ["a", "b", "c"])
    await server.inTransaction(root, async (tx) => tx.write(insertFact, { name, value: "" }));
  expect(readMarkRow(db)?.commits).toBeGreaterThanOrEqual(before + 3);
});

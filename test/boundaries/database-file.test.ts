/** Incident 61: nothing opens the file of a database that this process has a connection to, and closes it again. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const OPENS = /\b(?:openSync|open|readFileSync|readFile|copyFileSync|copyFile|createReadStream)\(/;
const IMPORTS = /from "node:fs(?:\/promises)?"/;

/** Files of the embedded storage that open files, by what they open. */
const OPENED: Readonly<Record<string, string>> = {
  "src/storage/sqlite/give.ts": "a database that has another name yet, behind its last connection",
  "src/storage/sqlite/instance.ts": "a lock that it makes; the log and the folder, on which SQLite has no locks",
  "src/storage/sqlite/loading.ts": "a database that it makes, before the first connection",
  "src/storage/sqlite/mark/log-frames.ts": "the log",
  "src/storage/sqlite/mark/slots.ts": "the mark",
  "src/storage/sqlite/mark/start.ts": "the mark; the machine's number of this boot",
  "src/storage/sqlite/mark/write.ts": "the mark",
  "src/storage/sqlite/open.ts": "a database that it makes, before the first connection",
  "src/storage/sqlite/placement.ts": "the database, until the last connection is closed",
  "src/storage/sqlite/snapshot.ts": "a copy that it makes, before the first connection",
  "src/storage/sqlite/wal-sync-worker.ts": "the log",
};

test("each file of the embedded storage that opens files says which: SQLite's locks end when one of them is closed", () => {
  const opening = globSync("src/storage/sqlite/**/*.ts", { cwd: root })
    .filter((path) => !path.endsWith(".test.ts"))
    .filter((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return IMPORTS.test(text) && OPENS.test(text);
    });
  expect(opening.toSorted()).toEqual(Object.keys(OPENED).toSorted());
});

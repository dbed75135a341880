/** The lists of test/support/projects.ts are about files that exist, and complete. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ALONE, OWN } from "../support/projects.ts";

const root = join(import.meta.dirname, "../..");
const listed = new Set([...OWN, ...ALONE].flatMap((pattern) => globSync(pattern, { cwd: root })));

/** Starts of the program and of PostgreSQL; a certificate that openssl makes in a moment disturbs nobody. */
const STARTERS = ["test/support/server.ts", "test/support/postgres.ts"];

/** Whether a file of the tests starts something, itself or in a helper that it imports. */
function startsSomething(file: string, seen = new Set<string>()): boolean {
  if (STARTERS.includes(file)) return true;
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(join(root, file), "utf8");
  if (text.includes('"node:child_process"') && text.includes("process.execPath")) return true;
  const imported = [...text.matchAll(/\b(?:from|import\() ?"(\.[^"]+)"/g)].map(([, path = ""]) =>
    join(dirname(file), path),
  );
  // What the program itself does in the process of a test is the test's own.
  return imported.some((path) => !path.startsWith("src/") && startsSomething(path, seen));
}

test("every test file that starts a server, a database or Node is named as one that shares no process", () => {
  const missing = ["src", "test"]
    .flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root }))
    .filter((file) => !listed.has(file) && startsSomething(file));
  expect(missing).toEqual([]);
});

test.each([...OWN, ...ALONE])("%s names test files that exist", (pattern) => {
  expect(globSync(pattern, { cwd: root })).not.toEqual([]);
});

test("a file that starts a server is recognized, also by way of a helper", () => {
  for (const file of ["test/nodes/lease.test.ts", "test/nodes/watching.test.ts", "src/storage/sqlite/open.test.ts"]) {
    expect(startsSomething(file), file).toBe(true);
  }
  expect(startsSomething("src/tags/rights.test.ts")).toBe(false);
});

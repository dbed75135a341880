/** The lists of test/support/projects.ts and groups.ts are about files that exist, and true of what the files import. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ALWAYS, GROUPS, groupOf } from "../support/groups.ts";
import { listTestFiles } from "../support/honest-run.ts";
import { ALONE, BOTH_ENGINES, isIn, PAGE, POSTGRES_ALONE, PROGRAM, projectOf, PURE } from "../support/projects.ts";

const root = join(import.meta.dirname, "../..");
const files = listTestFiles(root);

/** Starts of the program and of PostgreSQL; a certificate that openssl makes in a moment disturbs nobody. */
const STARTERS = ["test/support/server.ts", "test/support/postgres.ts"];
/** Files of `postgres` that start a PostgreSQL of their own, which is what they are about. */
const OWN_POSTGRES = ["src/storage/postgres/retries.test.ts", "src/storage/postgres/writer.test.ts"];
const DATABASES = ["node:sqlite", "pg"];

const read = (file: string) => readFileSync(join(root, file), "utf8");

const importsOf = memo((file: string): string[] => {
  // Types are gone when the file runs.
  const found = read(file).matchAll(
    /^(?:import|export)\s(?!type\b)[^;]*?from\s+"([^"]+)";|^import\s+"([^"]+)";|\bimport\(\s*"([^"]+)"\s*\)/gms,
  );
  return Array.from(found, ([, from, bare, later]) => from ?? bare ?? later ?? "").map((path) =>
    path.startsWith(".") ? join(dirname(file), path) : path,
  );
});

/** All that a file imports, itself and by what it imports. */
function reachOf(file: string, follows: (path: string) => boolean): Set<string> {
  const seen = new Set<string>();
  const left = [file];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (
      /^(?:src|test|packages|console|packaging|docs)\/.*\.tsx?$/.test(next) &&
      follows(next) &&
      existsSync(join(root, next))
    )
      left.push(...importsOf(next));
  }
  return seen;
}

function memo<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** Whether a file starts the program, a database or Node, itself or in a helper that it imports. */
function startsSomething(file: string): boolean {
  // The program may start threads in the process of a test: that is the test's own.
  const reach = reachOf(file, (path) => !path.startsWith("src/") || path === file);
  const spawns = (path: string) =>
    path.startsWith("test/") || path === file
      ? existsSync(join(root, path)) && /"node:child_process"/.test(read(path)) && /process\.execPath/.test(read(path))
      : false;
  return STARTERS.some((starter) => reach.has(starter)) || [...reach].some(spawns);
}

test("every file that starts a server, a database or Node has a process of its own", () => {
  const shared = files.filter((file) => ["pure", "sqlite", "postgres"].includes(projectOf(file)));
  expect(shared.filter((file) => startsSomething(file) && !OWN_POSTGRES.includes(file))).toEqual([]);
});

test("a file for which nothing is set up reaches no database", () => {
  const pure = files.filter((file) => projectOf(file) === "pure");
  const found = pure.filter((file) => DATABASES.some((database) => reachOf(file, () => true).has(database)));
  expect(found).toEqual([]);
});

test("every file that opens a browser is one of the pages", () => {
  const found = files.filter((file) => reachOf(file, () => true).has("playwright-core"));
  expect(found.filter((file) => projectOf(file) !== "page")).toEqual([]);
});

test("a file that runs on both engines has cases for each engine", () => {
  const found = files.filter((file) => isIn(BOTH_ENGINES, file));
  expect(found.filter((file) => projectOf(file) !== "sqlite" || !/\bfor(?:Each)?Engine\(/.test(read(file)))).toEqual(
    [],
  );
});

test.each([...new Set([...PURE, ...PAGE, ...PROGRAM, ...ALONE, ...POSTGRES_ALONE, ...BOTH_ENGINES, ...ALWAYS])])(
  "%s names test files that exist",
  (pattern) => {
    expect(globSync(pattern, { cwd: root })).not.toEqual([]);
  },
);

test("every file of programs and pages runs always, or is of a group", () => {
  const own = files.filter((file) => ["program", "page", "alone"].includes(projectOf(file)));
  expect(own.filter((file) => groupOf(file) === undefined && !isIn(ALWAYS, file))).toEqual([]);
});

test.each(Object.entries(GROUPS))("the group %s has a walk that is one of its files", (name, { walk }) => {
  expect(files.filter((file) => groupOf(file) === name)).toContain(walk);
});

test("a file that starts a server is recognized, also by way of a helper", () => {
  for (const file of ["test/nodes/lease.test.ts", "test/nodes/watching.test.ts", "src/storage/sqlite/open.test.ts"]) {
    expect(startsSomething(file), file).toBe(true);
  }
  expect(startsSomething("src/tags/pool/rights.test.ts")).toBe(false);
});

/**
 * Plants each bug of `bugs/` in a copy of the tree, runs the test file that it names there, and fails when no test
 * fails: `node test/mutations/run.ts [--some N] [--trees N] [--table [--into FILE]] [--share] [NAME...]`. With `--some` only so many, which the
 * seed of the run draws; with names only those whose files begin so; with `--trees 2` two at once. With `--table` each engine's tests
 * are run apart, and table.tsv says of each bug which find it; bugs that have a row are passed over. The tests have the same seed,
 * so that TESSERA_TEST_SEED repeats all of it. `--share` plants nothing: it prints the share that `npm test` finds.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { withClient } from "../support/postgres-schema.ts";
import { startPostgres } from "../support/postgres.ts";
import { seeded, seedOfRun } from "../support/seeded.ts";
import { drawBugs, listBugs, plantBug, type PlantedBug } from "./planted.ts";
import { describeShare, shareOf } from "./share.ts";
import { describeRow, MATRIX, measure, readTable, writeTable } from "./table.ts";
import { copyTree, runTests } from "./trees.ts";

/** A bug that makes its test hang for longer counts as one that was not found. */
const LONGEST_MS = 180_000;
const BAIL = ["--bail", "1"];
const NOT_TRIED = "not tried, since the run was stopped";
/** For all tests that have found a bug, without one. */
const LONGEST_CLEAN_MS = 1_800_000;

const { values, positionals } = parseArgs({
  options: {
    some: { type: "string" },
    trees: { type: "string", default: "1" },
    table: { type: "boolean", default: false },
    share: { type: "boolean", default: false },
    into: { type: "string", default: join(import.meta.dirname, "table.tsv") },
  },
  allowPositionals: true,
});
const count = values.some === undefined ? Infinity : wholeNumber("--some", values.some);
const treeCount = wholeNumber("--trees", values.trees);
const known = listBugs();
if (values.share) {
  say(describeShare(shareOf(known, readTable(values.into))));
  process.exit(0);
}
const rows = values.table ? readTable(values.into) : [];
const named = known.filter(
  ({ name }) => positionals.length === 0 || positionals.some((given) => name.startsWith(given)),
);
if (named.length === 0) fail(`no planted bug has such a name: ${positionals.join(", ")}`);
const drawn = count === Infinity ? named : drawBugs(named, count, seeded(seedOfRun()));
const bugs = drawn.filter(({ name }) => rows.every((row) => row.name !== name));
/** A run that is stopped leaves nothing behind. */
const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopped.abort());
process.exit((await runAll()) ? 0 : 1);

/** @returns whether every bug was caught */
async function runAll(): Promise<boolean> {
  say(
    `${bugs.length} of ${known.length} planted bugs; seed ${seedOfRun()} (TESSERA_TEST_SEED=${seedOfRun()} repeats it)`,
  );
  // Begun once for all: each run of vitest would start one of its own.
  const postgres = await startPostgres({});
  const trees = Array.from({ length: Math.min(treeCount, Math.max(bugs.length, 1)) }, copyTree);
  try {
    await withClient(postgres.url, async (client) => {
      await client.query("create extension if not exists pg_trgm");
    });
    process.env["TESSERA_TEST_POSTGRES"] = postgres.url;
    return await tryAll(trees);
  } finally {
    for (const tree of trees) rmSync(tree, { recursive: true, force: true });
    await postgres.stop("immediate");
  }
}

async function tryAll(trees: readonly string[]): Promise<boolean> {
  const failures: string[] = [];
  const finders: Finder[] = [];
  const left = bugs.values();
  await Promise.all(
    trees.map(async (tree) => {
      for (const bug of left) {
        const found = stopped.signal.aborted ? NOT_TRIED : await tryBug(tree, bug);
        if (typeof found === "string") failures.push(`${bug.name}: ${found}`);
        else finders.push(found);
      }
    }),
  );
  if (!stopped.signal.aborted) failures.push(...(await findNoise(trees[0] ?? "", finders)));
  for (const failure of failures) say(`failed: ${failure}`);
  say(`${finders.length} of ${bugs.length} planted bugs were caught`);
  return failures.length === 0;
}

/** The test that found a bug. */
interface Finder {
  readonly file: string;
  readonly test: string;
}

/** @returns which test found the bug, or why it does not count as caught */
async function tryBug(tree: string, bug: PlantedBug): Promise<Finder | string> {
  let takeOut: () => void;
  try {
    takeOut = plantBug(tree, bug);
  } catch (error) {
    return (error as Error).message;
  }
  try {
    return await (values.table ? tabulate(tree, bug) : findBug(tree, bug));
  } finally {
    takeOut();
  }
}

async function findBug(tree: string, bug: PlantedBug): Promise<Finder | string> {
  const { failed, isOver, seconds } = await runTests(tree, [bug.test], { options: BAIL }, bounds());
  const [first] = failed;
  const took = `in ${seconds.toFixed(1)} s: ${bug.name}: ${bug.breaks}`;
  say(first === undefined ? `NOT CAUGHT ${took}` : `caught ${took}\n    by ${first}`);
  if (first !== undefined) return { file: bug.test, test: first };
  return isOver ? notEnded(bug) : notCaught(bug);
}

async function tabulate(tree: string, bug: PlantedBug): Promise<Finder | string> {
  const row = await measure(tree, bug, ({ options, env }) =>
    runTests(tree, [bug.test], { options: [...options, ...BAIL], ...(env && { env }) }, bounds()),
  );
  // Nothing was measured of it.
  if (stopped.signal.aborted) return NOT_TRIED;
  rows.push(row);
  writeTable(values.into, rows);
  say(describeRow(row));
  if (row.test !== undefined) return { file: bug.test, test: row.test };
  const isLate = Object.values(row.cells).some(({ verdict }) => verdict === "late");
  return isLate ? notEnded(bug) : notCaught(bug);
}

function notEnded({ test }: PlantedBug): string {
  return `${test} did not end within ${LONGEST_MS / 1000} s`;
}

function notCaught({ test, promise }: PlantedBug): string {
  return `no test of ${test} fails with it, so nothing there shows that ${promise}`;
}

function bounds(longestMs = LONGEST_MS): { longestMs: number; stopped: AbortSignal } {
  return { longestMs, stopped: stopped.signal };
}

/** Runs the finding tests without a bug: a test that fails there has found none. @returns a line for each such test */
async function findNoise(tree: string, finders: readonly Finder[]): Promise<string[]> {
  if (finders.length === 0) return [];
  const tests = [...new Set(finders.map(({ test }) => test))];
  const pattern = `^(?:${tests.map((test) => test.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|")})$`;
  say(`without a bug: the ${tests.length} tests that have found one`);
  const files = [...new Set(finders.map(({ file }) => file))];
  const { failed, passed, isOver } = await runTests(
    tree,
    files,
    { options: ["-t", pattern], ...(values.table && { env: MATRIX }) },
    bounds(LONGEST_CLEAN_MS),
  );
  if (isOver) return [`without a bug the tests did not end within ${LONGEST_CLEAN_MS / 1000} s`];
  return tests
    .filter((test) => failed.includes(test) || !passed.includes(test))
    .map((test) => `without a bug this test has to pass, and does not: ${test}`);
}

function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : fail(`${option} is a whole number`);
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

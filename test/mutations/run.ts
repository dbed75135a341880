/**
 * Plants each bug of `patches/` in a copy of the tree, runs the test file that it names there, and fails when no test
 * fails: `node test/mutations/run.ts [--some N] [NAME...]`. With `--some` only so many, which the seed of the run draws;
 * with names only those whose patches begin so. The tests have the same seed, so that TESSERA_TEST_SEED repeats all of it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { withClient } from "../support/postgres-schema.ts";
import { startPostgres } from "../support/postgres.ts";
import { seeded, seedOfRun } from "../support/seeded.ts";
import { applyBug, drawBugs, listBugs, ROOT, type PlantedBug } from "./planted.ts";

/** A bug that makes its test hang for longer counts as one that was not found. */
const LONGEST_MS = 180_000;
/** For all tests that have found a bug, without one. */
const LONGEST_CLEAN_MS = 1_800_000;

const { values, positionals } = parseArgs({ options: { some: { type: "string" } }, allowPositionals: true });
const count = values.some === undefined ? Infinity : Number(values.some);
if (count !== Infinity && !(Number.isSafeInteger(count) && count > 0)) {
  process.stderr.write("--some is a whole number\n");
  process.exit(2);
}
const known = listBugs();
const named = known.filter(
  ({ name }) => positionals.length === 0 || positionals.some((given) => name.startsWith(given)),
);
const bugs = count === Infinity ? named : drawBugs(named, count, seeded(seedOfRun()));
if (bugs.length === 0) {
  process.stderr.write(`no planted bug has such a name: ${positionals.join(", ")}\n`);
  process.exit(2);
}
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
  const tree = copyTree();
  try {
    await withClient(postgres.url, async (client) => {
      await client.query("create extension if not exists pg_trgm");
    });
    process.env["TESSERA_TEST_POSTGRES"] = postgres.url;
    return await tryAll(tree);
  } finally {
    rmSync(tree, { recursive: true, force: true });
    await postgres.stop("immediate");
  }
}

async function tryAll(tree: string): Promise<boolean> {
  const failures: string[] = [];
  const finders: Finder[] = [];
  for (const bug of bugs) {
    if (stopped.signal.aborted) failures.push(`${bug.name}: not tried, since the run was stopped`);
    else {
      const started = performance.now();
      const found = await tryBug(tree, bug);
      const took = `in ${((performance.now() - started) / 1000).toFixed(1)} s: ${bug.name}: ${bug.breaks}`;
      if (typeof found === "string") failures.push(found);
      else finders.push(found);
      say(typeof found === "string" ? `NOT CAUGHT ${took}` : `caught ${took}\n    by ${found.test}`);
    }
  }
  failures.push(...(await findNoise(tree, finders)));
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
  const problem = applyBug(tree, bug, "apply");
  if (problem !== undefined) return problem;
  const { failed, isOver } = await runTests(tree, [bug.test], ["--bail", "1"], LONGEST_MS);
  const left = applyBug(tree, bug, "reverse");
  if (left !== undefined) throw new Error(left);
  const [first] = failed;
  if (first !== undefined) return { file: bug.test, test: first };
  if (isOver) return `${bug.name}: ${bug.test} did not end within ${LONGEST_MS / 1000} s`;
  return `${bug.name}: no test of ${bug.test} fails with it, so nothing there shows that ${bug.promise}`;
}

/** What fails without a bug too has found none. @returns a line for each such test */
async function findNoise(tree: string, finders: readonly Finder[]): Promise<string[]> {
  if (finders.length === 0 || stopped.signal.aborted) return [];
  const tests = [...new Set(finders.map(({ test }) => test))];
  const pattern = `^(?:${tests.map((test) => test.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|")})$`;
  say(`without a bug: the ${tests.length} tests that have found one`);
  const files = [...new Set(finders.map(({ file }) => file))];
  const { failed, passed, isOver } = await runTests(tree, files, ["-t", pattern], LONGEST_CLEAN_MS);
  if (isOver) return [`without a bug the tests did not end within ${LONGEST_CLEAN_MS / 1000} s`];
  return tests
    .filter((test) => failed.includes(test) || !passed.includes(test))
    .map((test) => `without a bug this test has to pass, and does not: ${test}`);
}

interface Outcome {
  /** Names of the tests that failed. A file that could not be loaded has none. */
  readonly failed: readonly string[];
  readonly passed: readonly string[];
  /** Whether the time was over first. */
  readonly isOver: boolean;
}

async function runTests(
  tree: string,
  files: readonly string[],
  options: readonly string[],
  longestMs: number,
): Promise<Outcome> {
  const report = join(tree, "report.json");
  rmSync(report, { force: true });
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...files, ...options], {
    cwd: tree,
    env: { ...process.env, TESSERA_TEST_REPORT: report, TESSERA_TEST_SEED: String(seedOfRun()) },
    stdio: "ignore",
    // A group of its own: a worker that never comes to an end does not hear that vitest has.
    detached: true,
  });
  const ended = once(child, "close");
  const isOver = await Promise.race([ended.then(() => false), untilOver(longestMs)]);
  if (isOver && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await ended;
  return { failed: namesOf(report, "failed"), passed: namesOf(report, "passed"), isOver };
}

/** Resolves when the run is stopped, or its time is over. */
async function untilOver(longestMs: number): Promise<true> {
  await sleep(longestMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
  return true;
}

function namesOf(report: string, wanted: "failed" | "passed"): string[] {
  if (!existsSync(report)) return [];
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
    testResults: { assertionResults: { status: string; ancestorTitles: string[]; title: string }[] }[];
  };
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === wanted)
      // As `-t` compares them.
      .map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(" > ")),
  );
}

/** A copy of the checkout as it is, with what is installed: what is planted never touches the checkout. */
function copyTree(): string {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), "tessera-planted-")));
  const left = new Set([".git", "node_modules", "dist", "coverage", "tessera-data"]);
  cpSync(ROOT, tree, { recursive: true, filter: (path) => path === ROOT || !left.has(basename(path)) });
  const installed = join(tree, "node_modules");
  mkdirSync(join(installed, "@tessera-server"), { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (name !== "@tessera-server") symlinkSync(join(ROOT, "node_modules", name), join(installed, name));
  // The client is one of the tree's own, so that bugs in it are met too.
  symlinkSync(join(tree, "packages/client"), join(installed, "@tessera-server/client"));
  return tree;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

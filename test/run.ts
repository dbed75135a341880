/**
 * Runs tests and says in its last line how many passed and failed:
 *
 *     node test/run.ts                    what `npm test` runs
 *     node test/run.ts --slice GROUP...   of each group the files that the seed draws
 *     node test/run.ts --group GROUP...   all files of groups
 *     node test/run.ts --matrix           on PostgreSQL all that `npm test` asks of SQLite alone
 *     node test/run.ts --all              everything
 *     node test/run.ts FILE...            vitest, with what is behind as its arguments
 *
 * `--slice all` has a slice of each group. `--counts FILE` writes the numbers there, `--note-seconds` writes down how long
 * each file took (run/seconds.json), by which slices are drawn. A failure of a busy machine is tried again, see
 * run/unsteady.ts. TESSERA_TEST_UNTIL, in seconds since the epoch, ends a run that takes longer.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { besideBusyLoops } from "./run/busy.ts";
import { filesOfGroup, GROUP_NAMES, MATRIX, type Draw } from "./run/plan.ts";
import { lineOf, type Failure, type Outcome } from "./run/report.ts";
import { filesToTryAgain, MOST_AGAIN } from "./run/unsteady.ts";
import { runVitest } from "./run/vitest.ts";
import { isQuick, QUICK_VARIABLE } from "./support/groups.ts";
import { listTestFiles } from "./support/honest-run.ts";
import { BOTH_ENGINES, isIn, projectOf } from "./support/projects.ts";
import { seedOfRun } from "./support/seeded.ts";

const root = resolve(import.meta.dirname, "..");
const SECONDS_FILE = join(root, "test/run/seconds.json");
/** How long a slice may take; it is drawn for far less. */
const SLICE_MS = 360_000;
/** How many loops are beside a test that is tried again. */
const BUSY = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: true,
  options: {
    all: { type: "boolean", default: false },
    matrix: { type: "boolean", default: false },
    slice: { type: "boolean", default: false },
    group: { type: "boolean", default: false },
    counts: { type: "string" },
    "note-seconds": { type: "boolean", default: false },
  },
});
const until = Number(process.env["TESSERA_TEST_UNTIL"] ?? Infinity) * 1000;
// The runs that follow, and what is tried again, have the same random choices.
process.env["TESSERA_TEST_SEED"] = String(seedOfRun());

/** Files that may still be tried again. */
let triesLeft = MOST_AGAIN;

/** A run of vitest: what it is called, and what it is asked. */
interface Part {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly expected: readonly string[];
  /** Milliseconds that it may take. */
  readonly longest: number;
}

process.exit((await main()) ? 0 : 1);

/** @returns whether nothing failed */
async function main(): Promise<boolean> {
  const outcomes: Outcome[] = [];
  const unsteady: Failure[] = [];
  for (const part of partsOf()) {
    say(`\n=== ${part.name} (seed ${seedOfRun()})`);
    const limit = Math.min(until, Date.now() + part.longest);
    const outcome = await runVitest(root, { ...part, until: limit });
    const steady = await tryAgain(part, outcome, limit);
    if (steady !== outcome) unsteady.push(...outcome.failures);
    outcomes.push(steady);
  }
  if (values["note-seconds"]) noteSeconds(outcomes);
  return tell(outcomes, unsteady);
}

function partsOf(): Part[] {
  if (values.slice || values.group) {
    const names = positionals.includes("all") ? GROUP_NAMES : positionals;
    return names.map((name) => partOfGroup(name, values.slice));
  }
  if (values.matrix) return [partOfGroup(MATRIX, false)];
  if (values.all) {
    const expected = expectedOf(listTestFiles(root));
    return [{ name: "all tests", args: [], env: {}, expected, longest: Infinity }, partOfGroup(MATRIX, false)];
  }
  if (positionals.length > 0) {
    return [{ name: positionals.join(" "), args: positionals, env: {}, expected: [], longest: Infinity }];
  }
  const expected = expectedOf(listTestFiles(root).filter(isQuick));
  return [{ name: "npm test", args: [], env: { [QUICK_VARIABLE]: "1" }, expected, longest: Infinity }];
}

/** @returns `PROJECT FILE` of each, twice for those that run on both engines */
function expectedOf(files: readonly string[]): string[] {
  const both = files.filter((file) => isIn(BOTH_ENGINES, file)).map((file) => `postgres ${file}`);
  return [...files.map((file) => `${projectOf(file)} ${file}`), ...both];
}

function partOfGroup(group: string, isSlice: boolean): Part {
  const draw: Draw = { seed: seedOfRun(), seconds: readSeconds() };
  const files = filesOfGroup(root, group, isSlice ? draw : undefined);
  const isMatrix = group === MATRIX;
  return {
    name: `${isSlice ? "slice of " : ""}${group}: ${files.length} files`,
    args: [...(isMatrix ? ["--project", "postgres"] : []), ...files],
    env: isMatrix ? { TESSERA_TEST_MATRIX: "1" } : {},
    expected: isMatrix ? files.map((file) => `postgres ${file}`) : expectedOf(files),
    longest: isSlice ? SLICE_MS : Infinity,
  };
}

/** @returns the outcome as it is after failures of a busy machine were tried again: both times all of their file passed */
async function tryAgain(part: Part, outcome: Outcome, limit: number): Promise<Outcome> {
  if (outcome.failures.length === 0 || outcome.gaps.length > 0) return outcome;
  const files = filesToTryAgain(outcome.failures, root);
  if (files.length === 0 || files.length > triesLeft) return outcome;
  triesLeft -= files.length;
  const again = async () => {
    const { failures, gaps } = await runVitest(root, { ...part, args: files, expected: [], until: limit });
    return failures.length + gaps.length === 0;
  };
  say(`\n=== once more, alone: ${files.join(", ")}`);
  if (!(await again())) return outcome;
  say(`\n=== once more, beside ${BUSY} busy loops: ${files.join(", ")}`);
  if (!(await besideBusyLoops(BUSY, again))) return outcome;
  return { ...outcome, passed: outcome.passed + outcome.failures.length, failures: [] };
}

function tell(outcomes: readonly Outcome[], unsteady: readonly Failure[]): boolean {
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const lines = outcomes.flatMap(({ failures, gaps }) => [...failures.map(lineOf), ...gaps]);
  for (const line of new Set(outcomes.flatMap(({ skipped }) => skipped))) say(`skipped: ${line}`);
  for (const line of lines) say(`failed: ${line}`);
  for (const failure of unsteady) say(`unsteady: ${lineOf(failure)}`);
  if (values.counts !== undefined) {
    writeFileSync(
      values.counts,
      JSON.stringify({ passed, failed: lines.length, lines, unsteady: unsteady.map(lineOf) }),
    );
  }
  say(`${passed} passed, ${lines.length} failed`);
  return lines.length === 0;
}

/** Writes down how long each file took; files that were not run keep their figures. */
function noteSeconds(outcomes: readonly Outcome[]): void {
  const noted = Object.assign(readSeconds(), ...outcomes.map(({ seconds }) => seconds)) as Record<string, number>;
  const there = new Set(listTestFiles(root));
  const sorted = Object.entries(noted)
    .filter(([file]) => there.has(file))
    .map(([file, seconds]) => [file, Math.ceil(seconds)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(SECONDS_FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

function readSeconds(): Record<string, number> {
  return JSON.parse(readFileSync(SECONDS_FILE, "utf8")) as Record<string, number>;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

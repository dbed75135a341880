/**
 * Runs the published clients of this folder against Tessera: `node test/clients/run.ts [--counts FILE] [-- GO TEST FLAGS]`.
 *
 * Each Go module gets a PostgreSQL of its own with two empty places in it; its tests start the servers. The Python client
 * runs behind them, but where flags ask for some Go tests. The last line is `N passed, N failed`.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { freshDatabaseUrl } from "../support/postgres-schema.ts";
import { startPostgres } from "../support/postgres.ts";
import type { Outcome } from "./outcome.ts";
import { checkPython, runPython } from "./python-module.ts";

/** The oldest Go that fetches by itself the toolchain which a module asks for. */
const oldestGo = { major: 1, minor: 21 };
/** Lines shown of a failure; the rest of a longer output is left out. */
const maximumLines = 60;

/** One line of `go test -json`, as far as it is used here. */
interface GoEvent {
  readonly Action: string;
  readonly Package?: string;
  readonly Test?: string;
  readonly Output?: string;
}

interface Counts {
  passed: number;
  failed: number;
}

const { values, positionals } = parseArgs({
  options: { counts: { type: "string" } },
  allowPositionals: true,
});
process.exitCode = await main(values["counts"], positionals);

async function main(countsFile: string | undefined, goFlags: readonly string[]): Promise<number> {
  const complaint = checkGo() ?? checkPython();
  if (complaint !== undefined) {
    console.error(complaint);
    return 1;
  }
  const total: Counts = { passed: 0, failed: 0 };
  for (const module of globSync("*/go.mod", { cwd: import.meta.dirname }).sort()) {
    add(total, await runModule(join(import.meta.dirname, dirname(module)), goFlags));
  }
  if (goFlags.length === 0) add(total, await runPythonModule(join(import.meta.dirname, "pytfe")));
  if (countsFile !== undefined) writeFileSync(countsFile, `${JSON.stringify(total)}\n`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

function add(total: Counts, { passed, failed }: Counts): void {
  total.passed += passed;
  total.failed += failed;
}

async function runPythonModule(directory: string): Promise<Counts> {
  const name = basename(directory);
  const started = performance.now();
  const postgres = await startPostgres();
  try {
    return counted(name, await runPython(directory, postgres.url), started);
  } finally {
    await postgres.stop();
  }
}

/** Says in one line why the tests cannot run with the Go at hand, or nothing. */
function checkGo(): string | undefined {
  // The version of the command itself, before it switches to another toolchain.
  const go = spawnSync("go", ["version"], { encoding: "utf8", env: { ...process.env, GOTOOLCHAIN: "local" } });
  const advice = `install Go ${oldestGo.major}.${oldestGo.minor} or later (https://go.dev/doc/install)`;
  if (go.error !== undefined) return `The client tests need Go, and there is no "go" in PATH: ${advice}.`;
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(go.stdout) ?? [];
  if (Number(major) === oldestGo.major && Number(minor) < oldestGo.minor) {
    return `The client tests need a newer Go than ${go.stdout.trim()}: ${advice}.`;
  }
  return undefined;
}

async function runModule(directory: string, goFlags: readonly string[]): Promise<Counts> {
  const name = basename(directory);
  const started = performance.now();
  const postgres = await startPostgres();
  let outcomes: Map<string, Outcome>;
  try {
    outcomes = await goTest(directory, [postgres.url, await freshDatabaseUrl(postgres.url)], goFlags);
  } finally {
    await postgres.stop();
  }
  // A run of selected tests leaves the others out.
  if (goFlags.length === 0) addMissing(outcomes, directory);
  return counted(name, outcomes, started);
}

/** Prints what failed, and how many passed. A module of which no test ran has failed. */
function counted(name: string, outcomes: ReadonlyMap<string, Outcome>, started: number): Counts {
  const counts = report(name, outcomes);
  if (counts.passed + counts.failed === 0) {
    console.log(`FAIL ${name}: no test ran`);
    counts.failed += 1;
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed in ${seconds} s`);
  return counts;
}

async function goTest(
  directory: string,
  [first, second]: readonly [string, string],
  goFlags: readonly string[],
): Promise<Map<string, Outcome>> {
  // Much of a test is waiting for the server, so more run at once than there are processors.
  const flags = ["test", "-json", "-count=1", "-parallel=8", "-timeout=10m", ...goFlags, "./..."];
  const go = spawn("go", flags, {
    cwd: directory,
    env: { ...process.env, TESSERA_TEST_POSTGRES: first, TESSERA_TEST_POSTGRES_SECOND: second },
    stdio: ["ignore", "pipe", "inherit"],
    // A process group of its own, so that no server outlives tests that were interrupted or ran out of time.
    detached: true,
  });
  const interrupt = (): void => endGroup(go);
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const ended = once(go, "close");
  const outcomes = new Map<string, Outcome>();
  for await (const line of createInterface({ input: go.stdout })) record(outcomes, line);
  const [code] = (await ended) as [number | null];
  process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  endGroup(go);
  const seen = [...outcomes.values()].some((outcome) => outcome.action === "fail" || outcome.action === "unfinished");
  explainCrash(outcomes);
  if (code !== 0 && !seen) outcomes.set("", { action: "fail", output: `go test ended with ${code}\n` });
  return outcomes;
}

/** A crash ends all tests that run, and Go prints its reason under any of them: shows it with the whole package. */
function explainCrash(outcomes: Map<string, Outcome>): void {
  if (![...outcomes.values()].some((outcome) => outcome.action === "unfinished")) return;
  const reasons = [...outcomes].flatMap(([name, { output }]) => {
    const at = output.search(/^(?:panic: |fatal error: |runtime: goroutine stack exceeds)/m);
    return at < 0 ? [] : [`in the output of ${name === "" ? "the package" : name}:\n${output.slice(at, at + 4000)}\n`];
  });
  const whole = outcomes.get("") ?? { action: "fail", output: "" };
  outcomes.set("", { action: "fail", output: `The tests crashed.\n${reasons.join("")}${whole.output}` });
}

function endGroup(leader: ChildProcess): void {
  if (leader.pid === undefined) return;
  try {
    process.kill(-leader.pid, "SIGTERM");
  } catch {
    // Nobody of it is left, as it should be.
  }
}

function record(outcomes: Map<string, Outcome>, line: string): void {
  let event: GoEvent;
  try {
    event = JSON.parse(line) as GoEvent;
  } catch {
    // A module that does not compile is reported in plain text by some versions of Go.
    event = { Action: "output", Output: `${line}\n` };
  }
  const key = event.Test ?? "";
  const outcome: Outcome = outcomes.get(key) ?? { action: key === "" ? "pass" : "unfinished", output: "" };
  outcomes.set(key, outcome);
  if (event.Action === "output" || event.Action === "build-output") outcome.output += event.Output ?? "";
  else if (event.Action === "pass" || event.Action === "fail" || event.Action === "skip") outcome.action = event.Action;
  else if (event.Action === "build-fail") outcome.action = "fail";
}

/**
 * Prints failures and counts. For a test with subtests only the subtests count, unless it failed by itself. A test that
 * was skipped or never ended did not prove what it is there for, so it failed.
 */
function report(module: string, outcomes: ReadonlyMap<string, Outcome>): Counts {
  const failedNames = [...outcomes].filter(([, outcome]) => outcome.action !== "pass").map(([name]) => name);
  const parents = new Set<string>();
  for (const name of outcomes.keys()) addParents(parents, name);
  const parentsOfFailed = new Set<string>();
  for (const name of failedNames) addParents(parentsOfFailed, name);

  const counts: Counts = { passed: 0, failed: 0 };
  for (const [name, { action, output }] of outcomes) {
    if (name === "") continue;
    if (action === "pass") {
      if (!parents.has(name)) counts.passed += 1;
    } else if (!parentsOfFailed.has(name)) {
      counts.failed += 1;
      printFailure(`${module}: ${name}${action === "fail" ? "" : ` (${action})`}`, output);
    }
  }
  const whole = outcomes.get("");
  if (whole !== undefined && whole.action !== "pass") {
    // Without a word of its own it only says that one of its tests failed.
    if (counts.failed === 0 || failureLines(whole.output).length > 0) printFailure(module, whole.output);
    if (counts.failed === 0) counts.failed = 1;
  }
  return counts;
}

/** Adds an outcome for tests that never ran: every test that a file of the module declares must have one. */
function addMissing(outcomes: Map<string, Outcome>, directory: string): void {
  for (const file of globSync("**/*_test.go", { cwd: directory }).sort()) {
    for (const [, name = ""] of readFileSync(join(directory, file), "utf8").matchAll(/^func (Test[A-Z_]\w*)\(/gm)) {
      if (name === "TestMain" || outcomes.has(name)) continue;
      outcomes.set(name, { action: "unfinished", output: `${file} declares it, and it did not run\n` });
    }
  }
}

function addParents(parents: Set<string>, name: string): void {
  for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) parents.add(name.slice(0, at));
}

function failureLines(output: string): string[] {
  const noise = /^\s*(?:=== |--- |(?:FAIL|exit status \d+)(?:\t|$)|PASS$|$)/;
  return output.split("\n").filter((line) => !noise.test(line));
}

function printFailure(title: string, output: string): void {
  const lines = failureLines(output).map((line) => `  ${line}`);
  const rest = lines.length - maximumLines;
  const shown = rest > 0 ? [...lines.slice(0, maximumLines), `  ... ${rest} more lines`] : lines;
  console.log([`FAIL ${title}`, ...shown].join("\n"));
}

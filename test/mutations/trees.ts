/** Copies of the checkout in which bugs are planted, and runs of tests in them. */
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
import { seedOfRun } from "../support/seeded.ts";
import { ROOT } from "./planted.ts";

/** How a run of tests went. */
export interface Outcome {
  /** Names of the tests that failed. A file that could not be loaded has none. */
  readonly failed: readonly string[];
  readonly passed: readonly string[];
  /** Whether the time was over first, or the run was stopped. */
  readonly isOver: boolean;
  readonly seconds: number;
}

/** A copy of the checkout as it is, with what is installed: what is planted never touches the checkout. */
export function copyTree(): string {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), "tessera-planted-")));
  const left = new Set([".git", "node_modules", "dist", "coverage", "tessera-data"]);
  cpSync(ROOT, tree, { recursive: true, filter: (path) => path === ROOT || !left.has(basename(path)) });
  const installed = join(tree, "node_modules");
  mkdirSync(join(installed, "@tessera-server"), { recursive: true });
  // Each tree keeps its own set-ups: of several trees that share them, one would remove those that another uses.
  const own = new Set(["@tessera-server", ".cache"]);
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (!own.has(name)) symlinkSync(join(ROOT, "node_modules", name), join(installed, name));
  // The client is one of the tree's own, so that bugs in it are met too.
  symlinkSync(join(tree, "packages/client"), join(installed, "@tessera-server/client"));
  return tree;
}

/** How vitest is asked for tests. */
export interface Asked {
  readonly options: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs test files in a tree; what takes longer is ended. */
export async function runTests(
  tree: string,
  files: readonly string[],
  { options, env = {} }: Asked,
  { longestMs, stopped }: { longestMs: number; stopped: AbortSignal },
): Promise<Outcome> {
  const report = join(tree, "report.json");
  rmSync(report, { force: true });
  const started = performance.now();
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...files, ...options], {
    cwd: tree,
    env: { ...process.env, ...env, TESSERA_TEST_REPORT: report, TESSERA_TEST_SEED: String(seedOfRun()) },
    stdio: "ignore",
    // A group of its own: a worker that never comes to an end does not hear that vitest has.
    detached: true,
  });
  const ended = once(child, "close");
  const isOver = await Promise.race([ended.then(() => false), untilOver(longestMs, stopped)]);
  if (isOver && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await ended;
  const seconds = (performance.now() - started) / 1000;
  return { failed: namesOf(report, "failed"), passed: namesOf(report, "passed"), isOver, seconds };
}

/** Resolves when the run is stopped, or its time is over. */
async function untilOver(longestMs: number, signal: AbortSignal): Promise<true> {
  await sleep(longestMs, undefined, { signal, ref: false }).catch(() => undefined);
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

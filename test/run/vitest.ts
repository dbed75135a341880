/** Runs vitest as a process of its own and reads what came of it. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOutcome, type Outcome } from "./report.ts";

/** One run. */
export interface Asked {
  /** Arguments behind `vitest run`. */
  readonly args: readonly string[];
  /** More variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Each `PROJECT FILE` of which a test must have passed. */
  readonly expected: readonly string[];
  /** When it is ended, in milliseconds since the epoch. */
  readonly until: number;
}

const NOTHING: Outcome = { passed: 0, failures: [], gaps: [], skipped: [], seconds: {} };
/** The longest that a timer waits. */
const LONGEST_MS = 2 ** 31 - 1;

/** @returns its outcome; a run that ended badly without a failed test has that as a gap */
export async function runVitest(root: string, { args, env, expected, until }: Asked): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), "tessera-report-"));
  const report = join(directory, "report.json");
  try {
    const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...args], {
      cwd: root,
      env: { ...process.env, ...env, TESSERA_TEST_REPORT: report },
      stdio: "inherit",
      // A group of its own: whoever ends it ends what it started.
      detached: true,
    });
    const status = await endOf(child, until);
    const outcome = readOutcome(report, expected, root) ?? NOTHING;
    if (status === "late") return withGap(outcome, "the time was over before the tests were");
    if (status !== 0 && outcome.failures.length + outcome.gaps.length === 0) {
      return withGap(outcome, `vitest ended with ${status}, and no test says why`);
    }
    return status === 0 && outcome.passed === 0 ? withGap(outcome, "no test ran") : outcome;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function withGap(outcome: Outcome, gap: string): Outcome {
  return { ...outcome, gaps: [...outcome.gaps, gap] };
}

/** @returns its exit code, or that it was ended for its time */
async function endOf(child: ChildProcess, until: number): Promise<number | "late"> {
  let isLate = false;
  const end = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  };
  const timer = setTimeout(
    () => {
      isLate = true;
      end("SIGKILL");
    },
    Math.min(LONGEST_MS, Math.max(0, until - Date.now())),
  );
  const pass = (signal: NodeJS.Signals) => end(signal);
  process.on("SIGINT", pass).on("SIGTERM", pass);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  process.off("SIGINT", pass).off("SIGTERM", pass);
  return isLate ? "late" : (code ?? 1);
}

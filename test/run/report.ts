/** The outcome of a run of vitest, read from its report. */
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { besideFileOf, findGaps, type Beside, type RanFile } from "../support/honest-run.ts";

/** A report of vitest's `json` reporter, as far as it is read. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    /** The path of the file. */
    readonly name: string;
    readonly status: string;
    /** The reason when the whole file failed. */
    readonly message?: string;
    readonly startTime?: number;
    readonly endTime?: number;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

/** A test that failed, or a file of which no test could run. */
export interface Failure {
  /** From the root of the repository. */
  readonly file: string;
  /** With the names of its groups; undefined for a whole file. */
  readonly test: string | undefined;
  readonly messages: readonly string[];
}

/** All that counts of a run. */
export interface Outcome {
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** Reasons for which the run shows less than it seems to; each counts as a failure. */
  readonly gaps: readonly string[];
  /** Tests that were passed over for a listed reason. */
  readonly skipped: readonly string[];
  /** Seconds that each file took, in all projects. */
  readonly seconds: Readonly<Record<string, number>>;
}

/**
 * Reads the report of a run.
 *
 * @param expected each `PROJECT FILE` of which a test must have passed
 * @returns undefined when there is no whole report: the run was cut off, or could not start
 */
export function readOutcome(path: string, expected: readonly string[], root = process.cwd()): Outcome | undefined {
  const report = readReport(path);
  if (report === undefined) return undefined;
  const { gaps, skipped } = findGaps(ranFiles(report, root));
  const { outside, proven } = readBeside(path);
  const missing = expected.filter((each) => !proven.includes(each)).map((each) => `${each}: no test of it passed`);
  return {
    passed: report.numPassedTests,
    failures: failuresOf(report, root),
    gaps: [...gaps, ...outside, ...missing],
    skipped,
    seconds: secondsOf(report, root),
  };
}

function readReport(path: string): VitestReport | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as VitestReport;
  } catch {
    // A run that was cut off left half a file.
    return undefined;
  }
}

function failuresOf(report: VitestReport, root: string): Failure[] {
  return report.testResults
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, message = "", assertionResults }): Failure[] => {
      const file = relative(root, name);
      const failed = assertionResults.filter(({ status }) => status === "failed");
      // A file that could not be loaded, or whose hooks failed, has no failed test to show for it.
      if (failed.length === 0) return [{ file, test: undefined, messages: [message] }];
      return failed.map((test) => ({ file, test: nameOf(test), messages: test.failureMessages ?? [] }));
    });
}

function ranFiles(report: VitestReport, root: string): RanFile[] {
  return report.testResults.map(({ name, assertionResults }) => ({
    file: relative(root, name),
    tests: assertionResults.map((test) => ({
      name: nameOf(test),
      state: test.status === "passed" || test.status === "failed" ? test.status : "skipped",
    })),
  }));
}

function nameOf({ ancestorTitles, title }: { ancestorTitles: readonly string[]; title: string }): string {
  return [...ancestorTitles, title].join(" > ");
}

function readBeside(report: string): Beside {
  const path = besideFileOf(report);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Beside) : { outside: [], proven: [] };
}

function secondsOf(report: VitestReport, root: string): Record<string, number> {
  const seconds: Record<string, number> = {};
  for (const { name, startTime = 0, endTime = startTime } of report.testResults) {
    const file = relative(root, name);
    seconds[file] = (seconds[file] ?? 0) + (endTime - startTime) / 1000;
  }
  return seconds;
}

/** Characters of a reason in a line; the whole of it is where the test ran. */
const LONGEST_REASON = 300;

/** A line of text for people: the file, the test, and the first line of the reason. */
export function lineOf({ file, test, messages }: Failure): string {
  const [reason = ""] = (messages[0] ?? "").split("\n", 1);
  return [file, test, reason.slice(0, LONGEST_REASON)].filter(Boolean).join(": ");
}

/**
 * Prints "passed failed" of a report, of a whole run of vitest or already counted, and on standard error the name of
 * each test that failed and of what was skipped: `node test/support/count-tests.ts FILE`. What `honest-run.ts` finds
 * counts as failed: a file that did not run, a skip for no listed reason, two tests of one name.
 */
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { findGaps, listTestFiles, outsideFileOf, type RanFile } from "./honest-run.ts";

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly ancestorTitles: readonly string[];
      readonly title: string;
    }[];
  }[];
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

function countVitest(report: VitestReport): Counts {
  // A file that could not be loaded, or whose hooks failed, has no failed test to show for it.
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

function nameFailures(report: VitestReport): string[] {
  return report.testResults
    .filter((file) => file.status === "failed")
    .flatMap((file) => {
      const place = relative(process.cwd(), file.name);
      const failed = file.assertionResults.filter((test) => test.status === "failed");
      return failed.length === 0 ? [place] : failed.map((test) => `${place}: ${test.fullName}`);
    });
}

function ranFiles(report: VitestReport): RanFile[] {
  return report.testResults.map((file) => ({
    file: relative(process.cwd(), file.name),
    tests: file.assertionResults.map(({ status, ancestorTitles, title }) => ({
      name: [...ancestorTitles, title].join(" > "),
      state: status === "passed" || status === "failed" ? status : "skipped",
    })),
  }));
}

function readOutside(report: string): string[] {
  const path = outsideFileOf(report);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as string[]) : [];
}

const [file] = process.argv.slice(2);
const text = file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : "";
const none: Counts = { passed: 0, failed: 0 };
let counts = none;
try {
  const report = text === "" ? none : (JSON.parse(text) as VitestReport | Counts);
  if ("testResults" in report) {
    counts = countVitest(report);
    const { gaps, skipped } = findGaps(ranFiles(report), listTestFiles(process.cwd()));
    const outside = readOutside(file ?? "");
    counts = { ...counts, failed: counts.failed + gaps.length + outside.length };
    for (const line of skipped) process.stderr.write(`skipped: ${line}\n`);
    for (const line of [...nameFailures(report), ...gaps, ...outside]) process.stderr.write(`failed: ${line}\n`);
  } else counts = report;
} catch {
  // A run that was cut off left half a file: the caller sees its exit status.
  counts = none;
}
process.stdout.write(`${counts.passed} ${counts.failed}\n`);

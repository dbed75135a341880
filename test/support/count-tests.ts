/** Prints "passed failed" of a test report: `node test/support/count-tests.ts vitest|go FILE`. A missing or broken file counts nothing. */
import { existsSync, readFileSync } from "node:fs";

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

interface GoEvent {
  readonly Action: string;
  readonly Package?: string;
  readonly Test?: string;
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

function countVitest(text: string): Counts {
  const report = JSON.parse(text) as VitestReport;
  // A file that could not be loaded, or whose hooks failed, has no failed test to show for it.
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

/** Counts each test and subtest of `go test -json`, as Go reports them. */
function countGo(text: string): Counts {
  const events = text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as GoEvent);
  const tests = events.filter((event) => event.Test !== undefined);
  const failedTests = tests.filter((event) => event.Action === "fail").length;
  const failedPackages = events.filter((event) => event.Test === undefined && event.Action === "fail").length;
  return {
    passed: tests.filter((event) => event.Action === "pass").length,
    failed: failedTests > 0 ? failedTests : failedPackages,
  };
}

const [kind, file] = process.argv.slice(2);
const text = file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : "";
const none: Counts = { passed: 0, failed: 0 };
let counts = none;
try {
  if (text !== "") counts = kind === "go" ? countGo(text) : countVitest(text);
} catch {
  // A run that was cut off left half a file: the caller sees its exit status.
  counts = none;
}
process.stdout.write(`${counts.passed} ${counts.failed}\n`);

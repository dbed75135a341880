import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";
import { readOutcome } from "../run/report.ts";
import { filesToTryAgain } from "../run/unsteady.ts";
import { besideFileOf, listTestFiles, MAY_SKIP, type Beside } from "../support/honest-run.ts";

const script = resolve(import.meta.dirname, "../../.ci/run");
const repository = resolve(import.meta.dirname, "../..");

/** A checkout in which every step succeeds at once and runs no test. */
function hollowCheckout(): string {
  const directory = temporaryDirectory();
  for (const folder of [".ci", "bin", "test/clients/go-tfe", "node_modules/.bin"]) {
    mkdirSync(join(directory, folder), { recursive: true });
  }
  copyFileSync(script, join(directory, ".ci/run"));
  writeFileSync(join(directory, "test/clients/go-tfe/go.mod"), "module hollow\n\ngo 1.21\n");
  for (const command of ["npm", "go", "strace", "update-ca-certificates", "apt-get"]) {
    const path = join(directory, "bin", command);
    writeFileSync(path, '#!/bin/sh\n[ "$1" = env ] && echo go1.99.0\nexit 0\n');
    chmodSync(path, 0o755);
  }
  const count = join(directory, "node_modules/.bin/node");
  writeFileSync(count, "#!/bin/sh\necho 0 0\n");
  chmodSync(count, 0o755);
  return directory;
}

test("incident 37: a run in which no test ran fails, and its last line says so", () => {
  const directory = hollowCheckout();
  const run = spawnSync("bash", [join(directory, ".ci/run")], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${join(directory, "bin")}:${process.env["PATH"] ?? ""}` },
  });
  expect(run.status).toBe(1);
  expect(run.stdout.trimEnd().split("\n").at(-1)).toMatch(/^\d+ passed, [1-9]\d* failed$/);
});

type Test = readonly [name: string, status: string];

/** Writes a report of vitest: files, each with the states of its tests by their names. */
function reportOf(files: Record<string, readonly Test[]>, beside: Partial<Beside> = {}): string {
  const path = join(temporaryDirectory(), "report.json");
  const testResults = Object.entries(files).map(([file, tests]) => ({
    name: join(repository, file),
    status: tests.some(([, status]) => status === "failed") ? "failed" : "passed",
    startTime: 1000,
    endTime: 3500,
    assertionResults: tests.map(([title, status]) => ({ title, status, ancestorTitles: ["group"] })),
  }));
  const numPassedTests = Object.values(files)
    .flat()
    .filter(([, status]) => status === "passed").length;
  writeFileSync(path, JSON.stringify({ numPassedTests, testResults }));
  const proven = Object.keys(files).map((file) => `sqlite ${file}`);
  writeFileSync(besideFileOf(path), JSON.stringify({ outside: [], proven, ...beside } satisfies Beside));
  return path;
}

const outcomeOf = (report: string, ...expected: string[]) => readOutcome(report, expected, repository);
const ALLOWED = "test/faults/power-cut.test.ts";

describe("the outcome of a run", () => {
  test("is that of the report when each file ran", () => {
    const report = reportOf({
      "src/a.test.ts": [
        ["one", "passed"],
        ["two", "passed"],
      ],
      "test/b/c.test.ts": [["one", "passed"]],
    });
    expect(outcomeOf(report, "sqlite src/a.test.ts", "sqlite test/b/c.test.ts")).toEqual({
      passed: 3,
      failures: [],
      gaps: [],
      skipped: [],
      seconds: { "src/a.test.ts": 2.5, "test/b/c.test.ts": 2.5 },
    });
  });

  test("names each test that failed, and a file that could not run", () => {
    const report = reportOf({ "src/a.test.ts": [["one", "failed"]] });
    expect(outcomeOf(report)?.failures).toEqual([{ file: "src/a.test.ts", test: "group > one", messages: [] }]);
  });

  test("has as a gap each file of which no test passed in the project that had to run it", () => {
    const report = reportOf({ "src/a.test.ts": [["one", "passed"]] });
    expect(
      outcomeOf(report, "sqlite src/a.test.ts", "postgres src/a.test.ts", "sqlite src/gone.test.ts")?.gaps,
    ).toEqual(["postgres src/a.test.ts: no test of it passed", "sqlite src/gone.test.ts: no test of it passed"]);
  });

  test.each(["skipped", "pending", "todo"])("has a test that is %s as a gap, unless a reason is listed", (status) => {
    const report = reportOf({
      "src/a.test.ts": [
        ["one", "passed"],
        ["two", status],
      ],
      [ALLOWED]: [
        ["power cut on SQLite", status],
        ["other", status],
      ],
    });
    const outcome = outcomeOf(report);
    expect(outcome?.skipped).toEqual([
      expect.stringMatching(/^test\/faults\/power-cut\.test\.ts: 1 of 2 tests: .*strace/),
    ]);
    expect(outcome?.gaps).toEqual([
      "src/a.test.ts: group > two: skipped, for no listed reason",
      "test/faults/power-cut.test.ts: group > other: skipped, for no listed reason",
    ]);
  });

  test("has two tests of one file with one name as a gap", () => {
    const one: Test = ["one", "passed"];
    const report = reportOf({ "src/a.test.ts": [one, one, one], "src/b.test.ts": [one] });
    expect(outcomeOf(report)?.gaps).toEqual(["src/a.test.ts: group > one: another test has the same name"]);
  });

  test("has what was thrown outside of any test as a gap, in its own words", () => {
    const outside = ["outside of any test: Error: late"];
    const report = reportOf({ "src/a.test.ts": [["one", "passed"]] }, { outside });
    expect(outcomeOf(report)?.gaps).toEqual(outside);
  });

  test("is none where the report was cut off", () => {
    const report = reportOf({});
    writeFileSync(report, '{"numPassedTests": 3, "testRes');
    expect(outcomeOf(report)).toBeUndefined();
  });
});

describe("what is tried again", () => {
  const file = "src/tags/pool/rights.test.ts";
  const failure = (message: string, name = file) => ({ file: name, test: "one", messages: [message] });
  const TIME_OUT = "Error: Test timed out in 120000ms.";

  test.each([TIME_OUT, "Error: connect ECONNREFUSED 127.0.0.1:4141", "Error: PostgreSQL did not start: …"])(
    "is a file that waited in vain: %s",
    (message) => {
      expect(filesToTryAgain([failure(message), failure(message)], repository)).toEqual([file]);
    },
  );

  test.each([
    "AssertionError: expected 1 to be 2",
    "TypeError: x is not a function",
    `AssertionError: expected "Test timed out in 5ms" to be ""`,
  ])("is never what was false: %s", (message) => {
    expect(filesToTryAgain([failure(message)], repository)).toEqual([]);
    expect(filesToTryAgain([failure(TIME_OUT), failure(message)], repository)).toEqual([]);
  });

  test.each([
    "src/storage/closing.test.ts",
    "test/faults/kill.test.ts",
    "test/nodes/lease.test.ts",
    "test/wall/wall.test.ts",
    "src/acl/races.test.ts",
    "src/tags/pool/tags.test.ts",
  ])("is never a file in which two clients meet, nor one of storage or faults: %s", (name) => {
    expect(filesToTryAgain([failure(TIME_OUT, name)], repository)).toEqual([]);
  });

  test("is nothing when more than three files failed", () => {
    const names = ["rights", "excluding", "filters", "deletion"].map((name) => `src/tags/${name}.test.ts`);
    expect(
      filesToTryAgain(
        names.map((name) => failure(TIME_OUT, name)),
        repository,
      ),
    ).toEqual([]);
  });
});

test("every file of tests is found, and those that may be skipped are among them", () => {
  const files = listTestFiles();
  expect(files).toContain("test/ci/counts.test.ts");
  expect(files.filter((file) => file.includes("node_modules"))).toEqual([]);
  expect(
    Object.keys(MAY_SKIP).filter(
      (each) => !files.some((file) => file === each || (each.endsWith("/") && file.startsWith(each))),
    ),
  ).toEqual([]);
});

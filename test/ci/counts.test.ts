import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";
import { listTestFiles, MAY_SKIP, outsideFileOf } from "../support/honest-run.ts";

const script = resolve(import.meta.dirname, "../../.ci/run");
const counter = resolve(import.meta.dirname, "../support/count-tests.ts");

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

/** What a report of vitest says of files, of each the states of its tests by their names. */
function reportOf(directory: string, files: Record<string, readonly [name: string, status: string][]>): string {
  const path = join(directory, "report.json");
  const all = Object.values(files).flat();
  const count = (wanted: string) => all.filter(([, status]) => status === wanted).length;
  const testResults = Object.entries(files).map(([file, tests]) => ({
    name: join(directory, file),
    status: tests.some(([, status]) => status === "failed") ? "failed" : "passed",
    assertionResults: tests.map(([title, status]) => ({ title, status, fullName: title, ancestorTitles: ["group"] })),
  }));
  writeFileSync(
    path,
    JSON.stringify({ numPassedTests: count("passed"), numFailedTests: count("failed"), testResults }),
  );
  return path;
}

/** A checkout with these files of tests, which are empty. */
function checkoutWith(...files: string[]): string {
  const directory = temporaryDirectory();
  for (const file of files) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), "");
  }
  return directory;
}

function countIn(directory: string, report: string): { counts: string; told: string[] } {
  const { stdout, stderr } = spawnSync(process.execPath, [counter, report], { cwd: directory, encoding: "utf8" });
  return {
    counts: stdout.trim(),
    told: stderr
      .trim()
      .split("\n")
      .filter((line) => line !== ""),
  };
}

const ALLOWED = "test/faults/power-cut.test.ts";

describe("the counts of a run", () => {
  test("are those of the report when each file ran", () => {
    const directory = checkoutWith("src/a.test.ts", "test/b/c.test.ts");
    const report = reportOf(directory, {
      "src/a.test.ts": [
        ["one", "passed"],
        ["two", "passed"],
      ],
      "test/b/c.test.ts": [["one", "passed"]],
    });
    expect(countIn(directory, report)).toEqual({ counts: "3 0", told: [] });
  });

  test("have each file as failed that did not run or of which no test passed, by its name", () => {
    const directory = checkoutWith("src/a.test.ts", "src/gone.test.ts", "test/empty.test.ts");
    const report = reportOf(directory, { "src/a.test.ts": [["one", "passed"]], "test/empty.test.ts": [] });
    expect(countIn(directory, report)).toEqual({
      counts: "1 2",
      told: ["failed: src/gone.test.ts: no test of it passed", "failed: test/empty.test.ts: no test of it passed"],
    });
  });

  test.each(["skipped", "pending", "todo"])("have a test that is %s as failed, unless a reason is listed", (status) => {
    const directory = checkoutWith("src/a.test.ts", ALLOWED);
    const report = reportOf(directory, {
      "src/a.test.ts": [
        ["one", "passed"],
        ["two", status],
      ],
      [ALLOWED]: [
        ["power cut on SQLite", status],
        ["other", status],
      ],
    });
    const { counts, told } = countIn(directory, report);
    expect(counts).toBe("1 2");
    expect(told).toEqual([
      expect.stringMatching(/^skipped: test\/faults\/power-cut\.test\.ts: 1 of 2 tests: .*strace/),
      "failed: src/a.test.ts: group > two: skipped, for no listed reason",
      "failed: test/faults/power-cut.test.ts: group > other: skipped, for no listed reason",
    ]);
  });

  test("have two tests of one file with one name as failed", () => {
    const directory = checkoutWith("src/a.test.ts", "src/b.test.ts");
    const one = ["one", "passed"] as [string, string];
    const report = reportOf(directory, { "src/a.test.ts": [one, one, one], "src/b.test.ts": [one] });
    const told = ["failed: src/a.test.ts: group > one: another test has the same name"];
    expect(countIn(directory, report)).toEqual({ counts: "4 1", told });
  });

  test("have what was thrown outside of any test as failed, in its own words", () => {
    const directory = checkoutWith("src/a.test.ts");
    const report = reportOf(directory, { "src/a.test.ts": [["one", "passed"]] });
    writeFileSync(outsideFileOf(report), JSON.stringify(["outside of any test: Error: late"]));
    expect(countIn(directory, report)).toEqual({
      counts: "1 1",
      told: ["failed: outside of any test: Error: late"],
    });
  });

  test("are of every file of tests of this project, and those that may be skipped are among them", () => {
    const files = listTestFiles();
    expect(files).toContain("test/ci/counts.test.ts");
    expect(files.filter((file) => file.includes("node_modules"))).toEqual([]);
    expect(Object.keys(MAY_SKIP).filter((file) => !files.includes(file))).toEqual([]);
  });
});

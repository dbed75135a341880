/**
 * Makes a run of vitest fail where `honest-run.ts` finds that it shows less than it seems to, and says what was thrown
 * outside of any test: such a run fails without a failed test, and vitest's report has no word of it.
 */
import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { besideFileOf, findGaps, hasShown, type Beside, type RanFile, type RanTest } from "./honest-run.ts";

type Thrown = Parameters<NonNullable<Reporter["onTestRunEnd"]>>[1];

export class HonestReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], thrown: Thrown): void {
    const outside = thrown.map((error) => `outside of any test: ${error.name}: ${error.message}\n${error.stack ?? ""}`);
    for (const text of outside) process.stderr.write(`failed: ${text}\n`);
    const report = process.env["TESSERA_TEST_REPORT"];
    const shown = modules.filter((module) => hasShown(asRan(module)));
    const proven = shown.map((module) => `${module.project.name} ${asRan(module).file}`);
    if (report !== undefined) writeFileSync(besideFileOf(report), JSON.stringify({ outside, proven } satisfies Beside));
    // A run of tests selected by name skips the others.
    if (this.#vitest?.config.testNamePattern !== undefined) return;
    // This reporter does not know which files were asked for: test/run.ts counts that all of them ran.
    const { gaps, skipped } = findGaps(modules.map(asRan));
    for (const line of skipped) process.stdout.write(`skipped: ${line}\n`);
    for (const line of gaps) process.stderr.write(`failed: ${line}\n`);
    if (gaps.length > 0) process.exitCode = 1;
  }
}

function asRan(module: TestModule): RanFile {
  const tests = Array.from(module.children.allTests(), (test): RanTest => {
    const { state } = test.result();
    return { name: test.fullName, state: state === "passed" || state === "failed" ? state : "skipped" };
  });
  return { file: relative(process.cwd(), module.moduleId), tests };
}

/** Makes a run of vitest fail where `honest-run.ts` finds that it shows less than it seems to. */
import { relative } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { findGaps, type RanFile, type RanTest } from "./honest-run.ts";

/** Makes the reporter, for the configuration of vitest. */
export function createHonestReporter(): Reporter {
  let vitest: Vitest | undefined;
  return {
    onInit: (started) => void (vitest = started),
    onTestRunEnd(modules) {
      // Who asks for some tests by name has the others skipped.
      if (vitest?.config.testNamePattern !== undefined) return;
      // Which files were asked for is not told here: that all of them ran is counted in `.ci/run`.
      const { gaps, skipped } = findGaps(modules.map(asRan), []);
      for (const line of skipped) process.stdout.write(`skipped: ${line}\n`);
      for (const line of gaps) process.stderr.write(`failed: ${line}\n`);
      if (gaps.length > 0) process.exitCode = 1;
    },
  };
}

function asRan(module: TestModule): RanFile {
  const tests = Array.from(module.children.allTests(), (test): RanTest => {
    const { state } = test.result();
    return { name: test.fullName, state: state === "passed" || state === "failed" ? state : "skipped" };
  });
  return { file: relative(process.cwd(), module.moduleId), tests };
}

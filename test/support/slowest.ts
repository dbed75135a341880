/** A reporter that ends each run with the files that took longest, so that what makes a run slow is seen when it comes. */
import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 20;

/** Prints one line a file: seconds from its load to its last hook, number of tests, path. Nothing for a run of one file. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < 2) return;
    const files = modules.map((module) => ({ module, seconds: secondsOf(module) }));
    const shown = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
    const lines = shown.map(({ module, seconds }) => {
      const tests = [...module.children.allTests()].length;
      return `${seconds.toFixed(1).padStart(8)} s  ${String(tests).padStart(5)} tests  ${module.relativeModuleId}`;
    });
    process.stdout.write(`\n Slowest files\n${lines.join("\n")}\n`);
  }
}

function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}

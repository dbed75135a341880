import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { HonestReporter } from "./test/support/honest-reporter.ts";
import { sized } from "./test/support/length.ts";
import { ALONE, OWN } from "./test/support/projects.ts";
import { SlowestFiles } from "./test/support/slowest.ts";

const report = process.env["TESSERA_TEST_REPORT"];
const all = ["src/**/*.test.ts", "test/**/*.test.ts"];
const never = ["**/node_modules/**"];
const setupFiles = ["test/support/file-setup.ts"];

// Which file is in which project, and why: test/support/projects.ts.
export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    // One more than there are cores: many tests wait, for a server's start or for what must not happen.
    maxWorkers: availableParallelism() + 1,
    // One second, else, in which a busy machine does nothing.
    expect: { poll: { timeout: 60_000 } },
    // The file is for .ci/run.
    reporters: ["default", new HonestReporter(), new SlowestFiles(), ...(report === undefined ? [] : ["json"])],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: all,
          exclude: [...OWN, ...ALONE, ...never],
          isolate: false,
          setupFiles,
          // For what hangs: on a machine that is given to others now and then, seconds become tens of them.
          testTimeout: sized(120_000, 900_000),
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "own",
          include: [...OWN],
          exclude: [...ALONE, ...never],
          setupFiles,
          testTimeout: sized(300_000, 1_800_000),
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: [...ALONE],
          setupFiles,
          testTimeout: sized(300_000, 1_800_000),
          hookTimeout: 60_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
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
    // By default one core is left idle, which on two is half of the machine.
    maxWorkers: Math.max(2, availableParallelism()),
    // The file is for .ci/run.
    reporters: ["default", new SlowestFiles(), ...(report === undefined ? [] : ["json"])],
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
          testTimeout: 60_000,
          hookTimeout: 30_000,
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
          testTimeout: 300_000,
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
          testTimeout: 300_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

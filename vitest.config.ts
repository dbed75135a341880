import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { createHonestReporter } from "./test/support/honest-reporter.ts";

const report = process.env["TESSERA_TEST_REPORT"];
const faults = ["test/faults/**/*.test.ts", "test/attacks/**/*.test.ts", "test/history/history.test.ts"];

// Tests that kill processes, fill disks and measure memory run alone, one file after the other, when everything else is done.
export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    // By default one core is left idle, which on two is half of the machine.
    maxWorkers: Math.max(2, availableParallelism()),
    // The default reporter ends with the counts; the file is for .ci/run.
    reporters: ["default", createHonestReporter(), ...(report === undefined ? [] : ["json"])],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
    projects: [
      {
        extends: true,
        test: {
          name: "main",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...faults, "**/node_modules/**"],
          setupFiles: ["test/support/file-setup.ts"],
          // For what hangs: on a machine that is given to others now and then, seconds become tens of them.
          testTimeout: 60_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "faults",
          include: faults,
          setupFiles: ["test/support/file-setup.ts"],
          testTimeout: 300_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { keepCompiled } from "./test/support/compiled.ts";
import { ALWAYS, GROUPS, QUICK_VARIABLE } from "./test/support/groups.ts";
import { HonestReporter } from "./test/support/honest-reporter.ts";
import { sized } from "./test/support/length.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { ALONE, BOTH_ENGINES, PAGE, POSTGRES_ALONE, PROGRAM, projectOf, PURE } from "./test/support/projects.ts";
import { SlowestFiles } from "./test/support/slowest.ts";

// Before workers are started.
keepCompiled();
const report = process.env["TESSERA_TEST_REPORT"];
const all = ["src/**/*.test.ts", "test/**/*.test.ts"];
const never = ["**/node_modules/**"];
const setupFiles = ["test/support/seed-setup.ts", "test/support/file-setup.ts"];
/** With 1, PostgreSQL is asked all that SQLite is. */
const isMatrix = process.env["TESSERA_TEST_MATRIX"] === "1";
/** With 1, of programs and pages only what `npm test` has; see test/support/groups.ts. */
const isQuick = process.env[QUICK_VARIABLE] === "1";
const quick = [...ALWAYS, ...Object.values(GROUPS).map(({ walk }) => walk)];
const inDatabase = [...PURE, ...PAGE, ...PROGRAM, ...ALONE, ...never];

/** For tests that share a process. For what hangs: on a machine that is given to others now and then, seconds become tens of them. */
const shared = { isolate: false, testTimeout: sized(120_000, 900_000), hookTimeout: 60_000 };
/** For tests that start programs. */
const own = { testTimeout: sized(300_000, 1_800_000), hookTimeout: 60_000 };

// Which file is in which project, and why: test/support/projects.ts.
export default defineConfig({
  test: {
    // Node reads the sources by itself, as it does in the program: a quarter of a run went to a second reader.
    experimental: { viteModuleRunner: false },
    // One more than there are cores: many tests wait, for a server's start or for what must not happen.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // One second, else, in which a busy machine does nothing.
    expect: { poll: { timeout: 60_000 } },
    // A failure in CI is read from its first line: the text that was looked for stands behind the first 40 characters.
    chaiConfig: { truncateThreshold: 1000 },
    // The file is for test/run.ts.
    reporters: ["default", new HonestReporter(), new SlowestFiles(), ...(report === undefined ? [] : ["json"])],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: "pure",
          include: [...PURE],
          exclude: never,
          setupFiles: setupFiles.slice(0, 1),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: "sqlite",
          include: all,
          exclude: [...inDatabase, ...POSTGRES_ALONE],
          globalSetup: ["test/support/set-up/sqlite.ts"],
          env: { TESSERA_TEST_ENGINE: "sqlite" },
          setupFiles,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: "postgres",
          include: isMatrix ? all : [...POSTGRES_ALONE, ...BOTH_ENGINES],
          exclude: inDatabase,
          globalSetup: ["test/support/set-up/sqlite.ts", "test/support/set-up/postgres.ts"],
          env: { TESSERA_TEST_ENGINE: "postgres" },
          setupFiles,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...own,
          name: "program",
          include: isQuick ? quick : [...PROGRAM],
          exclude: [...PURE, ...PAGE, ...ALONE, ...never],
          globalSetup: [
            "test/support/set-up/sqlite.ts",
            "test/support/set-up/postgres.ts",
            "test/support/set-up/program.ts",
          ],
          setupFiles,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...own,
          // The files of a worker share its server and its browser: test/console/worker.ts.
          isolate: false,
          name: "page",
          include: isQuick ? quick.filter((file) => projectOf(file) === "page") : [...PAGE],
          exclude: [...PURE, ...never],
          globalSetup: [
            "test/support/set-up/sqlite.ts",
            "test/support/set-up/postgres.ts",
            "test/support/set-up/program.ts",
          ],
          setupFiles,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...own,
          name: "alone",
          include: isQuick ? quick.filter((file) => projectOf(file) === "alone") : [...ALONE],
          globalSetup: [
            "test/support/set-up/sqlite.ts",
            "test/support/set-up/postgres.ts",
            "test/support/set-up/program.ts",
          ],
          setupFiles,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

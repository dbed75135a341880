/**
 * Checks of a test run besides "none failed": every file ran, tests were skipped only for a reason listed here, and
 * each test has a name that is unique in its file.
 */
import { globSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** Tests that may be skipped. */
interface MaySkip {
  /** Text that their names contain. */
  readonly tests: string;
  /** Feature that the machine lacks; printed with each run that skips them. */
  readonly reason: string;
}

const NO_MOUNT = "no small file system can be mounted here: that takes root";

/** Facts about a run that vitest's report does not contain. */
export interface Beside {
  /** Texts of errors that were thrown outside of any test. */
  readonly outside: readonly string[];
  /** Each `PROJECT FILE` of which a test passed, or was passed over for a listed reason. */
  readonly proven: readonly string[];
}

/** Path of the file to which a run writes `Beside` as JSON, for its report at `report`. */
export function besideFileOf(report: string): string {
  return `${report}.beside`;
}

/** By file, or by folder with a slash behind it. A skipped test that is not listed here counts as failed. */
export const MAY_SKIP: Readonly<Record<string, MaySkip>> = {
  "test/console/": {
    tests: "",
    reason: "Chromium is not installed here; .ci/run installs it, and where CI is set its absence is a failure",
  },
  "test/faults/power-cut.test.ts": {
    tests: "power cut on SQLite",
    reason: "what the server writes cannot be traced here: there is no strace, or it may not",
  },
  "test/backup/litestream.test.ts": {
    tests: "Litestream",
    reason:
      "Litestream is not on this machine; its test is in the long form, where LITESTREAM says which program it is",
  },
  "src/storage/sqlite/placement.test.ts": {
    tests: "leaves SQLite's locks on it",
    reason: "the kernel lists no locks here: that takes Linux",
  },
  "src/http/docs/docs.test.ts": {
    tests: "shows every operation in a browser",
    reason: "there is no Chromium here; .ci/run installs it",
  },
  "test/faults/disk-full.test.ts": { tests: "disk full on SQLite", reason: NO_MOUNT },
  "test/faults/postgres-troubles.test.ts": { tests: "disk full", reason: NO_MOUNT },
  "test/attacks/lost-files.test.ts": {
    tests: "a file that may only be read",
    reason: "no file can be made unwritable for its owner here: that takes root and chattr",
  },
  "test/postgres/versions.test.ts": {
    tests: "on PostgreSQL",
    reason:
      "an older PostgreSQL is not installed here; .ci/run installs it, and where CI is set its absence is a failure",
  },
  "test/postgres/pgbouncer.test.ts": {
    tests: "",
    reason: "PgBouncer is not installed here; .ci/run installs it, and where CI is set its absence is a failure",
  },
  "test/deploy/container.test.ts": {
    tests: "",
    reason: "an image can be made and entered here only by root on a machine with apt",
  },
  "test/deploy/debian.test.ts": {
    tests: "",
    reason: "packages can be installed here only by root on a machine with dpkg",
  },
  "test/deploy/monitoring.test.ts": {
    tests: "promtool",
    reason: "promtool is not installed here; .ci/run installs it, and where CI is set its absence is a failure",
  },
  "test/cli/completion.test.ts": {
    tests: "sh gives words with their meaning",
    reason: "zsh or fish is not installed here; .ci/run installs them, and where CI is set their absence is a failure",
  },
  "test/docs/readme.test.ts": {
    tests: "in zsh",
    reason: "zsh is not installed here; .ci/run installs it, and where CI is set its absence is a failure",
  },
  "test/docs/pages.test.ts": {
    tests: "sh",
    reason: "zsh or fish is not installed here; .ci/run installs them, and where CI is set their absence is a failure",
  },
  "test/deploy/systemd.test.ts": {
    tests: "unit",
    reason: "systemd is not installed here; .ci/run installs it, and where CI is set its absence is a failure",
  },
  "src/cli/supervisor.test.ts": {
    tests: "manager",
    reason: "systemd is not installed here; .ci/run installs it, and where CI is set its absence is a failure",
  },
  "test/client/browser.test.ts": {
    tests: "in a browser",
    reason: "Chromium is not installed here; .ci/run installs it, and where CI is set its absence is a failure",
  },
  "test/clients/terraform/terraform.test.ts": {
    tests: "terraform (skipped",
    reason: "there is no terraform in PATH here, or one before 1.11; the name of the group says which",
  },
  "src/acl/auth-methods/outbound.test.ts": {
    tests: "an address of the network of the server",
    reason: "this machine has no address but those of the loopback interface",
  },
};

/** A file as a report has it. */
export interface RanFile {
  /** From the root of the repository. */
  readonly file: string;
  readonly tests: readonly RanTest[];
}

export interface RanTest {
  /** With those of the groups around it. */
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
}

/** Lines of text. */
export interface Findings {
  /** Each counts as a failed test. */
  readonly gaps: string[];
  /** Skipped tests with a listed reason. */
  readonly skipped: string[];
}

/** Every file of tests that there is, from the root of the repository. */
export function listTestFiles(root = ROOT): string[] {
  return globSync("{src,test}/**/*.test.ts", { cwd: root, exclude: ["**/node_modules/**"] }).sort();
}

/** Looks through what ran. */
export function findGaps(ran: readonly RanFile[]): Findings {
  const gaps: string[] = [];
  const skipped: string[] = [];
  for (const { file, tests } of ran) {
    const skips = tests.filter(({ state }) => state === "skipped");
    const unlisted = skips.filter(({ name }) => !mayBeSkipped(file, name));
    gaps.push(...unlisted.map(({ name }) => `${file}: ${name}: skipped, for no listed reason`));
    const listed = skips.length - unlisted.length;
    if (listed > 0) skipped.push(`${file}: ${listed} of ${tests.length} tests: ${skipOf(file)?.reason}`);
    gaps.push(...namedTwice(tests).map((name) => `${file}: ${name}: another test has the same name`));
  }
  return { gaps, skipped };
}

/** Whether at least one test of a file passed, or was skipped for a listed reason. */
export function hasShown({ file, tests }: RanFile): boolean {
  return tests.some(({ name, state }) => state === "passed" || (state === "skipped" && mayBeSkipped(file, name)));
}

function mayBeSkipped(file: string, name: string): boolean {
  const listed = skipOf(file);
  return listed !== undefined && name.includes(listed.tests);
}

function skipOf(file: string): MaySkip | undefined {
  return MAY_SKIP[file] ?? MAY_SKIP[file.slice(0, file.lastIndexOf("/") + 1)];
}

function namedTwice(tests: readonly RanTest[]): string[] {
  const seen = new Set<string>();
  const again = tests.filter(({ name }) => seen.size === seen.add(name).size);
  return [...new Set(again.map(({ name }) => name))];
}

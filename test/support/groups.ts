/**
 * When the files of `program`, `page` and `alone` run: some with every `npm test`, the others in groups, of which each run of
 * `.ci/run` has a slice that its seed draws, and `npm run test:all` everything.
 */
import { isIn, projectOf } from "./projects.ts";
import { randomOfRun } from "./seeded.ts";

/** Set to 1 by `npm test`, which walks one way through each group. */
export const QUICK_VARIABLE = "TESSERA_TEST_QUICK";

/** Files that run with every `npm test`: they are cheap, or planted bugs are found by them alone. */
export const ALWAYS: readonly string[] = [
  "src/declared/brakes.test.ts",
  "src/declared/secret-files.test.ts",
  "src/http/sending/after-surge.test.ts",
  "src/http/media-type.test.ts",
  "src/outbound/*.test.ts",
  "src/private-node.test.ts",
  "src/storage/postgres/stalls.test.ts",
  "src/storage/sqlite/open.test.ts",
  "src/tracing/otlp.test.ts",
  "test/attacks/damaged-rows.test.ts",
  "test/attacks/indexes.test.ts",
  "test/boundaries.test.ts",
  "test/ci/*.test.ts",
  "test/cli/owners.test.ts",
  "test/cli/words.test.ts",
  "test/client/faults.test.ts",
  "test/client/requests.test.ts",
  "test/client/strange.test.ts",
  "test/client/watch.test.ts",
  "test/docs/reference.test.ts",
  "test/recipe/*.test.ts",
  "test/support/*.test.ts",
];

/** Files that prove one part of the product with real programs. */
export interface Group {
  readonly files: readonly string[];
  /** One way through the group that `npm test` walks. */
  readonly walk: string;
  /** Seconds of a quiet machine that its slice takes in `.ci/run`. */
  readonly seconds: number;
}

/** By name; a file belongs to the first that has it. */
export const GROUPS: Readonly<Record<string, Group>> = {
  commands: {
    files: [
      "src/cli/*.test.ts",
      "test/cli/*.test.ts",
      "src/declared/brakes.test.ts",
      "src/declared/replayed-plans.test.ts",
      "src/declared/secret-files.test.ts",
    ],
    walk: "src/cli/serve.test.ts",
    seconds: 80,
  },
  console: {
    files: ["test/console/*.test.ts", "src/http/docs/docs.test.ts", "test/client/browser.test.ts"],
    walk: "test/console/walk.test.ts",
    seconds: 110,
  },
  faults: {
    files: [
      "test/faults/*.test.ts",
      "src/storage/sqlite/kill-batches.test.ts",
      "src/storage/sqlite/sync-failure.test.ts",
      "src/tracing/collector-away.test.ts",
    ],
    walk: "test/faults/kill.test.ts",
    seconds: 80,
  },
  attacks: { files: ["test/attacks/*.test.ts"], walk: "test/attacks/first-start.test.ts", seconds: 80 },
  nodes: {
    files: ["test/nodes/*.test.ts", "src/**/*nodes.test.ts", "test/postgres/*.test.ts"],
    walk: "test/nodes/revocation.test.ts",
    seconds: 80,
  },
  backups: { files: ["test/backup/*.test.ts"], walk: "test/backup/round-trip.test.ts", seconds: 80 },
  upgrades: { files: ["test/upgrades/*.test.ts"], walk: "test/upgrades/sqlite.test.ts", seconds: 40 },
  deploy: { files: ["test/deploy/*.test.ts"], walk: "test/deploy/systemd.test.ts", seconds: 40 },
  history: { files: ["test/history/*.test.ts"], walk: "test/history/history.test.ts", seconds: 50 },
  documents: { files: ["test/docs/*.test.ts"], walk: "test/docs/readme.test.ts", seconds: 60 },
  clients: {
    files: ["test/client/*.test.ts", "test/clients/**/*.test.ts", "test/authzen/*.test.ts"],
    walk: "test/client/surface.test.ts",
    seconds: 40,
  },
};

/** The group of a file of `program`, `page` or `alone`; none for those that always run. */
export function groupOf(file: string): string | undefined {
  if (isIn(ALWAYS, file)) return undefined;
  return Object.entries(GROUPS).find(([, { files }]) => isIn(files, file))?.[0];
}

/** Whether `npm test` runs a file. */
export function isQuick(file: string): boolean {
  const project = projectOf(file);
  if (project === "pure" || project === "sqlite" || project === "postgres") return true;
  return isIn(ALWAYS, file) || Object.values(GROUPS).some(({ walk }) => walk === file);
}

/**
 * Cases of a file that `npm test` walks: so many, which the seed of the run draws, in the order of all. Slices of `.ci/run`,
 * `--group` and `npm run test:all` have all of them.
 */
export function walked<T>(all: readonly T[], count: number): readonly T[] {
  if (process.env[QUICK_VARIABLE] !== "1") return all;
  const random = randomOfRun();
  const left = [...all];
  while (left.length > count) left.splice(Math.floor(random() * left.length), 1);
  return left;
}

/** Which files a run has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GROUPS, groupOf } from "../support/groups.ts";
import { listTestFiles } from "../support/honest-run.ts";
import { BOTH_ENGINES, isIn, projectOf } from "../support/projects.ts";
import { seeded } from "../support/seeded.ts";

/** Seconds of a file that none has been noted of. */
const UNKNOWN_SECONDS = 20;
/** Seconds for which a slice asks PostgreSQL the files that `npm test` runs on SQLite alone. */
const MATRIX_SECONDS = 240;

/** The group whose files run on PostgreSQL what `npm test` asks of SQLite alone. */
export const MATRIX = "matrix";

/** Names of all groups, in the order in which `.ci/run` has their slices. */
export const GROUP_NAMES: readonly string[] = [...Object.keys(GROUPS), MATRIX];

/** A slice is drawn by these. */
export interface Draw {
  readonly seed: number;
  /** Seconds that files took, by path: seconds.json. */
  readonly seconds: Readonly<Record<string, number>>;
}

/**
 * Lists the files of a group, or those of its slice.
 *
 * @param draw with it, only as many as fit into the group's seconds, at least one
 * @throws {Error} for a group that is not
 */
export function filesOfGroup(root: string, name: string, draw?: Draw): string[] {
  const group = name === MATRIX ? { seconds: MATRIX_SECONDS } : GROUPS[name];
  if (group === undefined) throw new Error(`no group is called ${name}; there are: ${GROUP_NAMES.join(", ")}`);
  const files = name === MATRIX ? matrixFiles(root) : listTestFiles(root).filter((file) => isOf(name, file));
  return draw === undefined ? files : drawn(files, group.seconds, draw);
}

function isOf(group: string, file: string): boolean {
  return groupOf(file) === group && projectOf(file) !== "pure";
}

function matrixFiles(root: string): string[] {
  return listTestFiles(root).filter(
    (file) =>
      projectOf(file) === "sqlite" &&
      !isIn(BOTH_ENGINES, file) &&
      readFileSync(join(root, file), "utf8").includes("forEachEngine("),
  );
}

function drawn(files: readonly string[], seconds: number, draw: Draw): string[] {
  const random = seeded(draw.seed);
  const left = files.toSorted();
  const taken: string[] = [];
  for (let spent = 0; left.length > 0;) {
    const [file = ""] = left.splice(Math.floor(random() * left.length), 1);
    const costs = draw.seconds[file] ?? UNKNOWN_SECONDS;
    if (taken.length > 0 && spent + costs > seconds) continue;
    spent += costs;
    taken.push(file);
  }
  return taken.toSorted();
}

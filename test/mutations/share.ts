/** The share of planted bugs that `npm test` finds, and the groups of test files that find the rest. */
import { groupOf, isQuick } from "../support/groups.ts";
import { BOTH_ENGINES, isIn, projectOf } from "../support/projects.ts";
import type { PlantedBug } from "./planted.ts";
import type { Row } from "./table.ts";

/** Bugs that no run of `npm test` finds, by the group of the test files that find them. */
export interface Share {
  readonly all: number;
  readonly quick: number;
  /** Names, by the name of the group. */
  readonly others: ReadonlyMap<string, readonly string[]>;
  /** Names of bugs without a row in the table for their test file: nobody has measured whether it fails. */
  readonly unmeasured: readonly string[];
}

/** Compares the test files that planted bugs name with those that `npm test` runs. @param rows of the table */
export function shareOf(bugs: readonly PlantedBug[], rows: readonly Row[]): Share {
  const measured = new Map(rows.map((row) => [row.name, row]));
  const rowOf = ({ name, test }: PlantedBug): Row | undefined => {
    const row = measured.get(name);
    return row?.file === test ? row : undefined;
  };
  const others = new Map<string, string[]>();
  for (const bug of bugs) {
    const group = elsewhere(bug.test, rowOf(bug));
    if (group !== undefined) others.set(group, [...(others.get(group) ?? []), bug.name]);
  }
  const count = [...others.values()].reduce((sum, names) => sum + names.length, 0);
  const unmeasured = bugs.filter((bug) => rowOf(bug) === undefined).map(({ name }) => name);
  return { all: bugs.length, quick: bugs.length - count, others, unmeasured };
}

/** The group that finds a bug; undefined where `npm test` does, in the projects in which it runs the file. */
function elsewhere(file: string, row: Row | undefined): string | undefined {
  if (!isQuick(file)) return groupOf(file) ?? "none";
  // PostgreSQL runs files of `sqlite` only where they are listed, or in the matrix.
  const isMissed = projectOf(file) === "sqlite" && row?.cells.sqlite.verdict === "no";
  return isMissed && !isIn(BOTH_ENGINES, file) ? "matrix" : undefined;
}

/** The share in words, a line for each group. */
export function describeShare({ all, quick, others, unmeasured }: Share): string {
  const percent = Math.floor((quick / all) * 1000) / 10;
  const groups = [...others].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    `npm test runs the test files of ${quick} of ${all} planted bugs (${percent} %)`,
    ...groups.map(([group, names]) => `${group}: ${names.join(", ")}`),
    `without a row in the table: ${unmeasured.length === 0 ? "none" : unmeasured.join(", ")}`,
  ].join("\n");
}

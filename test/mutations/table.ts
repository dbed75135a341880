/** A table of all planted bugs: which file finds each, on which engine, in how many seconds. One row a line, parted by tabs. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PlantedBug } from "./planted.ts";
import { projectOf } from "../support/projects.ts";
import type { Asked, Outcome } from "./trees.ts";

/**
 * Makes PostgreSQL run all tests, also those that `npm test` leaves to SQLite: the table shows which of them it needs.
 */
export const MATRIX = { TESSERA_TEST_MATRIX: "1" };

/** How vitest is asked for the tests of one engine. */
const OF_ENGINE = {
  sqlite: { options: ["--project", "sqlite"] },
  postgres: { options: ["--project", "postgres"], env: MATRIX },
} as const satisfies Record<string, Asked>;

const COLUMNS = ["sqlite", "postgres", "whole"] as const;
type Column = (typeof COLUMNS)[number];

/** Whether the tests of a column find a bug: `late` when they do not end, `none` where no test ran, `-` not asked. */
type Verdict = "yes" | "no" | "late" | "none" | "-";

/** Measurements of one bug. */
export interface Row {
  readonly name: string;
  /** The test file that is to find it. */
  readonly file: string;
  /** Files of other projects than those of engines are run whole. */
  readonly cells: Readonly<Record<Column, { readonly verdict: Verdict; readonly seconds: number }>>;
  /** The test that found it first. */
  readonly test: string | undefined;
}

const HEAD = ["bug", "caught by", ...COLUMNS.flatMap((column) => [column, "s"]), "test"].join("\t");
const NOT_ASKED = { verdict: "-", seconds: 0 } as const;

/** Runs the test file of a bug, which is planted, once for each engine that it tests. */
export async function measure(
  tree: string,
  { name, test: file }: PlantedBug,
  run: (asked: Asked) => Promise<Outcome>,
): Promise<Row> {
  const cells = { sqlite: NOT_ASKED, postgres: NOT_ASKED, whole: NOT_ASKED } as Record<Column, Row["cells"][Column]>;
  let test: string | undefined;
  const ask = async (column: Column, asked: Asked): Promise<void> => {
    const outcome = await run(asked);
    test ??= outcome.failed[0];
    cells[column] = { verdict: verdictOf(outcome), seconds: outcome.seconds };
  };
  const engines = enginesOf(tree, file);
  for (const engine of engines) await ask(engine, OF_ENGINE[engine]);
  if (engines.length === 0) await ask("whole", { options: [] });
  return { name, file, cells, test };
}

function verdictOf({ failed, passed, isOver }: Outcome): Verdict {
  if (failed.length > 0) return "yes";
  if (isOver) return "late";
  return passed.length > 0 ? "no" : "none";
}

/** None for a file without a database of its own process, and for one that starts programs: they are run whole. */
function enginesOf(tree: string, file: string): ("sqlite" | "postgres")[] {
  const project = projectOf(file);
  if (project === "postgres") return ["postgres"];
  if (project !== "sqlite") return [];
  return /engine/i.test(readFileSync(join(tree, file), "utf8")) ? ["sqlite", "postgres"] : ["sqlite"];
}

/** Writes the whole table, in order of the names; a run that is stopped in the midst of it leaves the one before. */
export function writeTable(path: string, rows: readonly Row[]): void {
  const lines = rows.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(lineOf);
  writeFileSync(`${path}.new`, [HEAD, ...lines, ""].join("\n"));
  renameSync(`${path}.new`, path);
}

function lineOf({ name, file, cells, test }: Row): string {
  const measured = COLUMNS.flatMap((column) => {
    const { verdict, seconds } = cells[column];
    return [verdict, verdict === "-" ? "" : seconds.toFixed(1)];
  });
  return [name, file, ...measured, (test ?? "").replaceAll(/\s+/g, " ")].join("\t");
}

/** The rows of a table; none when there is no such file. @throws Error when it is no table */
export function readTable(path: string): Row[] {
  if (!existsSync(path)) return [];
  const [head, ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  if (head !== HEAD) throw new Error(`${path} is no table of planted bugs`);
  return lines.map((line) => {
    const [name = "", file = "", ...rest] = line.split("\t");
    const cell = (at: number) => ({ verdict: rest[at] as Verdict, seconds: Number(rest[at + 1]) });
    const test = rest[COLUMNS.length * 2] ?? "";
    const cells = { sqlite: cell(0), postgres: cell(2), whole: cell(4) };
    return { name, file, cells, test: test === "" ? undefined : test };
  });
}

/** One line on a row, for people. */
export function describeRow({ name, file, cells, test }: Row): string {
  const said = COLUMNS.filter((column) => cells[column].verdict !== "-").map(
    (column) => `${column} ${cells[column].verdict} in ${cells[column].seconds.toFixed(1)} s`,
  );
  return `${test === undefined ? "NOT CAUGHT" : "caught"} ${name}: ${said.join(", ")}: ${file}`;
}

/**
 * The figures that have a budget, each with what it is made of. Counts only: nothing here depends on a machine.
 *
 * Upward imports, of a lower layer from a higher one, get a figure when it is decided which layer is above which: without
 * that order there is nothing to count.
 */
import { BOTH_ENGINES, isIn, projectOf } from "../support/projects.ts";
import { linesOf, MOST_LINES_OF_A_FUNCTION, readSource, riddlesOf, type Source } from "./source.ts";
import type { Tree } from "./tree.ts";

export interface Part {
  readonly amount: number;
  /** Hint where to look, if the place does not show it. */
  readonly note?: string;
}

/** By place, which is a file, something in one, or a pair of folders. */
export type Parts = ReadonlyMap<string, Part>;

/** By name. */
export type Figures = ReadonlyMap<string, Parts>;

export const BYTES = "bytes of tracked files";

/** The budgets themselves: they would change the figure that they hold. */
export const BUDGETS = "test/budgets/figures.json";

const MOST_LINES_OF_A_FILE = 300;
const PACKAGES = ["src", "packages/client", "packages/model", "console/src"];
const CLIENT = "@tessera-server/client";

/** Calls that start something, by what they start. */
const STARTS = {
  "applications started": /(?<!function |[.\w])(?:useApi|useV1|openShell|openV1Shell)\(/g,
  "servers started": /(?<!function |[.\w])startServer\(/g,
  "databases made": /(?<!function |[.\w])(?:makeDatabaseUrl|forEachEngine)\(/g,
};
const TESTS = /(?<![.\w])(?:it|test)(?:\.\w+)*[(<`]/g;
/** Texts, and comments that have a line of their own or end one: what looks like a call there is none. */
const NO_CODE = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|^\s*\/?\*.*$|(?:^|\s)\/\/ .*$/gm;

/** Measures a tree in one pass. */
export function measure(tree: Tree): Figures {
  const figures = new Collected();
  const sources = new Map<string, Source>();
  for (const file of tree.files.filter(isCode).toSorted()) {
    const text = tree.read(file);
    if (isProgram(file)) {
      figures.add(`lines of ${folderOf(file)}`, file, linesOf(text));
      if (!file.endsWith(".css")) sources.set(file, readSource(file, text));
    } else if (isOfTests(file)) measureTests(figures, file, text);
    if (file.endsWith(".css")) continue;
    if (linesOf(text) > MOST_LINES_OF_A_FILE) figures.add(`files over ${MOST_LINES_OF_A_FILE} lines`, file, 1);
    figures.add(
      `comments that begin with What, Who, Of, Those, So, Where or That: ${areaOf(file)}`,
      file,
      riddlesOf(file, text),
    );
  }
  for (const name of PACKAGES) measurePackage(figures, name, sources);
  figures.addAll("packages of which each imports the other", mutual(sources, packageOf));
  figures.add(`files over ${MOST_LINES_OF_A_FILE} lines`, "", 0);
  if (tree.bytes !== undefined)
    figures.addAll(
      BYTES,
      [...tree.bytes].filter(([file]) => file !== BUDGETS),
    );
  return figures.sorted();
}

function measureTests(figures: Collected, file: string, text: string): void {
  figures.add(`lines of tests in ${areaOf(file)}`, file, linesOf(text));
  const code = text.replaceAll(NO_CODE, "");
  const isFile = file.endsWith(".test.ts");
  if (isFile) {
    figures.add("files of tests", file, 1);
    figures.add("tests", file, code.match(TESTS)?.length ?? 0);
  }
  const places = isFile ? projectsOf(file).map((name) => `in project ${name}`) : ["in helpers of tests"];
  for (const [what, calls] of Object.entries(STARTS)) {
    for (const place of places) figures.add(`${what} ${place}`, file, code.match(calls)?.length ?? 0);
  }
}

/** A file of both engines runs in two. */
function projectsOf(file: string): string[] {
  const project = projectOf(file);
  return project === "sqlite" && isIn(BOTH_ENGINES, file) ? [project, "postgres"] : [project];
}

function measurePackage(figures: Collected, name: string, sources: ReadonlyMap<string, Source>): void {
  const own = [...sources].filter(([file]) => packageOf(file) === name);
  const long = own.flatMap(([file, { longFunctions }]) => longFunctions.map((each) => `${file}: ${each}`));
  figures.addAll(
    `functions over ${MOST_LINES_OF_A_FUNCTION} lines in ${name}`,
    long.map((place) => [place, 1]),
  );
  const types = own.flatMap(([file, { typeNames }]) => typeNames.map((type) => ({ file, type })));
  const byName = Object.values(Object.groupBy(types, ({ type }) => type));
  figures.addAll(
    `exported types of ${name} that share their name`,
    byName.flatMap((alike = []) => (alike.length > 1 ? alike.map(({ file, type }) => [`${file}: ${type}`, 1]) : [])),
  );
  const folders = mutual(new Map(own), (file) => (folderOf(file) === name ? undefined : folderOf(file)));
  if (name !== "packages/client") figures.addAll(`pairs of folders of ${name} that import each other`, folders);
}

/** Pairs of groups of files that import each other, each with some imports of the way that has fewer of them. */
function mutual(
  sources: ReadonlyMap<string, Source>,
  groupOf: (file: string) => string | undefined,
): (readonly [place: string, amount: number, note: string])[] {
  const ways = new Map<string, string[]>();
  for (const [file, { imports }] of sources) {
    for (const imported of imports) {
      const [from, to] = [groupOf(file), groupOf(imported === CLIENT ? "packages/client/src/index.ts" : imported)];
      if (from === undefined || to === undefined || from === to) continue;
      const way = `${from} ${to}`;
      ways.set(way, [...(ways.get(way) ?? []), `${file} imports ${imported}`]);
    }
  }
  return [...ways].flatMap(([way, imports]) => {
    const [from = "", to = ""] = way.split(" ");
    const back = ways.get(`${to} ${from}`);
    if (back === undefined || from > to) return [];
    const fewer = imports.length < back.length ? imports : back;
    return [[`${from} and ${to}`, 1, fewer.slice(0, 3).join(", ")] as const];
  });
}

/** Code that people write, but for what is generated. */
function isCode(file: string): boolean {
  return /^(?:src|test|packages|console|bench|packaging)\/.*\.(?:tsx?|css)$/.test(file) && !file.endsWith(".gen.ts");
}

function isOfTests(file: string): boolean {
  return file.startsWith("test/") || file.endsWith(".test.ts");
}

function isProgram(file: string): boolean {
  return packageOf(file) !== undefined && !isOfTests(file);
}

function packageOf(file: string): string | undefined {
  return PACKAGES.find((name) => file.startsWith(`${name}/`));
}

function areaOf(file: string): string {
  return isOfTests(file) && !file.startsWith("test/") ? "src" : (packageOf(file) ?? file.split("/")[0] ?? "");
}

/** The folder in a package; of what lies at the top of the package, and of all of a client, the package. */
function folderOf(file: string): string {
  const name = packageOf(file) ?? "";
  const [folder = "", ...rest] = file.slice(name.length + 1).split("/");
  return rest.length === 0 || name === "packages/client" ? name : `${name}/${folder}`;
}

class Collected {
  readonly #figures = new Map<string, Map<string, Part>>();

  add(figure: string, place: string, amount: number, note?: string): void {
    const parts = this.#figures.get(figure) ?? new Map<string, Part>();
    const sum = amount + (parts.get(place)?.amount ?? 0);
    if (amount > 0) parts.set(place, { amount: sum, ...(note === undefined ? {} : { note }) });
    this.#figures.set(figure, parts);
  }

  addAll(figure: string, parts: readonly (readonly [place: string, amount: number, note?: string])[]): void {
    // A figure of nothing is one too.
    this.add(figure, "", 0);
    for (const [place, amount, note] of parts) this.add(figure, place, amount, note);
  }

  sorted(): Figures {
    return new Map([...this.#figures].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }
}

/**
 * Planted bugs: each file of `bugs/` puts a mistake into `src/`, `packages/` or `console/src/` that breaks a promise, and names
 * the test file that must find it. A mistake is put in place of a text within a declaration, see `edits.ts`.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import type { Random } from "../support/seeded.ts";
import { readCode, type Code } from "./code.ts";
import { edited, type Edit } from "./edits.ts";

export const ROOT = resolve(import.meta.dirname, "../..");
export const BUGS = join(import.meta.dirname, "bugs");

/** A bug, as its file says it. */
export interface PlantedBug {
  /** The file's name without its ending, such as `012-expired-token`. */
  readonly name: string;
  /** The mistake, in words. */
  readonly breaks: string;
  /** Promise that the program breaks with this bug. */
  readonly promise: string;
  /** The nearest test file, from the root of the repository: one of its tests must fail. */
  readonly test: string;
  readonly edits: readonly Edit[];
}

/**
 * All of them, in order of their names.
 *
 * @throws Error for a file that does not say all
 */
export function listBugs(folder = BUGS): PlantedBug[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .toSorted()
    .map((file) => readBug(file.slice(0, -".yaml".length), readFileSync(join(folder, file), "utf8")));
}

/** Reads one. @throws Error when it does not say all, or something that is not known */
export function readBug(name: string, text: string): PlantedBug {
  const bug = (parse(text) ?? {}) as Record<string, unknown>;
  const file = `${name}.yaml`;
  const texts = textsOf(file, bug, ["breaks", "promise", "caught-by"], ["edits"]);
  const edits = bug["edits"];
  if (!Array.isArray(edits) || edits.length === 0) throw new Error(`${file} does not say "edits: ..."`);
  return {
    name,
    breaks: texts["breaks"] ?? "",
    promise: texts["promise"] ?? "",
    test: texts["caught-by"] ?? "",
    edits: edits.map((edit) => readEdit(file, edit as Record<string, unknown>)),
  };
}

function readEdit(where: string, edit: Record<string, unknown>): Edit {
  const { file = "", from = "", to = "" } = textsOf(where, edit, ["file", "from"], ["in", "to"]);
  const { in: within } = edit;
  if (typeof edit["to"] !== "string") throw new Error(`${where} does not say "to: ...", which may be empty`);
  if (within !== undefined && typeof within !== "string")
    throw new Error(`${where}: "in" is the name of a declaration`);
  return { file, within, from, to: to === "" ? edit["to"].trim() : to };
}

/** Reads these members, without blanks around them; all must be there, and no others than `more`. */
function textsOf(
  file: string,
  from: Record<string, unknown>,
  names: readonly string[],
  more: readonly string[],
): Record<string, string> {
  const other = Object.keys(from).find((name) => !names.includes(name) && !more.includes(name));
  if (other !== undefined) throw new Error(`${file}: "${other}" is not known`);
  return Object.fromEntries(
    names.map((name) => {
      const value = from[name];
      if (typeof value !== "string" || value.trim() === "") throw new Error(`${file} does not say "${name}: ..."`);
      return [name, value.trim()];
    }),
  );
}

/** Draws `count` different bugs; all when there are not more. */
export function drawBugs(bugs: readonly PlantedBug[], count: number, random: Random): PlantedBug[] {
  const left = [...bugs];
  const drawn: PlantedBug[] = [];
  while (left.length > 0 && drawn.length < count) drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  return drawn.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Reads each file of a tree once. */
export function codeOf(tree: string): (file: string) => Code {
  const read = new Map<string, Code>();
  return (file) => {
    const code = read.get(file) ?? readCode(file, readFileSync(join(tree, file), "utf8"));
    read.set(file, code);
    return code;
  };
}

/**
 * The files that a bug changes, as they are with it.
 *
 * @throws Error when it does not apply
 */
export function mutatedFiles({ name, edits }: PlantedBug, read: (file: string) => Code): Map<string, string> {
  try {
    return new Map(
      [...Map.groupBy(edits, ({ file }) => file)].map(([file, ofFile]) => [file, edited(read(file), ofFile)]),
    );
  } catch (error) {
    throw new Error(`${name} does not apply any more: renew it, see CONTRIBUTING.md (${(error as Error).message})`, {
      cause: error,
    });
  }
}

/**
 * Plants a bug in a tree.
 *
 * @returns takes it out again
 * @throws Error when it does not apply; the tree is as it was then
 */
export function plantBug(tree: string, bug: PlantedBug): () => void {
  const read = codeOf(tree);
  const files = [...mutatedFiles(bug, read)];
  for (const [file, text] of files) writeFileSync(join(tree, file), text);
  return () => {
    for (const [file] of files) writeFileSync(join(tree, file), read(file).text);
  };
}

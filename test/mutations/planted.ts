/**
 * Planted bugs: each is a patch of `src/`, `packages/client/src/` or `console/src/` in `patches/` that breaks a promise, and names the test file
 * that must find it in its first lines (`Breaks:`, `Promise:`, `Caught by:`).
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Random } from "../support/seeded.ts";

export const ROOT = resolve(import.meta.dirname, "../..");
export const PATCHES = join(import.meta.dirname, "patches");

/** A bug, by what the head of its patch says. */
export interface PlantedBug {
  /** The patch's file name without its ending, such as `012-expired-token`. */
  readonly name: string;
  /** What is wrong with it in place. */
  readonly breaks: string;
  /** What the program promises and does not keep then. */
  readonly promise: string;
  /** The nearest test file, from the root of the repository: one of its tests must fail. */
  readonly test: string;
  /** The text of the patch, its head included, which `git apply` passes over. */
  readonly patch: string;
}

/**
 * All of them, in order of their names.
 *
 * @throws Error for a patch whose head does not say all
 */
export function listBugs(folder = PATCHES): PlantedBug[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".patch"))
    .toSorted()
    .map((file) => readBug(file.slice(0, -".patch".length), readFileSync(join(folder, file), "utf8")));
}

/** Reads one. @throws Error when its head does not say all */
export function readBug(name: string, patch: string): PlantedBug {
  const said = (label: string): string => {
    const text = new RegExp(`^${label}: (.+)$`, "m").exec(headOf(patch))?.[1];
    if (text === undefined) throw new Error(`${name}.patch does not say "${label}: ..." in front of its first "---"`);
    return text.trim();
  };
  return { name, breaks: said("Breaks"), promise: said("Promise"), test: said("Caught by"), patch };
}

function headOf(patch: string): string {
  return patch.split(/^--- /m, 1)[0] ?? "";
}

/** Draws `count` different bugs; all when there are not more. */
export function drawBugs(bugs: readonly PlantedBug[], count: number, random: Random): PlantedBug[] {
  const left = [...bugs];
  const drawn: PlantedBug[] = [];
  while (left.length > 0 && drawn.length < count) drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  return drawn.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * Applies the patch of a bug to a tree, or takes it back, or only tries.
 *
 * @returns why it does not apply; undefined when it does
 */
export function applyBug(
  tree: string,
  { name, patch }: PlantedBug,
  how: "apply" | "reverse" | "try",
): string | undefined {
  const options = { apply: [], reverse: ["--reverse"], try: ["--check"] }[how];
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...env } = process.env;
  const { status, stderr } = spawnSync("git", ["apply", ...options, "-"], {
    cwd: tree,
    input: patch,
    encoding: "utf8",
    // A repository around a temporary tree would have git take the paths of the patch for its own.
    env: tree === ROOT ? env : { ...env, GIT_CEILING_DIRECTORIES: dirname(tree) },
  });
  if (status === 0) return undefined;
  return `${name}.patch does not apply any more: renew it, see CONTRIBUTING.md (${(stderr ?? "git is missing").trim()})`;
}

/** Files of the repository, as they lie there now or as a commit has them. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface Tree {
  /** From the root of the repository. */
  readonly files: readonly string[];
  /** Undefined where git does not say which files it tracks, as in an archive of the sources. */
  readonly bytes: ReadonlyMap<string, number> | undefined;
  read(file: string): string;
}

/** Without git: where sources are, and what lies there that git would not track. */
const SOURCES = ["{src,test,packages,console,bench,packaging}/**/*.{ts,tsx,css}"];
const UNTRACKED = ["**/node_modules/**", "**/dist/**"];

/** The files as they are now: tracked, or new and not ignored, since a commit is about to hold them. */
export function workingTree(root: string): Tree {
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const listed = existsSync(join(root, ".git"))
    ? git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    : undefined;
  if (listed === undefined)
    return { files: globSync(SOURCES, { cwd: root, exclude: UNTRACKED }), bytes: undefined, read };
  const bytes = new Map<string, number>();
  for (const file of split(listed)) {
    const stats = statSync(join(root, file), { throwIfNoEntry: false });
    if (stats?.isFile() === true) bytes.set(file, stats.size);
  }
  return { files: [...bytes.keys()], bytes, read };
}

/** The files of the commit that wrote `file` last; undefined where git does not know. */
export function treeThatWrote(file: string, root: string): Tree | undefined {
  const commit = existsSync(join(root, ".git")) ? git(root, "log", "-1", "--format=%H", "--", file)?.trim() : undefined;
  if (commit === undefined || commit === "") return undefined;
  const listed = git(root, "ls-tree", "-r", "-l", "-z", commit);
  const changed = new Set(split(git(root, "diff", "--name-only", "--no-renames", "-z", commit)));
  const bytes = new Map(
    split(listed).map((line): [string, number] => {
      const [about = "", name = ""] = line.split("\t");
      return [name, Number(about.split(/ +/)[3])];
    }),
  );
  const read = (name: string) =>
    changed.has(name) ? (git(root, "show", `${commit}:${name}`) ?? "") : readFileSync(join(root, name), "utf8");
  return { files: [...bytes.keys()], bytes, read };
}

function split(listed: string | undefined): string[] {
  return (listed ?? "").split("\0").filter((each) => each !== "");
}

/** An environment in which git finds the repository by the folder alone: a hook that runs tests names its own. */
export function environmentOfGit(): NodeJS.ProcessEnv {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...others } = process.env;
  return others;
}

/** @returns undefined where there is no git, or it refuses */
function git(root: string, ...args: string[]): string | undefined {
  const options = { cwd: root, env: environmentOfGit(), encoding: "utf8", maxBuffer: 2 ** 28 } as const;
  const { status, stdout } = spawnSync("git", args, options);
  return status === 0 ? stdout : undefined;
}

/**
 * Lets the planted bugs follow files that were moved: `node test/mutations/moved.ts OLD NEW`, where both may be folders, or
 * `node test/mutations/moved.ts [COMMIT]` for all that git calls renamed since that commit (HEAD, when none is named).
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BUGS, ROOT } from "./planted.ts";

/** An old path, of a file or a folder, and the new one. */
export type Move = readonly [from: string, to: string];

/** The text of a bug's file after these moves; the same when it names none of the files. */
export function followed(text: string, moves: readonly Move[]): string {
  return text.replaceAll(/^(\s*(?:- )?(?:file|caught-by): )(\S+)$/gm, (_, label: string, path: string) => {
    return label + moves.reduce(moved, path);
  });
}

function moved(path: string, [from, to]: Move): string {
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path;
}

/** The renamed files of `git diff --name-status -z`. */
export function renamesOf(status: string): Move[] {
  const fields = status.split("\0");
  const moves: Move[] = [];
  for (let at = 0; at < fields.length;) {
    const isRename = /^R\d/.test(fields[at] ?? "");
    if (isRename) moves.push([fields[at + 1] ?? "", fields[at + 2] ?? ""]);
    at += isRename || /^C\d/.test(fields[at] ?? "") ? 3 : 2;
  }
  return moves;
}

function readMoves(given: readonly string[]): Move[] {
  const [from = "HEAD", to] = given;
  if (to !== undefined) return [[from.replace(/\/$/, ""), to.replace(/\/$/, "")]];
  const options = ["diff", "-M", "--diff-filter=R", "--name-status", "-z", from];
  return renamesOf(execFileSync("git", options, { cwd: ROOT, encoding: "utf8" }));
}

function main(): void {
  const moves = readMoves(process.argv.slice(2));
  let count = 0;
  for (const file of readdirSync(BUGS)) {
    const path = join(BUGS, file);
    const before = readFileSync(path, "utf8");
    const after = followed(before, moves);
    if (after === before) continue;
    writeFileSync(path, after);
    count += 1;
  }
  process.stdout.write(`${count} planted bugs follow ${moves.length} moves\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main();

/**
 * Secrets in files (`file:PATH`). The author of the reference may be untrusted, while the change is only being planned:
 * the reference may name files in the declared directory, and in the directories that the command was given beside it.
 */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { isHidden, isWithin } from "./directory.ts";

/** Maximum size of one file. */
const MAX_BYTES = 64 * 1024;

/** Files that may be read. */
export type SecretFiles =
  /** Any file that the user names. */
  | "any"
  | "none"
  /** @property root of the declared files; @property others given beside it */
  | { readonly root: string; readonly others: readonly string[] };

/**
 * The secret in a file, without the end of its last line.
 *
 * @param reference as messages name it
 * @throws Error in words, which hold nothing of the file
 */
export function readSecretFile(path: string, reference: string, files: SecretFiles): string {
  try {
    const real = files === "any" ? path : within(path, files);
    if (real === undefined) {
      throw new Refusal(
        `${reference} is a hidden file or outside of the declared directory: use --allow-files DIR to allow files in DIR`,
      );
    }
    const found = statSync(real);
    // A pipe that nobody fills would be waited for without an end.
    if (files !== "any" && !found.isFile()) throw new Refusal(`${reference} is not a file`);
    if (found.size > MAX_BYTES) throw new Refusal(`${reference} exceeds 64 KiB`);
    return readFileSync(real, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Error(`cannot read ${reference} (${String((error as NodeJS.ErrnoException).code)})`, { cause: error });
  }
}

class Refusal extends Error {}

/**
 * Returns the real path of a file that may be read. Undefined for another one: the caller does not learn whether it
 * exists.
 */
function within(path: string, files: Exclude<SecretFiles, "any">): string | undefined {
  if (files === "none") return undefined;
  const { root, others } = files;
  const target = resolve(root, path);
  const folders = others.map((each) => ({ named: resolve(each), real: realpathSync(each) }));
  const allowed = [root, ...folders.flatMap(({ named, real }) => [named, real])];
  if (!allowed.some((folder) => isWithin(folder, target))) return undefined;
  const real = realpathSync(target);
  if (folders.some((folder) => isWithin(folder.real, real))) return real;
  const parts = [relative(root, target), relative(root, real)].flatMap((each) => each.split(sep));
  // Beside the files lie those of a repository and of tools, which may hold credentials.
  return isWithin(root, real) && !parts.some(isHidden) ? real : undefined;
}

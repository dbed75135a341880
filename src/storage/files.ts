import { closeSync, constants, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a file that must not exist yet, readable by its owner only, and puts it
 * on disk. No link is followed.
 *
 * @returns false when there is something at that path already
 */
export function createPrivateFile(path: string, content: string): boolean {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  let file: number;
  try {
    file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncDirectory(dirname(path));
  return true;
}

/** Reads a small text file, without the white space around it; undefined when there is none. */
export function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Makes a folder that only its owner may enter. */
export function createPrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Puts the names in a folder on disk. */
export function syncDirectory(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

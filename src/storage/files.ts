import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a file that must not exist yet, readable by its owner only, and puts it
 * on disk. It appears under its name with all its content, whenever the process
 * or the machine stops. No link is followed.
 *
 * @returns false when there is something at that path already
 */
export function createPrivateFile(path: string, content: string): boolean {
  const unnamed = `${path}.${randomBytes(6).toString("hex")}.new`;
  const file = openSync(unnamed, "wx", 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
    linkSync(unnamed, path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    closeSync(file);
    unlinkSync(unnamed);
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

/** Makes a folder that only its owner may enter, with those above it, and puts their names on disk. */
export function createPrivateDirectory(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = resolve(path); made.length >= first.length; made = dirname(made)) syncDirectory(dirname(made));
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

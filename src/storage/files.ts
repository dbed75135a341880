import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { StartError } from "./start-error.ts";

/**
 * Makes a file that must not exist yet, readable by its owner only, and puts it on disk. It appears under its name with
 * all its content, whenever the process or the machine stops. No link is followed.
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
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    closeSync(file);
    unlinkSync(unnamed);
  }
  syncDirectory(dirname(path));
  return true;
}

/**
 * Looks whether files can be made in a folder, by one that is gone again.
 *
 * @param option that names the folder @throws StartError when the system refuses it
 */
export function checkWritable(folder: string, option: string): void {
  const probe = join(folder, `.probe-${randomBytes(6).toString("hex")}`);
  try {
    createPrivateFile(probe, "can be written\n");
    unlinkSync(probe);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new StartError(`cannot use ${folder} (${String(error.code)}). Check ${option} and its permissions`, {
      cause: error,
    });
  }
}

/**
 * Reads a small text file, without the white space around it; undefined when there is none.
 *
 * @throws StartError when it is a directory
 */
export function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    // Node does not say which file is a directory.
    throw hasCode(error, "EISDIR") ? new StartError(`${path} is a directory, not a file. Move it`) : error;
  }
}

/**
 * Makes a folder that only its owner may enter, with those above it, and puts their names on disk. Not by Node's own way, which
 * tries for ever where the system will have nothing made in a folder that is there, such as below `/proc`.
 *
 * @throws StartError when something else than a folder has the name of one of them
 */
export function createPrivateDirectory(path: string): void {
  makeFolder(resolve(path), path);
}

function makeFolder(folder: string, wanted: string): void {
  const parent = dirname(folder);
  if (isDirectory(folder)) return;
  if (!isDirectory(parent) && parent !== folder) makeFolder(parent, wanted);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    // Another process was faster.
    if (isDirectory(folder)) return;
    throw new StartError(`cannot create ${wanted}: ${folder} is not a directory`);
  }
  syncDirectory(parent);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * One sentence about a file or folder that is open to others than its owner; undefined when it is not. To be told, not
 * refused: some systems hand files over with a mode that their operator cannot choose.
 *
 * @param forbidden the bits of the mode that should not be set
 */
export function findLaxMode(path: string, forbidden: number): string | undefined {
  const mode = statSync(path).mode & 0o777;
  if ((mode & forbidden) === 0) return undefined;
  return `${path} is accessible to other users (mode ${mode.toString(8)}). Run chmod go-rwx`;
}

/** Whether the system refused something for that reason, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
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

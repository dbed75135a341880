/** Small files of the user: read, and written so that a kill leaves the old one or the new one. */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { usage } from "./exit.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the folder of this program for the files of a user: `$XDG_CONFIG_HOME/tessera`, or its default. */
export function configFolder(env: Environment): string {
  return join(folderOf(env, "XDG_CONFIG_HOME", ".config"), "tessera");
}

/** Returns the folder for data that can be fetched again. */
export function cacheFolder(env: Environment): string {
  return join(folderOf(env, "XDG_CACHE_HOME", ".cache"), "tessera");
}

function folderOf(env: Environment, name: string, below: string): string {
  // A relative one counts for nothing, as the XDG specification says.
  const given = env[name];
  if (given?.startsWith("/") === true) return given;
  const home = env["HOME"];
  if (home === undefined || home === "") throw usage(`HOME is not set: set it, or ${name}`);
  return join(home, below);
}

/** A file's text; undefined when there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes a file that only its owner may read, whole or not at all. */
export function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const made = `${path}.${process.pid}.new`;
  const file = openSync(made, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    renameSync(made, path);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
}

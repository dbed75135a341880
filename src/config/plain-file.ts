/** Checks the file that a command is to write. */
import { lstatSync } from "node:fs";
import { ConfigError, errorCode } from "./given.ts";

/**
 * Looks whether there is nothing under a name but, perhaps, a plain file. A device would be written over, a pipe replaced by a
 * file or waited for, and a link leads to what was not named.
 *
 * @param what begins the refusal @returns how long the file is; undefined where there is none @throws ConfigError
 */
export function checkPlain(path: string, what: string): number | undefined {
  try {
    const stats = lstatSync(path);
    if (stats.isFile()) return stats.size;
    const kind = stats.isSymbolicLink() ? "a symbolic link" : "not a regular file";
    throw new ConfigError(`${what} ${path} is ${kind} and is not overwritten; use a regular file or a new path`);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (errorCode(error) === "ENOENT") return undefined;
    throw new ConfigError(
      `${what} ${path} cannot be accessed (${errorCode(error)}); check the path and its permissions`,
    );
  }
}

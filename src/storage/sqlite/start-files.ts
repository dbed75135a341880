/** What is looked at before the database file is opened, since SQLite would pass it over, or say only that it cannot. */
import { lstatSync, type Stats } from "node:fs";
import { StartError } from "../start-error.ts";
import { isDamage, sqliteReason } from "./faults.ts";

const PAGE = "docs/operations/damage.md";

/**
 * Looks at the database file and at those beside it.
 *
 * @returns whether there is a database; a file without content is none
 * @throws StartError when what is there is no file, or a log without its database, which SQLite would throw away
 */
export function findDatabaseFile(path: string): boolean {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const kind = kindOf(lookAt(file));
    if (kind === "a link") throw new StartError(`${file} is a link; give --database the path that it leads to`);
    if (kind !== "file") throw new StartError(`${file} is ${kind} and not a plain file; move it away`);
  }
  const size = lookAt(path)?.size;
  if (size !== undefined && size > 0) return true;
  const log = lookAt(`${path}-wal`);
  if (log === undefined || log.size === 0) return false;
  throw new StartError(
    `the database ${path} is ${size === undefined ? "missing" : "empty"}, but its write-ahead log ${path}-wal is there; ` +
      `put the database back beside it, or move the log away (see ${PAGE})`,
  );
}

function lookAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function kindOf(stats: Stats | undefined): string {
  if (stats === undefined || stats.isFile()) return "file";
  return stats.isDirectory() ? "a directory" : stats.isSymbolicLink() ? "a link" : "a device or a pipe";
}

/** Why a start is refused on a database that fails its check. */
export function damagedAtStart(path: string, finding: string): StartError {
  return new StartError(`the database ${path} is damaged (${finding}); put a backup in its place (see ${PAGE})`);
}

/** Why a database could not be opened, in one line. */
export function openFailure(path: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  if (isDamage(error)) return damagedAtStart(path, sqliteReason(error));
  return new StartError(
    `the database ${path} cannot be opened (${sqliteReason(error)}); check the file, its folder and their permissions`,
    { cause: error },
  );
}

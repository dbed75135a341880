/**
 * Checks the conditions for opening a database file: version of the library, folder, no other process with the file.
 */
import { closeSync, fsyncSync, lstatSync, openSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createPrivateDirectory, hasCode } from "../files.ts";
import { StartError } from "../start-error.ts";
import { isBusy, sqliteReason, isDamage } from "./faults.ts";

/** Older versions can corrupt a database when the WAL is reset. */
const OLDEST_SQLITE = [3, 51, 3];

/** @throws StartError when the runtime carries a version that can corrupt a database */
export function refuseOldSqlite(): void {
  const memory = new DatabaseSync(":memory:");
  const version = String(memory.prepare("select sqlite_version() as version").get()?.["version"]);
  memory.close();
  const parts = version.split(".").map(Number);
  for (let i = 0; i < OLDEST_SQLITE.length; i++) {
    const difference = (parts[i] ?? 0) - (OLDEST_SQLITE[i] ?? 0);
    if (difference > 0) return;
    if (difference < 0) {
      throw new StartError(
        `this Node.js contains SQLite ${version}, which can corrupt a database. Use the runtime that npm ci installs`,
      );
    }
  }
}

/** Makes the folder of the database. @throws StartError when it cannot be made */
export function makeFolder(path: string): void {
  try {
    createPrivateDirectory(dirname(path));
  } catch (error) {
    throw new StartError(`cannot create the directory of ${path} (${sqliteReason(error)})`, { cause: error });
  }
}

/** Another process has the database. */
export class InstanceInUse extends StartError {}

/**
 * Takes the lock that keeps a second server off the file. It is a lock inside
 * SQLite on a file of its own, so the system drops it with the process.
 */
export function lockInstance(path: string): DatabaseSync {
  const lockPath = `${path}.lock`;
  makeLockFile(lockPath);
  try {
    const lock = new DatabaseSync(lockPath);
    lock.exec("begin exclusive");
    return lock;
  } catch (error) {
    if (!isBusy(error)) {
      throw new StartError(
        `cannot lock ${lockPath} (${sqliteReason(error)}). Check its permissions and those of its directory, and ` +
          "delete it if no server uses the database",
        { cause: error },
      );
    }
    throw new InstanceInUse(`another server uses ${path} (${lockPath} is locked). Stop it, or set another --data-dir`, {
      cause: error,
    });
  }
}

/** Not opened when it is there: closing it would drop the lock of a database open in this very process. */
function makeLockFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (!hasCode(error, "EEXIST"))
      throw new StartError(`cannot create ${path} (${sqliteReason(error)})`, { cause: error });
    // SQLite follows a link, and makes the file where it leads.
    if (!lstatSync(path).isFile()) throw new StartError(`${path} is a symbolic link or not a regular file. Delete it`);
  }
}

/** Before the first answer: what an earlier process wrote may be in the WAL without having been synced. */
export function syncAll(path: string): void {
  for (const file of [`${path}-wal`, dirname(path)]) {
    const descriptor = openSync(file, "r");
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

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
    if (kind === "a link") throw new StartError(`${file} is a symbolic link. Set --database to its target`);
    if (kind !== "file") throw new StartError(`${file} is ${kind}, not a regular file. Move it`);
  }
  const size = lookAt(path)?.size;
  if (size !== undefined && size > 0) return true;
  const log = lookAt(`${path}-wal`);
  if (log === undefined || log.size === 0) return false;
  throw new StartError(
    `the database ${path} is ${size === undefined ? "missing" : "empty"}, but its write-ahead log ${path}-wal exists. ` +
      `Restore the database, or move the log (see ${PAGE})`,
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
  return new StartError(`the database ${path} is corrupted (${finding}). Restore a backup (see ${PAGE})`);
}

/** Why a database could not be opened, in one line. */
export function openFailure(path: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  if (isDamage(error)) return damagedAtStart(path, sqliteReason(error));
  return new StartError(
    `cannot open the database ${path} (${sqliteReason(error)}). Check the file, its directory and their permissions`,
    { cause: error },
  );
}

/** What has to hold before a database file is opened: the library, its folder, and that nobody else has it. */
import { closeSync, fsyncSync, lstatSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createPrivateDirectory, hasCode } from "../files.ts";
import { StartError } from "../start-error.ts";
import { isBusy, sqliteReason } from "./faults.ts";

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
        `this Node.js carries SQLite ${version}, which can corrupt a database; use the runtime that npm ci installs`,
      );
    }
  }
}

/** Makes the folder of the database. @throws StartError when it cannot be made */
export function makeFolder(path: string): void {
  try {
    createPrivateDirectory(dirname(path));
  } catch (error) {
    throw new StartError(`the folder of ${path} cannot be made (${sqliteReason(error)})`, { cause: error });
  }
}

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
        `${lockPath} cannot be locked (${sqliteReason(error)}); check its permissions and those of its folder, and ` +
          "remove it when no server uses the database",
        { cause: error },
      );
    }
    throw new StartError(
      `another server has ${path} open (${lockPath} is locked); stop it, or give this one another --data-dir`,
      { cause: error },
    );
  }
}

/** Not opened when it is there: closing it would drop the lock of a database open in this very process. */
function makeLockFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (!hasCode(error, "EEXIST"))
      throw new StartError(`${path} cannot be made (${sqliteReason(error)})`, { cause: error });
    // SQLite follows a link, and makes the file where it leads.
    if (!lstatSync(path).isFile()) throw new StartError(`${path} is a link or no plain file; remove it`);
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

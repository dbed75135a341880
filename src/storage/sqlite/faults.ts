/** Translates errors of SQLite: faults of the storage are never reported as faults of the program. */
import { AppError, StorageAway } from "../../errors.ts";
import { StorageDamaged } from "../proofs/damaged-rows.ts";

const BUSY = 5;
const READONLY = 8;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;
const CONSTRAINT_UNIQUE = [2067, 1555];
const CONSTRAINT_FOREIGN_KEY = 787;
const CONSTRAINT_TRIGGER = 1811;

/**
 * Messages for callers, by SQLite's primary result code. Other codes are faults of the program (such as wrong SQL) or
 * of the request.
 */
const AWAY: ReadonlyMap<number, string> = new Map([
  [3, "Storage access denied; retry later"], // PERM
  [4, "Storage does not respond; retry later"], // ABORT
  [BUSY, "Storage does not respond; retry later"],
  [6, "Storage does not respond; retry later"], // LOCKED
  [7, "Storage is out of memory; retry later"], // NOMEM
  [READONLY, "Storage does not accept writes; retry later"], // READONLY
  [9, "Storage does not respond; retry later"], // INTERRUPT
  [10, "Storage does not respond; retry later"], // IOERR
  [FULL, "The disk is full; retry later"],
  [14, "Cannot open storage; retry later"], // CANTOPEN
  [15, "Storage does not respond; retry later"], // PROTOCOL
  [22, "Storage does not respond; retry later"], // NOLFS
]);

/** Turns an error of SQLite into one of ours, by its number; anything else stays as it is. */
export function translateSqliteError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  // A request that was let in before storage was closed.
  if ("code" in error && error.code === "ERR_INVALID_STATE") {
    return new StorageAway("The server is stopping; retry later", { cause: error });
  }
  // A number that was never written: none that was is more than a number of JavaScript holds.
  if ("code" in error && error.code === "ERR_OUT_OF_RANGE") return new StorageDamaged(error);
  const errcode = resultCode(error);
  if (errcode === undefined) return error;
  if (CONSTRAINT_UNIQUE.includes(errcode)) {
    return new AppError("already_exists", "Name has already been taken", { cause: error });
  }
  if (errcode === CONSTRAINT_FOREIGN_KEY)
    return new AppError("not_found", "A linked object was deleted", { cause: error });
  // No trigger refuses anything but those of a database that was moved.
  if (errcode === CONSTRAINT_TRIGGER) {
    return new StorageAway("The database does not accept writes; retry later", { cause: error });
  }
  if (isDamage(error)) return new StorageDamaged(error);
  const away = AWAY.get(errcode & 0xff);
  return away === undefined ? error : new StorageAway(away, { cause: error });
}

/** Whether SQLite found no room on the disk. */
export function isDiskFull(error: unknown): boolean {
  return primaryCode(error) === FULL;
}

/** Whether the file may be read and not written. */
export function isReadOnly(error: unknown): boolean {
  return primaryCode(error) === READONLY;
}

/** Whether another connection holds the lock that was asked for. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY;
}

/** Whether SQLite met content that it cannot have written. */
export function isDamage(error: unknown): boolean {
  const code = primaryCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

/** SQLite's own words for what is wrong, without a stack. */
export function sqliteReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The extended result code; its lowest byte is the primary one. */
function resultCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : undefined;
}

function primaryCode(error: unknown): number | undefined {
  const code = resultCode(error);
  return code === undefined ? undefined : code & 0xff;
}

import { type AppError, StorageAway } from "../../errors.ts";
import { StorageDamaged } from "../proofs/damaged-rows.ts";
import type { DurabilityLoss } from "./durability.ts";
import { isDamage, sqliteReason, translateSqliteError } from "./faults.ts";
import { createMoveWatch, type PlacedFile } from "./placement.ts";
import { bytesToCheck, type BackgroundCheck, CHECKED_AT_START_BYTES, startCheck } from "./quick-check.ts";

/** A server whose files are gone answers for so long that it is not ready, so that clients are sent elsewhere. */
const FAREWELL_MS = 5000;

export interface FileHealthOptions {
  path: string;
  /** The files that are open, where they were when they were opened. */
  files: readonly PlacedFile[];
  /** See `SqliteOptions`. */
  checkedAtStartBytes?: number | undefined;
  onFatal: (error: Error) => void;
  onWarning: (message: string) => void;
  onDamage: (message: string) => void;
}

/** Known problems with the files of an open database. */
export interface FileHealth {
  /** Returns why no write may begin now; undefined while all is well. */
  refusal(): AppError | undefined;
  /** Converts an error of SQLite into the caller's error, and notes what it reveals about the file. */
  translate(error: unknown): unknown;
  /** Notes damage that was found. @param finding message of SQLite */
  noteDamage(finding: string): void;
  /** Describes a file that is not at its path any more; undefined while all are. */
  findMoved(): string | undefined;
  /** Notes that writes will not be kept; the process is told to end. */
  noteLoss(loss: DurabilityLoss): void;
  noteWrite(): void;
  /** Returns the time of the last successful write after which none has failed, by the monotonic clock. */
  lastWrite(): number;
  isDamaged(): boolean;
  isChecking(): boolean;
  close(): Promise<void>;
}

/** Watches over the files of a database that has been opened; one that was too large to be checked before is checked now. */
export function watchFiles(options: FileHealthOptions): FileHealth {
  const { path, files, onWarning, checkedAtStartBytes = CHECKED_AT_START_BYTES } = options;
  let loss: DurabilityLoss | undefined;
  let damage: StorageDamaged | undefined;
  let lastWrite = -Infinity;
  let farewell: NodeJS.Timeout | undefined;
  const check = bytesToCheck(path) > checkedAtStartBytes ? checkInBackground() : undefined;

  function checkInBackground(): BackgroundCheck {
    const began = performance.now();
    return startCheck(path, (outcome) => {
      if (outcome instanceof Error) return onWarning(`cannot check the database ${path}: ${outcome.message}`);
      if (outcome.finding !== undefined) return noteDamage(outcome.finding);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      onWarning(`the database ${path} passed the background check (${seconds} s)`);
    });
  }

  /** Adding to a file that does not hold together makes it worse, so nothing is written any more. */
  function noteDamage(finding: string): void {
    if (damage !== undefined) return;
    damage = new StorageDamaged(new Error(finding));
    options.onDamage(`the database ${path} is corrupted (${finding}); writes are rejected. Restore a backup`);
  }

  return {
    refusal() {
      if (loss !== undefined) {
        const why = loss.kind === "moved" ? "The database file was moved or deleted" : "The disk has failed";
        return new StorageAway(`${why}, the server is stopping`, { cause: loss.error });
      }
      return damage;
    },
    translate(error) {
      if (isDamage(error)) noteDamage(sqliteReason(error));
      const told = translateSqliteError(error);
      if (told instanceof StorageAway) lastWrite = -Infinity;
      return told;
    },
    noteDamage,
    findMoved: createMoveWatch(files),
    noteLoss(found) {
      loss = found;
      if (found.kind === "sync") return options.onFatal(found.error);
      onWarning(`${reasonOf(found)}; writes are rejected, and the server stops in ${FAREWELL_MS / 1000} s`);
      farewell = setTimeout(() => options.onFatal(found.error), FAREWELL_MS);
    },
    noteWrite() {
      lastWrite = performance.now();
    },
    lastWrite: () => lastWrite,
    isDamaged: () => damage !== undefined,
    isChecking: () => check?.isRunning() === true,
    async close() {
      clearTimeout(farewell);
      await check?.stop();
    },
  };
}

function reasonOf({ error }: DurabilityLoss): string {
  return error.cause instanceof Error ? error.cause.message : String(error.cause);
}

/** From which server a read is answered that may be stale. */
import { AppError } from "../../../errors.ts";
import type { Database } from "../../../storage/database.ts";

/** Database for a read that may be stale. */
export interface ReadSource {
  db: Database;
  /** How old what it shows may be. */
  lastContactMilliseconds: number;
  /** Whether a failure means that another source has to be asked. */
  isAway(error: unknown): boolean;
}

/**
 * The replica, if there is one and it is not known to be older than allowed; else the primary.
 *
 * @param maxStaleMilliseconds undefined for any age
 */
export function chooseSource(db: Database, maxStaleMilliseconds: number | undefined): ReadSource {
  const { replica } = db;
  const age = replica?.ageMilliseconds();
  if (replica === undefined || age === undefined || age > (maxStaleMilliseconds ?? Infinity)) {
    return { db, lastContactMilliseconds: 0, isAway: () => false };
  }
  return {
    db: replica.db,
    lastContactMilliseconds: Math.ceil(age),
    isAway: (error) => error instanceof AppError && error.code === "unavailable",
  };
}

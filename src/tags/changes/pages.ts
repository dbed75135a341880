/**
 * Reads the records of organizations page by page for all who follow them. Those that a write wakes are at the same place,
 * so what they go on with is read once for all of them.
 */
import { workFor } from "../../callers.ts";
import { findOrganizationById } from "../../organizations/store.ts";
import type { Reader } from "../../storage/database.ts";
import { listChanges, readFloor, type StoredChange } from "./store.ts";

export interface ChangePage {
  /** Its name now. */
  organizationName: string;
  changes: readonly StoredChange[];
  /** Whether there was nothing behind them. */
  isLast: boolean;
  /** Records up to here are not kept any more. */
  floor: number;
}

export interface ChangePages {
  /**
   * Returns the next page of records, for a waiter that has been woken.
   *
   * @param after position behind which the page begins
   * @param state state that the organization's counter guards, read before this call: the page contains everything that
   *   was committed by then
   * @returns undefined when the organization is deleted
   */
  next(db: Reader, organization: string, after: number, state: string): Promise<ChangePage | undefined>;
}

/** A page is given to those who ask for the same within so long, and so many are remembered. */
const SHARED_MS = 100;
const MOST_SHARED = 256;

export function createChangePages(): ChangePages {
  const shared = new Map<string, Promise<ChangePage | undefined>>();
  return { next };

  function next(db: Reader, organization: string, after: number, state: string): Promise<ChangePage | undefined> {
    const key = `${organization}\n${after}\n${state}`;
    const known = shared.get(key);
    if (known !== undefined) return known;
    // For all who are given it, also when the first of them goes.
    const page = workFor(undefined, () => readChangePage(db, organization, after));
    if (shared.size < MOST_SHARED) {
      shared.set(key, page);
      setTimeout(() => shared.delete(key), SHARED_MS).unref();
    }
    return page;
  }
}

/** A page by itself: for who has far to go, or is alone. @returns undefined when the organization is gone */
export async function readChangePage(db: Reader, organization: string, after: number): Promise<ChangePage | undefined> {
  const [found, { changes, isLast }] = await Promise.all([
    findOrganizationById(db, organization),
    listChanges(db, { organization, after }),
  ]);
  // After the records: what is removed meanwhile is missing from them, and then this says so.
  const floor = await readFloor(db, organization);
  return found && { organizationName: found.name, changes, isLast, floor };
}

/**
 * Rows that are not what was written: found when they are read, refused, counted and named. What they hold is never
 * told, since it may be a secret, and since nobody knows what it is.
 */
import { channel } from "node:diagnostics_channel";
import { LRUCache } from "lru-cache";
import { StartError } from "../start-error.ts";
import { StorageAway } from "../../errors.ts";

/** Thrown when a request cannot be answered, because stored data that it depends on is not as it was written. */
export class StorageDamaged extends StorageAway {
  constructor(cause?: unknown) {
    super("storage is corrupted", cause === undefined ? {} : { cause });
  }
}

/** A row that is damaged. */
export interface DamagedRow {
  table: string;
  /** Key of the row, as it is stored. */
  key: string;
}

/** Thrown when a request depends on a damaged row. */
class RowDamaged extends StorageDamaged {
  readonly row: DamagedRow;

  constructor(row: DamagedRow) {
    super();
    this.row = row;
  }
}

/** Returns the damaged row that has caused an error; undefined for any other error. */
export function damagedRowOf(error: unknown): DamagedRow | undefined {
  return error instanceof RowDamaged ? error.row : undefined;
}

/** Converts the error of a damaged row into a `StartError`; returns any other error unchanged. */
export function asStartError(error: unknown): unknown {
  if (!(error instanceof RowDamaged)) return error;
  const message = `storage is corrupted: the row of ${nameOf(error.row)} failed its integrity check. Restore a backup`;
  return new StartError(message, { cause: error });
}

/** A key may be as damaged as its row: it may be any text, of any length. */
function nameOf({ table, key }: DamagedRow): string {
  return `${table} ${JSON.stringify(key.slice(0, KEY_LENGTH))}`;
}

/** Rows are read all over the program, in functions that know neither the log nor the metrics. */
const found = channel("tessera:damaged-row");

/** Notes a damaged row. @returns the error to throw */
export function damaged(row: DamagedRow): StorageDamaged {
  found.publish(row);
  return new RowDamaged(row);
}

/** A row is told of once in this time, however often it is read. */
const AGAIN_MS = 60_000;
/** Rows that are remembered for that. */
const REMEMBERED = 1000;
const KEY_LENGTH = 100;

/** Damaged rows that were met since the start, by table. */
export type DamageCounts = Readonly<Record<string, number>>;

/**
 * Counts damaged rows, each time that one is met, and tells of each in a line for the log.
 *
 * @param now milliseconds
 */
export function watchDamage(
  onWarning: (message: string) => void,
  now: () => number = () => performance.now(),
): { counts(): DamageCounts; stop(): void } {
  const counts: Record<string, number> = {};
  const told = new LRUCache<string, number>({ max: REMEMBERED });

  function note(message: unknown): void {
    const damagedRow = message as DamagedRow;
    counts[damagedRow.table] = (counts[damagedRow.table] ?? 0) + 1;
    const row = nameOf(damagedRow);
    if (now() - (told.get(row) ?? -Infinity) < AGAIN_MS) return;
    told.set(row, now());
    onWarning(
      `storage is corrupted: the row of ${row} failed its integrity check; requests that need the row fail until it is restored`,
    );
  }

  found.subscribe(note);
  return {
    counts: () => ({ ...counts }),
    stop() {
      found.unsubscribe(note);
    },
  };
}

/**
 * Removal of rows in the background, which one node does at a time. What is removed counts for nothing already: a delete
 * takes away the rows that it names, and what hangs on them, has expired, or was noted for a while goes here, in batches
 * between which other writers have their turn.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database.ts";
import { newHolder, takeLease, type Lease } from "../feed/lease.ts";

/** Result of one transaction of a removal. */
export interface RemovedBatch {
  removed: number;
  /** Whether nothing more is left to remove now. */
  isLast: boolean;
  /** Time for which other writes waited, in milliseconds; it determines the number of rows of the next batch. */
  milliseconds?: number;
}

/** Removal of all that is left of one object, batch by batch. */
export interface RemovalJob {
  /** @param limit maximum number of rows @throws AppError `conflict` when another node has taken over */
  remove(lease: Lease, limit: number): Promise<RemovedBatch>;
  /** Called before the first batch. */
  begin?(): void;
  /** Told of each batch. */
  note?(batch: RemovedBatch): void;
}

/** A kind of rows that are removed. */
export interface Removal {
  /** Name of the lease that the work is done under. */
  lease: string;
  /**
   * Number of rows that one transaction removes. Each row is on pages of its own, which the log has to sync while
   * others wait: decision 22.
   */
  rows: { least: number; most: number };
  /** Interval of the search for jobs, in milliseconds. Default: once a second. */
  everyMs?: number;
  /** Jobs that can be done now, in order. It is called often, so it must be cheap when there are none. */
  jobs(): Promise<readonly RemovalJob[]>;
}

/** Target duration of a transaction: other writes wait for it. */
const LONGEST_MS = 3;
const BATCH_PAUSE_MS = 3;
/** Batches between two renewals of the lease, which lasts for seconds. */
const RENEW_EVERY = 100;

/** Starts the removal. @param onError called with a failure; the removal is tried again */
export function startRemoval(
  db: Database,
  { lease: name, rows, everyMs = 0, jobs }: Removal,
  onError: (error: unknown) => void,
): Background {
  const holder = newHolder();
  let last = -Infinity;

  async function work(signal: AbortSignal): Promise<void> {
    if (performance.now() - last < everyMs) return;
    last = performance.now();
    // Removed rows may leave further rows to remove.
    for (let hasRemoved = true; hasRemoved && !signal.aborted;) hasRemoved = await removeAll(signal);
  }

  /** @returns whether anything was removed, and all that there was to do is done */
  async function removeAll(signal: AbortSignal): Promise<boolean> {
    const found = await jobs();
    const lease = found.length === 0 ? undefined : await takeLease(db, name, holder);
    if (lease === undefined) return false;
    let removed = 0;
    for (const job of found) {
      const rest = signal.aborted ? undefined : await finish(lease, job, signal);
      if (rest === undefined) return false;
      removed += rest;
    }
    return removed > 0;
  }

  /** @returns how many rows went; undefined when it did not come to its end */
  async function finish(first: Lease, job: RemovalJob, signal: AbortSignal): Promise<number | undefined> {
    let [lease, size, removed]: [Lease | undefined, number, number] = [first, rows.least, 0];
    job.begin?.();
    for (let count = 1; !signal.aborted; count++) {
      if (count % RENEW_EVERY === 0) lease = await takeLease(db, name, holder);
      if (lease === undefined) return undefined;
      const batch = await job.remove(lease, size);
      job.note?.(batch);
      removed += batch.removed;
      if (batch.isLast) return removed;
      size = Math.min(rows.most, Math.max(rows.least, sizeAfter(size, batch)));
      await sleep(BATCH_PAUSE_MS);
    }
    return undefined;
  }

  return startBackground(work, onError);
}

function sizeAfter(size: number, { milliseconds = 0 }: RemovedBatch): number {
  if (milliseconds > LONGEST_MS) return size >> 1;
  return milliseconds < LONGEST_MS / 2 ? size * 2 : size;
}

/** Work that goes on in the background until it is stopped. */
export interface Background {
  /** Lets what is under way come to an end. */
  stop(): Promise<void>;
}

const POLL_MS = 1000;

/**
 * Does `work` at once and then once a second, or as often as is said, never twice at the same time.
 *
 * @param work told by the signal when to come to an end
 * @param onError told of a failure; the work is tried again
 */
export function startBackground(
  work: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
  everyMs = POLL_MS,
): Background {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      await work(signal).catch(onError);
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Gives a sink what it has not been given: each chain in its order, from the place that is stored, which moves on when the sink
 * has taken it. So it gets everything at least once, whatever ends in between. It works beside all else, on batches of bounded
 * size: a sink that is slow or away holds up nobody.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../errors.ts";
import type { Database } from "../../storage/database.ts";
import { type Lease, newHolder, takeLease } from "../../storage/feed/lease.ts";
import { type Background, startBackground } from "../../storage/operator/removal.ts";
import { give } from "./give.ts";
import { createHints } from "./hints.ts";
import { type AuditSink, SinkFailure } from "./sink.ts";
import {
  listPendingChains,
  listPendingHeads,
  listPendingOf,
  type PendingChain,
  readBacklog,
  writeSink,
} from "./store.ts";

/** Chains that are looked at together. */
const PAGE = 256;
/** How often it is looked at those that are known to have moved, at all chains, and at their heads. */
const [LOOK_MS, SWEEP_MS, HEADS_MS] = [250, 1000, 5000];
/** Looking at all takes no more than one part in so many of the time, however many there are; but it is not left out for longer. */
const REST = 50;
const LONGEST_REST_MS = 30_000;
/** The lease lasts for 6 s. */
const RENEW_MS = 1500;
const NOTE_MS = 60 * 60 * 1000;
const MEASURE_MS = 5000;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 5 * 60 * 1000;
/** Maximum time of a stop. A delivery in progress is sent again later; a disk that hangs must not keep the process. */
const LONGEST_STOP_MS = 3000;

export interface SinkProgress {
  /** Records that the sink has still to be given, and the age of the oldest in seconds. */
  behindRecords: number;
  behindSeconds: number;
  /** Deliveries of this process that it did not take. */
  failures: number;
}

export interface SinkFollower extends Background {
  progress(): SinkProgress;
}

export interface FollowOptions {
  /** Told when a sink begins to fail, and with undefined when it takes something again. */
  onState: (failure: string | undefined) => void;
  /** Told of a failure that is none of the sink; the work is tried again. */
  onError: (error: unknown) => void;
}

/** Starts to feed a sink. */
export function followAudit(db: Database, sink: AuditSink, { onState, onError }: FollowOptions): SinkFollower {
  const holder = newHolder();
  const hints = createHints(db.feed);
  const stopping = new AbortController();
  const { signal } = stopping;
  const progress: SinkProgress = { behindRecords: 0, behindSeconds: 0, failures: 0 };
  let lease: Lease | undefined;
  /** When each thing is to be done next, by the monotonic clock. */
  const due = {
    anything: -Infinity,
    renewal: -Infinity,
    note: -Infinity,
    sweep: -Infinity,
    heads: -Infinity,
    measure: -Infinity,
  };
  let failed = 0;

  async function holdLease(): Promise<Lease | undefined> {
    // While another node has the lease, this node does not ask for it more often.
    if (performance.now() >= due.renewal) {
      lease = await takeLease(db, `audit-sink/${sink.name}`, holder);
      due.renewal = performance.now() + RENEW_MS;
    }
    return lease;
  }

  const giving = {
    db,
    sink,
    signal,
    holdLease,
    onTaken() {
      if (failed > 0) onState(undefined);
      failed = 0;
    },
  };

  /** @param list gives what there is to give @returns what was given; undefined when another node does it */
  async function giveAll(list: () => Promise<readonly PendingChain[]>): Promise<readonly PendingChain[] | undefined> {
    let found = await list();
    if (found.length === 0) return found;
    const had = lease;
    const has = await holdLease();
    if (has === undefined) return undefined;
    // The previous holder of the lease may have delivered more since.
    if (had?.fence !== has.fence) found = await list();
    await give(giving, found);
    return found;
  }

  /** Goes through pages until there are no more. @returns whether anything was given */
  async function giveEach(list: typeof listPendingChains): Promise<boolean> {
    let hasGiven = false;
    for (let after = ""; !signal.aborted;) {
      const page = await giveAll(() => list(db, { sink: sink.name, after, limit: PAGE }));
      if (page === undefined || page.length === 0) return hasGiven && page !== undefined;
      hasGiven = true;
      after = page.at(-1)?.name ?? "";
    }
    return false;
  }

  /** Until an end that finds nothing new. @returns how long that took, in milliseconds */
  async function untilNothing(list: typeof listPendingChains): Promise<number> {
    for (;;) {
      const began = performance.now();
      if (!(await giveEach(list))) return performance.now() - began;
    }
  }

  async function work(): Promise<void> {
    if (performance.now() < due.anything) return;
    try {
      if (performance.now() >= due.note) await noteFeeding();
      const moved = hints.take();
      if (moved === undefined) due.sweep = -Infinity;
      for (let start = 0; start < (moved?.length ?? 0); start += PAGE) {
        const names = moved?.slice(start, start + PAGE) ?? [];
        await giveAll(() => listPendingOf(db, { sink: sink.name, names }));
      }
      if (performance.now() >= due.sweep) {
        const took = await untilNothing(listPendingChains);
        due.sweep = performance.now() + restAfter(took, SWEEP_MS);
      }
      if (performance.now() >= due.heads) {
        const took = await untilNothing(listPendingHeads);
        due.heads = performance.now() + restAfter(took, HEADS_MS);
      }
    } catch (error) {
      noteEnd(error);
    }
  }

  /** @throws what is neither the sink's nor another node's doing */
  function noteEnd(error: unknown): void {
    if (signal.aborted) return;
    // A sweep finds the hinted chains again.
    due.sweep = -Infinity;
    if (error instanceof AppError && error.code === "conflict") {
      lease = undefined;
    } else if (error instanceof SinkFailure) {
      progress.failures += 1;
      if (failed === 0) onState(error.message);
      failed += 1;
      due.anything = performance.now() + Math.max(error.retryAfterMs, retryAfter(failed));
    } else {
      due.anything = performance.now() + FIRST_RETRY_MS;
      throw error;
    }
  }

  async function noteFeeding(): Promise<void> {
    const held = await takeLease(db, `audit-sink/${sink.name}`, holder);
    due.note = performance.now() + NOTE_MS;
    if (held === undefined) return;
    await db.inTransaction(held, async (tx) => {
      tx.unrecorded("that a sink is fed");
      writeSink(tx, sink.name, new Date(db.now()).toISOString());
    });
  }

  async function measure(): Promise<void> {
    if (performance.now() < due.measure) return;
    const began = performance.now();
    due.measure = began + MEASURE_MS;
    const { records, since } = await readBacklog(db, sink.name);
    progress.behindRecords = records;
    progress.behindSeconds = since === undefined ? 0 : Math.max(0, Math.round((db.now() - Date.parse(since)) / 1000));
    due.measure = performance.now() + restAfter((performance.now() - began) / 4, MEASURE_MS);
  }

  const background = startBackground(work, onError, LOOK_MS);
  // By itself: of a sink that hangs it must be seen how far behind it is.
  const measuring = startBackground(measure, onError);
  return {
    progress: () => ({ ...progress }),
    async stop() {
      stopping.abort();
      hints.close();
      const ended = Promise.all([background.stop().then(sink.close), measuring.stop()]);
      await Promise.race([ended, sleep(LONGEST_STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** How long after a look that took so long the next one may be. */
function restAfter(took: number, least: number): number {
  return Math.min(LONGEST_REST_MS, Math.max(least, REST * took));
}

/** Twice as long each time, up to five minutes, less up to half at random. */
export function retryAfter(failures: number, random = Math.random()): number {
  const longest = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 30));
  return Math.round(longest * (1 - random / 2));
}

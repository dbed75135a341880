/**
 * Gives a sink what it has not been given: each chain in its order, from the place that is stored, which moves on when the sink
 * has taken it. So it gets everything at least once, whatever ends in between. It works beside all else, on batches of bounded
 * size: a sink that is slow or away holds up nobody.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../errors.ts";
import type { Database } from "../../storage/database.ts";
import { untilDurable } from "../../storage/durable.ts";
import { type Lease, newHolder, takeLease } from "../../storage/lease.ts";
import { type Background, startBackground } from "../../storage/removal.ts";
import { readRecords } from "../chains.ts";
import { recordLine } from "../line.ts";
import { createBatch, type SinkBatch } from "./batch.ts";
import { type Sink, SinkFailure } from "./sink.ts";
import { listPendingChains, noteSink, type PendingChain, readBacklog, writePosition } from "./store.ts";

/** Chains that are looked at together. */
const PAGE = 256;
/** Records that are read at a time: each may be as long as a request. */
const ROWS = 16;
/** Records of a chain before the next one has its turn. */
const TURN = 2000;
const LOOK_MS = 250;
/** Looking takes no more than one part in so many of a core, however many chains there are. */
const REST = 20;
/** The lease lasts for 6 s. */
const RENEW_MS = 1500;
const SEEN_MS = 60 * 60 * 1000;
const MEASURE_MS = 5000;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 5 * 60 * 1000;
/** What is under way at a stop is sent again; a disk that hangs must not keep the process. */
const LONGEST_STOP_MS = 3000;

export interface SinkProgress {
  /** Records that the sink has still to be given, and the age of the oldest in seconds. */
  behindRecords: number;
  behindSeconds: number;
  /** Deliveries of this process that it did not take. */
  failures: number;
}

export interface Following extends Background {
  progress(): SinkProgress;
}

export interface FollowOptions {
  /** Told when a sink begins to fail, and with undefined when it takes something again. */
  onState: (failure: string | undefined) => void;
  /** Told of a failure that is none of the sink; the work is tried again. */
  onError: (error: unknown) => void;
}

/** Starts to feed a sink. */
export function followAudit(db: Database, sink: Sink, { onState, onError }: FollowOptions): Following {
  const holder = newHolder();
  const stopping = new AbortController();
  const { signal } = stopping;
  const progress: SinkProgress = { behindRecords: 0, behindSeconds: 0, failures: 0 };
  let lease: Lease | undefined;
  let [renewed, seen, measured, next] = [-Infinity, -Infinity, -Infinity, -Infinity];
  let failed = 0;

  async function holdLease(): Promise<Lease | undefined> {
    // Where another node has it, it is asked for no more often.
    if (performance.now() - renewed > RENEW_MS) {
      lease = await takeLease(db, `audit-sink/${sink.name}`, holder);
      renewed = performance.now();
    }
    return lease;
  }

  async function work(): Promise<void> {
    if (performance.now() - seen > SEEN_MS) await noteSeen();
    if (performance.now() < next) return void (await measure());
    try {
      let began = performance.now();
      for (let { hasGiven, isOther } = await sweep(); hasGiven && !isOther && !signal.aborted;) {
        await measure();
        began = performance.now();
        ({ hasGiven, isOther } = await sweep());
      }
      next = performance.now() + REST * (performance.now() - began);
    } catch (error) {
      await noteEnd(error);
    }
  }

  /** @throws what is neither the sink's nor another node's doing */
  async function noteEnd(error: unknown): Promise<void> {
    if (signal.aborted) return;
    if (error instanceof AppError && error.code === "conflict") lease = undefined;
    else if (error instanceof SinkFailure) noteFailure(error);
    else {
      next = performance.now() + FIRST_RETRY_MS;
      throw error;
    }
    await measure();
  }

  function noteFailure(error: SinkFailure): void {
    progress.failures += 1;
    if (failed === 0) onState(error.message);
    failed += 1;
    next = performance.now() + Math.max(error.retryAfterMs, retryAfter(failed));
  }

  /** Goes through all chains once. @returns whether anything was given, and whether another node does the work */
  async function sweep(): Promise<{ hasGiven: boolean; isOther: boolean }> {
    let hasGiven = false;
    for (let after = ""; !signal.aborted;) {
      const page = await listPendingChains(db, { sink: sink.name, after, limit: PAGE });
      if (page.length === 0) break;
      if ((await holdLease()) === undefined) return { hasGiven, isOther: true };
      await give(page);
      hasGiven = true;
      after = page.at(-1)?.name ?? "";
    }
    return { hasGiven, isOther: false };
  }

  async function give(page: readonly PendingChain[]): Promise<void> {
    let batch = createBatch();
    const send = async (): Promise<void> => {
      await hand(batch);
      batch = createBatch();
    };
    for (const chain of page) {
      let place = chain.seq;
      for (let count = 0; place < chain.last && count < TURN && !signal.aborted;) {
        const rows = await readRecords(db.long, chain.chain, place, ROWS);
        for (const row of rows) {
          const line = recordLine(row);
          if (!batch.hasRoomFor(line.length)) await send();
          batch.addRecord({ ...chain, seq: place }, row, line);
          place = row.seq;
        }
        // Somebody has taken them out, which `audit verify` tells; those that come behind are given all the same.
        if (rows.length === 0) batch.skipTo({ ...chain, seq: place }, (place = chain.last));
        count += rows.length;
      }
      batch.addHead({ ...chain, seq: place });
      if (batch.isFull()) await send();
    }
    await send();
  }

  async function hand(batch: SinkBatch): Promise<void> {
    const { lines, places } = batch;
    if (places.length === 0 || signal.aborted) return;
    // As with any answer: what is told has happened, whatever happens to the machine.
    await untilDurable(db);
    if (lines.length > 0) await sink.deliver(lines, signal);
    if (failed > 0) onState(undefined);
    failed = 0;
    const held = await holdLease();
    if (held === undefined) throw new AppError("conflict", "Another node feeds the sink");
    await db.inTransaction(held, async (tx) => {
      for (const place of places) writePosition(tx, { sink: sink.name, ...place });
    });
  }

  async function noteSeen(): Promise<void> {
    const held = await takeLease(db, `audit-sink/${sink.name}`, holder);
    seen = performance.now();
    if (held === undefined) return;
    await db.inTransaction(held, async (tx) => noteSink(tx, sink.name, new Date(db.now()).toISOString()));
  }

  async function measure(): Promise<void> {
    if (performance.now() < measured) return;
    const began = performance.now();
    const { records, since } = await readBacklog(db, sink.name);
    progress.behindRecords = records;
    progress.behindSeconds = since === undefined ? 0 : Math.max(0, Math.round((db.now() - Date.parse(since)) / 1000));
    const took = performance.now() - began;
    measured = performance.now() + Math.max(MEASURE_MS, REST * took);
  }

  const background = startBackground(work, onError, LOOK_MS);
  return {
    progress: () => ({ ...progress }),
    async stop() {
      stopping.abort();
      await Promise.race([background.stop().then(sink.close), sleep(LONGEST_STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** Twice as long each time, up to five minutes, less up to half at random. */
export function retryAfter(failures: number, random = Math.random()): number {
  const longest = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 30));
  return Math.round(longest * (1 - random / 2));
}

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
import { give, type Giving } from "./give.ts";
import { createHints, type Hints } from "./hints.ts";
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
  /** Milliseconds by which tries, sweeps and measures fall due. Default: the process's monotonic clock. */
  clock?: () => number;
}

/** Starts to feed a sink. */
export function followAudit(db: Database, sink: AuditSink, options: FollowOptions): SinkFollower {
  return new FollowingSink(db, sink, options);
}

class FollowingSink implements SinkFollower {
  readonly #db: Database;
  readonly #sink: AuditSink;
  readonly #onState: FollowOptions["onState"];
  readonly #clock: () => number;
  readonly #holder = newHolder();
  readonly #hints: Hints;
  readonly #stopping = new AbortController();
  readonly #signal = this.#stopping.signal;
  readonly #progress: SinkProgress = { behindRecords: 0, behindSeconds: 0, failures: 0 };
  #lease: Lease | undefined;
  /** When each thing is to be done next, by the clock. */
  readonly #due = {
    anything: -Infinity,
    renewal: -Infinity,
    note: -Infinity,
    sweep: -Infinity,
    heads: -Infinity,
    measure: -Infinity,
  };
  #failed = 0;
  readonly #giving: Giving;
  readonly #background: Background;
  // By itself: of a sink that hangs it must be seen how far behind it is.
  readonly #measuring: Background;

  constructor(db: Database, sink: AuditSink, { onState, onError, clock = () => performance.now() }: FollowOptions) {
    this.#db = db;
    this.#sink = sink;
    this.#onState = onState;
    this.#clock = clock;
    this.#hints = createHints(db.feed);
    this.#giving = {
      db,
      sink,
      signal: this.#signal,
      holdLease: () => this.#holdLease(),
      onTaken: () => {
        if (this.#failed > 0) this.#onState(undefined);
        this.#failed = 0;
      },
    };
    this.#background = startBackground(() => this.#work(), onError, LOOK_MS);
    this.#measuring = startBackground(() => this.#measure(), onError);
  }

  progress(): SinkProgress {
    return { ...this.#progress };
  }

  async stop() {
    this.#stopping.abort();
    this.#hints.close();
    const ended = Promise.all([this.#background.stop().then(this.#sink.close), this.#measuring.stop()]);
    await Promise.race([ended, sleep(LONGEST_STOP_MS, undefined, { ref: false })]);
  }

  async #holdLease(): Promise<Lease | undefined> {
    // While another node has the lease, this node does not ask for it more often.
    if (this.#clock() >= this.#due.renewal) {
      this.#lease = await takeLease(this.#db, `audit-sink/${this.#sink.name}`, this.#holder);
      this.#due.renewal = this.#clock() + RENEW_MS;
    }
    return this.#lease;
  }

  /** @param list gives what there is to give @returns what was given; undefined when another node does it */
  async #giveAll(list: () => Promise<readonly PendingChain[]>): Promise<readonly PendingChain[] | undefined> {
    let found = await list();
    if (found.length === 0) return found;
    const had = this.#lease;
    const has = await this.#holdLease();
    if (has === undefined) return undefined;
    // The previous holder of the lease may have delivered more since.
    if (had?.fence !== has.fence) found = await list();
    await give(this.#giving, found);
    return found;
  }

  /** Goes through pages until there are no more. @returns whether anything was given */
  async #giveEach(list: typeof listPendingChains): Promise<boolean> {
    let hasGiven = false;
    for (let after = ""; !this.#signal.aborted;) {
      const page = await this.#giveAll(() => list(this.#db, { sink: this.#sink.name, after, limit: PAGE }));
      if (page === undefined || page.length === 0) return hasGiven && page !== undefined;
      hasGiven = true;
      after = page.at(-1)?.name ?? "";
    }
    return false;
  }

  /** Until an end that finds nothing new. @returns how long that took, in milliseconds */
  async #untilNothing(list: typeof listPendingChains): Promise<number> {
    for (;;) {
      const began = this.#clock();
      if (!(await this.#giveEach(list))) return this.#clock() - began;
    }
  }

  async #work(): Promise<void> {
    if (this.#clock() < this.#due.anything) return;
    try {
      if (this.#clock() >= this.#due.note) await this.#noteFeeding();
      const moved = this.#hints.take();
      if (moved === undefined) this.#due.sweep = -Infinity;
      for (let start = 0; start < (moved?.length ?? 0); start += PAGE) {
        const names = moved?.slice(start, start + PAGE) ?? [];
        await this.#giveAll(() => listPendingOf(this.#db, { sink: this.#sink.name, names }));
      }
      if (this.#clock() >= this.#due.sweep) {
        const took = await this.#untilNothing(listPendingChains);
        this.#due.sweep = this.#clock() + restAfter(took, SWEEP_MS);
      }
      if (this.#clock() >= this.#due.heads) {
        const took = await this.#untilNothing(listPendingHeads);
        this.#due.heads = this.#clock() + restAfter(took, HEADS_MS);
      }
    } catch (error) {
      this.#noteEnd(error);
    }
  }

  /** @throws what is neither the sink's nor another node's doing */
  #noteEnd(error: unknown): void {
    if (this.#signal.aborted) return;
    // A sweep finds the hinted chains again.
    this.#due.sweep = -Infinity;
    if (error instanceof AppError && error.code === "conflict") {
      this.#lease = undefined;
    } else if (error instanceof SinkFailure) {
      this.#progress.failures += 1;
      if (this.#failed === 0) this.#onState(error.message);
      this.#failed += 1;
      this.#due.anything = this.#clock() + Math.max(error.retryAfterMs, retryAfter(this.#failed));
    } else {
      this.#due.anything = this.#clock() + FIRST_RETRY_MS;
      throw error;
    }
  }

  async #noteFeeding(): Promise<void> {
    const held = await takeLease(this.#db, `audit-sink/${this.#sink.name}`, this.#holder);
    this.#due.note = this.#clock() + NOTE_MS;
    if (held === undefined) return;
    await this.#db.inTransaction(held, async (tx) => {
      tx.unrecorded("that a sink is fed");
      writeSink(tx, this.#sink.name, new Date(this.#db.now()).toISOString());
    });
  }

  async #measure(): Promise<void> {
    if (this.#clock() < this.#due.measure) return;
    const began = this.#clock();
    this.#due.measure = began + MEASURE_MS;
    const { records, since } = await readBacklog(this.#db, this.#sink.name);
    this.#progress.behindRecords = records;
    this.#progress.behindSeconds =
      since === undefined ? 0 : Math.max(0, Math.round((this.#db.now() - Date.parse(since)) / 1000));
    this.#due.measure = this.#clock() + restAfter((this.#clock() - began) / 4, MEASURE_MS);
  }
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

/** Denied requests on their way to the audit records. */
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../../storage/database.ts";
import { startBackground } from "../../storage/operator/removal.ts";
import { createGatherer, type RefusalStats } from "./gather.ts";
import type { Gathered, RequestRefusal } from "./refusal.ts";
import { forgetRefusals, keepRefusals, takeRefusals } from "./spool.ts";
import { NOWHERE } from "./place.ts";
import { entryOf, type RefusalEntry, writeRefusals } from "./write.ts";

export interface Refusals {
  /** Notes a denied request, which is written in the background. */
  note(refusal: RequestRefusal): void;
  /** Takes what a thread has gathered that cannot write. */
  merge(gathered: readonly Gathered[]): void;
  /** Writes what there is by now, as far as its minute is over. */
  flush(): Promise<void>;
  /** Finds the entry for a denied request, while this thread has not written it. */
  find(requestId: string): RefusalEntry | undefined;
  stats(): RefusalStats;
  /**
   * Writes all denied requests. When storage is unreachable or was moved elsewhere, they are kept in a file, which the
   * next start writes to the audit log. Without a directory they are lost, and the log says so.
   */
  stop(): Promise<void>;
}

interface RefusalsOptions {
  db: Database;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: FastifyBaseLogger;
  /** Gives what was gathered to the thread that writes; undefined where this one does. */
  hand: ((gathered: readonly Gathered[]) => void) | undefined;
  /** Directory for denied requests that cannot be written at the end; undefined where there is none. */
  directory?: string | undefined;
  /** See `createGatherer`. */
  windowMs?: number | undefined;
}

/** Records that one look at storage, and mostly one transaction, is for. */
const BATCH = 50;
const EVERY_MS = 500;

export function createRefusals({ db, now, log, hand, directory, windowMs }: RefusalsOptions): Refusals {
  const gatherer = createGatherer({ now, isRelay: hand !== undefined, windowMs });
  const spooled = directory === undefined ? [] : takeRefusals(directory, noteBroken);
  let writing = Promise.resolve();
  let isFailing = false;

  function noteBroken(path: string, err: unknown): void {
    log.error({ err, path }, "a file of refusals that an earlier stop left cannot be read");
  }

  /**
   * Writes denied requests that an earlier stop left. If the process is killed meanwhile, some may be written twice.
   */
  async function deliverSpooled(): Promise<void> {
    for (let left = spooled[0]; left !== undefined; left = spooled[0]) {
      for (let from = 0; from < left.gathered.length; from += BATCH) {
        await writeRefusals(db, left.gathered.slice(from, from + BATCH), () => undefined);
      }
      forgetRefusals(left);
      spooled.shift();
    }
  }

  async function deliverAll(): Promise<void> {
    await deliverSpooled();
    for (let batch = gatherer.first(BATCH); batch.length > 0; batch = gatherer.first(BATCH)) {
      if (hand === undefined) await writeRefusals(db, batch, (written) => gatherer.drop(written));
      else {
        hand(batch.map(plain));
        gatherer.drop(new Set(batch));
      }
    }
    isFailing = false;
  }

  /** One after the other, so that nothing is written twice. */
  function deliver(everything: boolean): Promise<void> {
    gatherer.settle(everything);
    const turn = writing.then(deliverAll);
    writing = turn.catch(() => undefined);
    return turn;
  }

  // Another thread gathers denied requests that this one hands over.
  const flush = (): Promise<void> => deliver(hand !== undefined);
  function noteFailure(err: unknown): void {
    if (!isFailing) log.warn({ err }, "refusals cannot be put on record now; they are kept and tried again");
    isFailing = true;
  }
  /** Keeps denied requests that could not be written at the end. */
  function keep(err: unknown): void {
    const left = gatherer.first(Infinity).map(plain);
    const waiting = left.length;
    if (waiting === 0) return;
    try {
      if (directory === undefined) throw err;
      const path = keepRefusals(directory, left);
      log.warn(
        { err, waiting, path },
        "refusals could not be put on record; the next start on this data directory does it",
      );
    } catch (failure) {
      log.error({ err: failure, waiting }, "refusals are lost that could not be put on record");
    }
  }
  const background = startBackground(flush, noteFailure, EVERY_MS);
  return {
    note: (refusal) => gatherer.note(refusal),
    merge: (gathered) => gatherer.merge(gathered),
    flush,
    find(requestId) {
      const group = gatherer.find(requestId);
      return group && entryOf({ group, place: NOWHERE });
    },
    stats: () => gatherer.stats(),
    async stop() {
      await background.stop();
      await deliver(true).catch(keep);
    },
  };
}

/** Without what only this thread has. */
function plain({ key, source, sort, refused, origin, home, decided, count, ...rest }: Gathered): Gathered {
  const { since, until, requestIds, addresses } = rest;
  return { key, source, sort, refused, origin, home, decided, count, since, until, requestIds, addresses };
}

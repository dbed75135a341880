/** Refusals on their way to the records. */
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../../storage/database.ts";
import { startBackground } from "../../storage/removal.ts";
import { createGatherer, type RefusalStats } from "./gather.ts";
import type { Gathered, Refusal } from "./refusal.ts";
import { writeRefusals } from "./write.ts";

export interface Refusals {
  /** Takes note of a refusal, which is written in the background. */
  note(refusal: Refusal): void;
  /** Takes what a thread has gathered that cannot write. */
  merge(gathered: readonly Gathered[]): void;
  /** Writes what there is by now, as far as its minute is over or it has been quiet for a while. */
  flush(): Promise<void>;
  stats(): RefusalStats;
  /** Writes all that there is. What cannot be written now is lost, and the log says so. */
  stop(): Promise<void>;
}

interface RefusalsOptions {
  db: Database;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: FastifyBaseLogger;
  /** Gives what was gathered to the thread that writes; undefined where this one does. */
  hand: ((gathered: readonly Gathered[]) => void) | undefined;
}

/** Records that one look at storage, and mostly one transaction, is for. */
const BATCH = 50;
const EVERY_MS = 500;

export function createRefusals({ db, now, log, hand }: RefusalsOptions): Refusals {
  const gatherer = createGatherer({ now, isRelay: hand !== undefined });
  let writing = Promise.resolve();
  let isFailing = false;

  async function deliverAll(): Promise<void> {
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

  // What goes to another thread is gathered there.
  const flush = (): Promise<void> => deliver(hand !== undefined);
  function noteFailure(err: unknown): void {
    if (!isFailing) log.warn({ err }, "refusals cannot be put on record now; they are kept and tried again");
    isFailing = true;
  }
  const background = startBackground(flush, noteFailure, EVERY_MS);
  return {
    note: gatherer.note,
    merge: gatherer.merge,
    flush,
    stats: gatherer.stats,
    async stop() {
      await background.stop();
      await deliver(true).catch((err: unknown) => {
        log.error({ err, waiting: gatherer.stats().waiting }, "refusals are lost that could not be put on record");
      });
    },
  };
}

/** Without what only this thread has. */
function plain({ key, source, sort, refused, origin, home, decided, count, ...rest }: Gathered): Gathered {
  const { since, until, requestIds, addresses } = rest;
  return { key, source, sort, refused, origin, home, decided, count, since, until, requestIds, addresses };
}

/** Denied requests on their way to the audit records. */
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../../storage/database.ts";
import { type Background, startBackground } from "../../storage/operator/removal.ts";
import { createGatherer, type Gatherer, type RefusalStats } from "./gather.ts";
import type { Gathered, RequestRefusal } from "./refusal.ts";
import { forgetRefusals, keepRefusals, takeRefusals } from "./spool.ts";
import { NOWHERE } from "./place.ts";
import { createOwnRefusals, type OwnRefusal } from "./own.ts";
import { entryOf, type RefusalEntry, writeRefusals } from "./write.ts";

export interface Refusals {
  /** Notes a denied request, which is written in the background. */
  note(refusal: RequestRefusal): void;
  /** Writes what there is by now, as far as its minute is over. */
  flush(): Promise<void>;
  /** Finds the entry for a denied request, while it is not written. */
  find(requestId: string): RefusalEntry | undefined;
  /** Returns the last access checks that were denied to a token, the latest first. */
  ownOf(accessorId: string): readonly OwnRefusal[];
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
  /** Directory for denied requests that cannot be written at the end; undefined where there is none. */
  directory?: string | undefined;
  /** See `createGatherer`. */
  windowMs?: number | undefined;
}

/** Records that one look at storage, and mostly one transaction, is for. */
const BATCH = 50;
const EVERY_MS = 500;

export function createRefusals(options: RefusalsOptions): Refusals {
  return new RecordedRefusals(options);
}

class RecordedRefusals implements Refusals {
  readonly #db: RefusalsOptions["db"];
  readonly #log: RefusalsOptions["log"];
  readonly #directory: RefusalsOptions["directory"];
  readonly #gatherer: Gatherer;
  readonly #now: RefusalsOptions["now"];
  readonly #own = createOwnRefusals();
  readonly #spooled: ReturnType<typeof takeRefusals>;
  #writing = Promise.resolve();
  #isFailing = false;
  readonly #background: Background;

  readonly #deliverAll = async (): Promise<void> => {
    await this.#deliverSpooled();
    for (let batch = this.#gatherer.first(BATCH); batch.length > 0; batch = this.#gatherer.first(BATCH)) {
      await writeRefusals(this.#db, batch, (written) => this.#gatherer.drop(written));
    }
    this.#isFailing = false;
  };

  /** Keeps denied requests that could not be written at the end. */
  readonly #keep = (err: unknown): void => {
    const left = this.#gatherer.first(Infinity).map(plain);
    const waiting = left.length;
    if (waiting === 0) return;
    try {
      if (this.#directory === undefined) throw err;
      const path = keepRefusals(this.#directory, left);
      this.#log.warn(
        { err, waiting, path },
        "denied-request records were saved to a file; the next start with this data directory writes them",
      );
    } catch (failure) {
      this.#log.error({ err: failure, waiting }, "denied-request records were lost");
    }
  };

  constructor({ db, now, log, directory, windowMs }: RefusalsOptions) {
    this.#db = db;
    this.#now = now;
    this.#log = log;
    this.#directory = directory;
    this.#gatherer = createGatherer({ now, windowMs });
    this.#spooled = directory === undefined ? [] : takeRefusals(directory, (path, err) => this.#noteBroken(path, err));
    this.#background = startBackground(
      () => this.flush(),
      (err) => this.#noteFailure(err),
      EVERY_MS,
    );
  }

  note(refusal: RequestRefusal): void {
    this.#own.note(refusal, this.#now());
    this.#gatherer.note(refusal);
  }

  find(requestId: string): RefusalEntry | undefined {
    const group = this.#gatherer.find(requestId);
    return group && entryOf({ group, place: NOWHERE });
  }

  ownOf(accessorId: string): readonly OwnRefusal[] {
    return this.#own.of(accessorId);
  }

  stats(): RefusalStats {
    return this.#gatherer.stats();
  }

  async stop(): Promise<void> {
    await this.#background.stop();
    await this.#deliver(true).catch(this.#keep);
  }

  #noteBroken(path: string, err: unknown): void {
    this.#log.error({ err, path }, "cannot read the file of denied-request records of an earlier stop");
  }

  /**
   * Writes denied requests that an earlier stop left. If the process is killed meanwhile, some may be written twice.
   */
  async #deliverSpooled(): Promise<void> {
    for (let left = this.#spooled[0]; left !== undefined; left = this.#spooled[0]) {
      for (let from = 0; from < left.gathered.length; from += BATCH) {
        await writeRefusals(this.#db, left.gathered.slice(from, from + BATCH), () => undefined);
      }
      forgetRefusals(left);
      this.#spooled.shift();
    }
  }

  /** One after the other, so that nothing is written twice. */
  #deliver(everything: boolean): Promise<void> {
    this.#gatherer.settle(everything);
    const turn = this.#writing.then(this.#deliverAll);
    this.#writing = turn.catch(() => undefined);
    return turn;
  }

  flush(): Promise<void> {
    return this.#deliver(false);
  }

  #noteFailure(err: unknown): void {
    if (!this.#isFailing) this.#log.warn({ err }, "cannot write denied-request records; retrying");
    this.#isFailing = true;
  }
}

/** Without what only memory has. */
function plain({ key, source, sort, refused, origin, home, decided, count, ...rest }: Gathered): Gathered {
  const { since, until, requestIds, addresses } = rest;
  return { key, source, sort, refused, origin, home, decided, count, since, until, requestIds, addresses };
}

import type { KeyObject } from "node:crypto";
import type { Worker } from "node:worker_threads";
import { type WorkCaller, callerNow, throwIfGone, payerNow } from "../../callers.ts";
import { StorageAway } from "../../errors.ts";
import { createPool, type Pool, poolRefusalText } from "../../shared-pool.ts";
import { damaged } from "../proofs/damaged-rows.ts";
import { objectMaker, bindable } from "./connection.ts";
import type { Abandoned, GivenKey, ThreadAnswer, ThreadRequest, WantedKey } from "./reading-thread.ts";
import { asPiece, databasePiece, statementPiece } from "../../pieces.ts";
import { createKysely } from "../driver.ts";
import type { EngineDatabase } from "../database.ts";
import { createLongQueries } from "./reader.ts";
import { startWorker, stopWorker } from "./worker.ts";
import { translateSqliteError } from "./faults.ts";

/** Threads for long reads. They start at the first long read, since most servers never make one. */
const WORKERS = 2;

/**
 * Size of the heap for short-lived objects, which a slice leaves behind. The default of V8 is up to 48 MB; with 4 MB,
 * copying objects that a slice still needs takes a third of a list's time.
 */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

type FindKey = (id: string) => Promise<KeyObject>;

export interface LongReader {
  /**
   * Has work of `src/read-worker.ts` done. The thread is told when its caller goes.
   *
   * @param dataKey gives the keys that it asks for
   * @throws {CallerGone}
   */
  work(name: string, input: unknown, dataKey: FindKey): Promise<unknown>;
  all(sql: string, parameters: readonly unknown[]): Promise<unknown[]>;
  busy(): number;
  size(): number;
  close(): Promise<void>;
}

interface Pending {
  resolve: (answer: ThreadAnswer) => void;
  reject: (error: unknown) => void;
}

interface Lane {
  worker: Worker;
  pending: Map<number, Pending>;
  /** Gives the keys that the thread asks for; there is one keyring, so that the first is as good as any. */
  dataKey: FindKey | undefined;
}

/** Tells a thread a key. It is a handle: the bytes of the key are in no message. */
async function giveKey({ worker, dataKey }: Lane, keyId: string): Promise<void> {
  let given: GivenKey;
  try {
    if (dataKey === undefined) throw new Error("keyring not found");
    given = { keyId, key: await dataKey(keyId) };
  } catch (error) {
    given = { keyId, error: String(error) };
  }
  worker.postMessage(given);
}

/**
 * Runs reads on worker threads, each with a read-only connection; the idlest one takes the next read.
 *
 * @param limit how many may wait for a thread
 * @param beforeOpen called before a thread opens the file; throws when it is not the one that the others have open
 * @param translate makes of SQLite's errors what the caller is told
 */
export function createLongReader(
  path: string,
  limit: number,
  beforeOpen: () => void = () => undefined,
  translate: (error: unknown) => unknown = translateSqliteError,
): LongReader {
  return new ThreadReader(path, limit, beforeOpen, translate);
}

class ThreadReader implements LongReader {
  readonly #path: string;
  readonly #beforeOpen: () => void;
  readonly #translate: (error: unknown) => unknown;
  readonly #lanes: Lane[] = [];
  // Reads at work take places too; each lane has one.
  readonly #places: Pool;
  #nextId = 0;
  #isClosed = false;

  constructor(path: string, limit: number, beforeOpen: () => void, translate: (error: unknown) => unknown) {
    this.#path = path;
    this.#beforeOpen = beforeOpen;
    this.#translate = translate;
    this.#places = createPool("longReads", limit + WORKERS);
  }

  async all(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    throwIfGone();
    const values = bindable(parameters);
    const { rows, columns } = await this.#inPlace((lane) =>
      asPiece(
        () => statementPiece("sqlite", sql),
        () => this.#ask(lane, { id: this.#nextId++, sql, parameters: values }),
      ),
    );
    return rows.map(objectMaker(columns));
  }

  async work(name: string, input: unknown, dataKey: FindKey): Promise<unknown> {
    throwIfGone();
    const { made } = await this.#inPlace((lane) => {
      lane.dataKey ??= dataKey;
      const id = this.#nextId++;
      return asPiece(
        () => databasePiece("sqlite", "work", `work ${name}`),
        () => this.#unlessGone(lane, id, callerNow(), () => this.#ask(lane, { id, work: name, input })),
      );
    });
    return made;
  }

  busy(): number {
    return this.#lanes.filter((lane) => lane.pending.size > 0).length;
  }

  size(): number {
    return this.#lanes.length;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#lanes.map((lane) => stopWorker(lane.worker)));
  }

  #startLane(): Lane {
    // A read after the close is no sign of a lost file.
    if (this.#isClosed) throw new StorageAway("The database is closed");
    this.#beforeOpen();
    const lane: Lane = {
      worker: startWorker("read-worker", { path: this.#path }, LIMITS),
      pending: new Map(),
      dataKey: undefined,
    };
    lane.worker.unref();
    lane.worker.on("message", (answer: ThreadAnswer | WantedKey) => {
      if ("wanted" in answer) return void giveKey(lane, answer.wanted);
      const pending = lane.pending.get(answer.id);
      lane.pending.delete(answer.id);
      if (lane.pending.size === 0) lane.worker.unref();
      if (answer.error === undefined) return pending?.resolve(answer);
      const { message, errcode, code, row } = answer.error;
      if (row !== undefined) return pending?.reject(damaged(row));
      const error = Object.assign(new Error(message), { errcode, code });
      pending?.reject(this.#translate(error));
    });
    const lose = (cause: unknown): void => {
      const place = this.#lanes.indexOf(lane);
      if (place !== -1) this.#lanes.splice(place, 1);
      for (const pending of lane.pending.values()) {
        pending.reject(new StorageAway("The read was interrupted on the server; retry", { cause }));
      }
      lane.pending.clear();
    };
    lane.worker.on("error", lose);
    // One that is closed answers first what it was asked before.
    lane.worker.on("exit", () => lose(undefined));
    this.#lanes.push(lane);
    return lane;
  }

  #idlest(): Lane {
    let best = this.#lanes[0];
    for (const lane of this.#lanes) if (best === undefined || lane.pending.size < best.pending.size) best = lane;
    if (best === undefined || (best.pending.size > 0 && this.#lanes.length < WORKERS)) return this.#startLane();
    return best;
  }

  /** Does something with a lane on the caller's place. */
  async #inPlace<T>(work: (lane: Lane) => Promise<T>): Promise<T> {
    const holder = payerNow();
    const refusal = this.#places.take(holder);
    if (refusal !== undefined) throw new StorageAway(poolRefusalText("Too many long reads are waiting", refusal));
    try {
      return await work(this.#idlest());
    } finally {
      this.#places.give(holder);
    }
  }

  #ask(lane: Lane, request: ThreadRequest): Promise<ThreadAnswer> {
    return new Promise((resolve, reject) => {
      lane.pending.set(request.id, { resolve, reject });
      lane.worker.ref();
      lane.worker.postMessage(request);
    });
  }

  /** Tells the thread when nobody waits for work any more, and throws then. */
  async #unlessGone<T>({ worker }: Lane, id: number, caller: WorkCaller | undefined, work: () => Promise<T>) {
    if (caller === undefined) return work();
    const leave = (): void => worker.postMessage({ abandoned: id } satisfies Abandoned);
    caller.gone.addEventListener("abort", leave);
    try {
      return await work();
    } catch (error) {
      throwIfGone();
      throw error;
    } finally {
      caller.gone.removeEventListener("abort", leave);
    }
  }
}

/** The reads of a database that a reader of threads makes. @param count told of each */
export function longReads(reader: LongReader, count: () => void): Pick<EngineDatabase, "long" | "runInThread"> {
  const all = (sql: string, parameters: readonly unknown[]) => {
    count();
    return reader.all(sql, parameters);
  };
  return {
    long: createLongQueries(
      all,
      createKysely("sqlite", () => Promise.resolve([])),
    ),
    runInThread(name, input, dataKey) {
      count();
      return reader.work(name, input, dataKey);
    },
  };
}

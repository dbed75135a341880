import type { Worker } from "node:worker_threads";
import { StorageAway } from "../../errors.ts";
import type { ReadAnswer, ReadRequest } from "./read-worker.ts";
import { objectMaker, bindable } from "./connection.ts";
import { startWorker, stopWorker } from "./worker.ts";
import { translateSqliteError } from "./faults.ts";

/** Threads for long reads. They start at the first long read, since most servers never make one. */
const WORKERS = 2;

export interface LongReader {
  all(sql: string, parameters: readonly unknown[]): Promise<unknown[]>;
  busy(): number;
  size(): number;
  close(): Promise<void>;
}

interface Pending {
  resolve: (rows: unknown[]) => void;
  reject: (error: unknown) => void;
}

interface Lane {
  worker: Worker;
  pending: Map<number, Pending>;
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
  const lanes: Lane[] = [];
  let nextId = 0;

  function startLane(): Lane {
    beforeOpen();
    const lane: Lane = { worker: startWorker("read-worker", { path }), pending: new Map() };
    lane.worker.unref();
    lane.worker.on("message", (answer: ReadAnswer) => {
      const pending = lane.pending.get(answer.id);
      lane.pending.delete(answer.id);
      if (lane.pending.size === 0) lane.worker.unref();
      if (answer.error === undefined) return pending?.resolve(answer.rows.map(objectMaker(answer.columns)));
      const { message, errcode, code } = answer.error;
      const error = Object.assign(new Error(message), { errcode, code });
      pending?.reject(translate(error));
    });
    const lose = (cause: unknown): void => {
      const place = lanes.indexOf(lane);
      if (place !== -1) lanes.splice(place, 1);
      for (const pending of lane.pending.values()) {
        pending.reject(new StorageAway("A reading thread ended, try again", { cause }));
      }
      lane.pending.clear();
    };
    lane.worker.on("error", lose);
    // One that is closed answers first what it was asked before.
    lane.worker.on("exit", () => lose(undefined));
    lanes.push(lane);
    return lane;
  }

  function idlest(): Lane {
    let best = lanes[0];
    for (const lane of lanes) if (best === undefined || lane.pending.size < best.pending.size) best = lane;
    if (best === undefined || (best.pending.size > 0 && lanes.length < WORKERS)) return startLane();
    return best;
  }

  return {
    async all(sql, parameters) {
      const values = bindable(parameters);
      const lane = idlest();
      // Those at work count too; each lane has one.
      if (lane.pending.size > limit / WORKERS) {
        throw new StorageAway("Too many long reads are waiting, try again later");
      }
      const request: ReadRequest = { id: nextId++, sql, parameters: values };
      return new Promise<unknown[]>((resolve, reject) => {
        lane.pending.set(request.id, { resolve, reject });
        lane.worker.ref();
        lane.worker.postMessage(request);
      });
    },
    busy: () => lanes.filter((lane) => lane.pending.size > 0).length,
    size: () => lanes.length,
    async close() {
      await Promise.all(lanes.map((lane) => stopWorker(lane.worker)));
    },
  };
}

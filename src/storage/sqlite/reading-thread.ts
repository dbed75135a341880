/** Runs a thread for long reads: it has a read-only connection, and does work on the rows that it reads. */
import type { KeyObject } from "node:crypto";
import { parentPort, workerData, type MessagePort, type Transferable } from "node:worker_threads";
import { CallerGone, workFor } from "../../callers.ts";
import type { ApartSource, ApartWork } from "../database.ts";
import { damagedRowOf, type DamagedRow } from "../proofs/damaged-rows.ts";
import { decrypt, openAll, splitSealed } from "../keys/open-sealed.ts";
import { bindable, openConnection, type SqliteConnection } from "./connection.ts";
import { createReader } from "./reader.ts";

/** A read, or work. */
export type ThreadRequest = { id: number } & (
  | { sql: string; parameters: readonly unknown[] }
  | { work: string; input: unknown }
);

/** The work of this ID is waited for by nobody any more. */
export interface Abandoned {
  abandoned: number;
}

/** A data key that the thread has asked for; without one, why there is none. */
export interface GivenKey {
  keyId: string;
  key?: KeyObject;
  error?: string;
}

export interface ThreadAnswer {
  id: number;
  columns: readonly string[];
  /** Values in the order of `columns`: cheaper to hand over than objects. */
  rows: unknown[][];
  /** Result of the work. */
  made?: unknown;
  error?: { message: string; errcode: number | undefined; code: unknown; row: DamagedRow | undefined };
}

/** Request of the thread for the key of this ID, to open values that are sealed with it. */
export interface WantedKey {
  wanted: string;
}

/** Serves this thread's parent until it says `close`. @param works all that it may ask for */
export function serveReads(works: readonly ApartWork<never, unknown>[]): void {
  const port = parentPort;
  if (port === null) throw new Error("this is the file of a thread");
  const connection = openConnection((workerData as { path: string }).path, "read");
  // A list in order of random IDs finds its pages in no cache that is smaller than the table; a larger one is only memory.
  connection.db.exec("pragma cache_size = -2000");
  const keys = askForKeys(port);
  const source: ApartSource = {
    ...createReader(
      connection,
      () => undefined,
      () => undefined,
    ),
    keyring: {
      async open(sealed, place) {
        const { id, text } = splitSealed(sealed);
        return decrypt(await keys.find(id), text, place).toString();
      },
      openAll: (all) => openAll(keys.find, all),
    },
  };
  const named = new Map(works.map((work) => [work.name, work]));
  /** Ends the work that is under way. */
  const endings = new Map<number, AbortController>();

  async function answer(request: ThreadRequest): Promise<void> {
    const { id } = request;
    try {
      if ("sql" in request) {
        port?.postMessage({ id, ...read(connection, request) } satisfies ThreadAnswer);
        return;
      }
      const work = named.get(request.work);
      if (work === undefined) throw new Error(`no work is called ${request.work}`);
      const ending = new AbortController();
      endings.set(id, ending);
      const made = await workFor(asCaller(ending.signal), () => work.run(source, request.input as never));
      port?.postMessage({ id, columns: [], rows: [], made } satisfies ThreadAnswer, buffersOf(made));
    } catch (error) {
      const errcode = error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      const told = { message: String(error), errcode, code, row: damagedRowOf(error) };
      port?.postMessage({ id, columns: [], rows: [], error: told } satisfies ThreadAnswer);
    } finally {
      endings.delete(id);
    }
  }

  port.on("message", (message: ThreadRequest | GivenKey | Abandoned | "close") => {
    if (message === "close") {
      connection.close();
      port.close();
    } else if ("keyId" in message) keys.take(message);
    else if ("abandoned" in message) endings.get(message.abandoned)?.abort(new CallerGone());
    else void answer(message);
  });
}

/** The caller of work in this thread, which has its place in the one that asked for it. */
function asCaller(gone: AbortSignal) {
  return { gone, isGone: () => gone.aborted, owner: undefined };
}

function read(connection: SqliteConnection, { sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
  const statement = connection.prepare(sql);
  return { columns: statement.columns, rows: statement.allArrays(bindable(parameters)) };
}

/** Data keys come from the parent, which has the master key; one that has come is kept, as it is there. */
function askForKeys(port: MessagePort) {
  const keys = new Map<string, PromiseWithResolvers<KeyObject>>();
  return {
    find(id: string): Promise<KeyObject> {
      const asked = keys.get(id);
      if (asked !== undefined) return asked.promise;
      const asking = Promise.withResolvers<KeyObject>();
      keys.set(id, asking);
      port.postMessage({ wanted: id } satisfies WantedKey);
      return asking.promise;
    },
    take({ keyId, key, error }: GivenKey): void {
      const asking = keys.get(keyId);
      if (key !== undefined) return asking?.resolve(key);
      // It may be there the next time.
      keys.delete(keyId);
      asking?.reject(new Error(error));
    },
  };
}

/** Buffers are handed over and not copied, unless they are a part of one. */
function buffersOf(made: unknown): Transferable[] {
  const all = Array.isArray(made) ? (made as unknown[]) : [];
  return all.flatMap((each) => {
    const bytes = typeof each === "object" && each !== null && "bytes" in each ? each.bytes : undefined;
    const isWhole = bytes instanceof Uint8Array && bytes.length === bytes.buffer.byteLength;
    return isWhole ? [bytes.buffer as ArrayBuffer] : [];
  });
}

import { startBackground } from "../operator/removal.ts";
import type { Reader } from "../database.ts";
import { StorageAway } from "../../errors.ts";
import { connect, type PostgresConnection } from "./connection.ts";
import { RetryTransaction } from "./faults.ts";
import { idlest, createLongPool } from "./long-pool.ts";
import { createReader, type Send } from "./reader.ts";
import { createServers } from "./servers.ts";

/** A streaming replica, for reads that may be behind. */
export interface PostgresReplica {
  reader: Reader;
  long: Reader;
  /** See `Replica` in `database.ts`. */
  ageMilliseconds(): number | undefined;
  /** To be told of every poll of the primary's counters: when it began, by the monotonic clock, and what it read. */
  notePrimary(began: number, counters: ReadonlyMap<string, number>): void;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  url: string;
  /** How many long reads may wait. */
  longLimit: number;
  /** Reads all counters of partitions, as `name` and `value`. */
  poll: string;
  onWarning: (message: string) => void;
}

const READ_CONNECTIONS = 2;
const LONG_CONNECTIONS = 2;
const POLL_MS = 250;
/** A replica that was silent for so long is not asked any more. */
const SILENT_MS = 2000;
/** How much longer than the longest statement an answer may take. */
const ANSWER_GRACE_MS = 500;
/** Polls of the primary that the replica may be behind; a tenth of a second each, or more. */
const HISTORY = 2400;

/**
 * Opens a replica, and goes on trying while it cannot be reached. How old it is follows from the counters alone:
 * whatever the primary had committed when they were read is there once the replica's are as high.
 */
export function openReplica({ url, longLimit, poll, onWarning }: ReplicaOptions): PostgresReplica {
  const servers = createServers(url);
  /** Counters of the primary at different times, the oldest first, from the newest on that the replica has reached. */
  let history: { at: number; counters: ReadonlyMap<string, number> }[] = [];
  /** Time up to which the replica is known to contain everything. */
  let reached: number | undefined;
  let answered = -Infinity;

  const make = (size: number, seconds: number): PostgresConnection[] =>
    Array.from({ length: size }, () =>
      connect({
        servers,
        settings: { statement_timeout: `${seconds}s` },
        use: "copy",
        answerTimeoutMs: seconds * 1000 + ANSWER_GRACE_MS,
        patient: true,
        onWarning,
      }),
    );
  // The primary could answer a read that waits for a hanging replica, so the timeout is short.
  const read = make(READ_CONNECTIONS, 1);
  const long = make(LONG_CONNECTIONS, 10);

  async function look(): Promise<void> {
    const { rows } = await idlest(read).query({ name: "poll_counters", text: poll, values: [] });
    const counters = new Map((rows as { name: string; value: number }[]).map(({ name, value }) => [name, value]));
    answered = performance.now();
    const newest = history.findLastIndex((entry) => covers(counters, entry.counters));
    if (newest === -1) return;
    reached = history[newest]?.at;
    history = history.slice(newest);
  }

  // Without an answer its age is not known any more, and it is not read.
  const looking = startBackground(look, () => undefined, POLL_MS);
  const uncounted = (): void => undefined;

  return {
    reader: createReader(
      orAway((statement) => idlest(read).query(statement)),
      uncounted,
      true,
    ),
    long: createReader(orAway(createLongPool(long, longLimit)), uncounted, false),
    ageMilliseconds() {
      const now = performance.now();
      return reached === undefined || now - answered > SILENT_MS ? undefined : now - reached;
    },
    notePrimary(at, counters) {
      history.push({ at, counters });
      if (history.length > HISTORY) history.shift();
    },
    async close() {
      await looking.stop();
      await Promise.all([...read, ...long].map((connection) => connection.close()));
    },
  };
}

/** A replica ends statements that stand in the way of what it has to replay; the primary is asked then. */
function orAway(send: Send): Send {
  return async (statement) => {
    try {
      return await send(statement);
    } catch (error) {
      if (!(error instanceof RetryTransaction)) throw error;
      throw new StorageAway("The replica is catching up; retry later", { cause: error });
    }
  };
}

/** Whether a server with these counters has all that one with the others had. */
function covers(counters: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): boolean {
  for (const [name, value] of others) if ((counters.get(name) ?? -1) < value) return false;
  return true;
}

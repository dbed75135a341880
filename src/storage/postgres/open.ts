import { StorageAway } from "../../errors.ts";
import type { EngineDatabase, OpenedEngine, StorageStats } from "../database.ts";
import { StartError } from "../start-error.ts";
import { createWriteQueue } from "../writes/write-queue.ts";
import { countOperations } from "../operation-counts.ts";
import { applicationName } from "./application-name.ts";
import { POLL, startPostgresFeed, type PostgresFeed } from "./feed.ts";
import { createSharedClock, type SharedClock } from "./shared-clock.ts";
import { connect, type PostgresConnection } from "./connection.ts";
import { idlest, createLongPool } from "./long-pool.ts";
import { checkEngine } from "./engine-check.ts";
import { migratePostgres } from "./migrate.ts";
import { createReader } from "./reader.ts";
import { openReplica, type PostgresReplica } from "./replica.ts";
import { createServers } from "./servers.ts";
import { checkSessions } from "./sessions-check.ts";
import { reasonOf, splitHosts } from "./hosts.ts";
import { watchWorkers, type WorkerWatch } from "./workers.ts";
import { createWriteTurns } from "./write-turns.ts";
import { createWriter } from "./writer.ts";

export interface PostgresOptions {
  url: string;
  /** How many writes may wait. */
  queueLimit: number;
  /** How many long reads may wait. */
  longLimit: number;
  /** See `OpenOptions`. */
  feed: "notify" | "poll";
  /** URL of a streaming replica. */
  replica: string | undefined;
  /** Asked before anything is made in a database that has no schema; what it throws refuses the start. */
  beforeMaking: () => void;
  onWarning: (message: string) => void;
}

const WRITE_CONNECTIONS = 8;
const READ_CONNECTIONS = 2;
const LONG_CONNECTIONS = 4;
/** Transactions of one counter under way: the second one's first flight travels while the first commits. */
const PER_COUNTER = 2;
/** A client is not kept longer than that for its turn: nothing has happened, and it may ask another server. */
const LONGEST_WAIT_MS = 5000;
const PING_MS = 1500;
const LOOK_TIMEOUT_MS = 1500;

/** How long the answers of each kind may take; longer than its longest statement. */
const ANSWER_MS = { write: 12_000, read: 12_000, long: 32_000 };

const WRITE_SETTINGS = {
  idle_in_transaction_session_timeout: "2s",
  lock_timeout: "5s",
  statement_timeout: "10s",
  // A commit that no standby has confirmed is known by its warning.
  client_min_messages: "warning",
};
const READ_SETTINGS = { statement_timeout: "10s" };
const LONG_SETTINGS = { statement_timeout: "30s" };

/**
 * Opens a PostgreSQL database, bringing its schema up to date.
 *
 * @throws StartError when it cannot be reached or its schema is newer than this program
 */
export async function openPostgres(options: PostgresOptions): Promise<OpenedEngine> {
  const { url, onWarning } = options;
  const servers = createServers(url);
  const clock = createSharedClock(onWarning);
  const made: PostgresConnection[] = [];
  const make = (size: number, settings: Record<string, string>, answerTimeoutMs: number, use: "write" | "read") => {
    const set = Array.from({ length: size }, () => connect({ servers, settings, use, answerTimeoutMs, onWarning }));
    made.push(...set);
    return set;
  };
  let connections: Connections;
  let feed: PostgresFeed | undefined;
  let replica: PostgresReplica | undefined;
  let workers: WorkerWatch;
  try {
    await checkSessions(servers);
    await migratePostgres(servers, { onWarning, beforeMaking: options.beforeMaking });
    if (options.replica !== undefined) {
      replica = openReplica({ url: options.replica, longLimit: options.longLimit, poll: POLL, onWarning });
    }
    feed = startPostgresFeed({ servers, mode: options.feed, clock, onWarning, onPoll: replica?.notePrimary });
    connections = {
      write: make(WRITE_CONNECTIONS, WRITE_SETTINGS, ANSWER_MS.write, "write"),
      read: make(READ_CONNECTIONS, READ_SETTINGS, ANSWER_MS.read, "read"),
      long: make(LONG_CONNECTIONS, LONG_SETTINGS, ANSWER_MS.long, "read"),
    };
    await Promise.all([feed.ready, ...made.map((connection) => connection.ready)]);
    await checkEngine(idlest(connections.read), { hasSeveral: splitHosts(url).length > 1, onWarning });
    workers = await watchWorkers(() => idlest(connections.read), onWarning);
  } catch (error) {
    await Promise.all([feed?.close(), replica?.close(), ...made.map((connection) => connection.close())]);
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot use PostgreSQL: ${reasonOf(error)}. Check --database and that the server is running`, {
      cause: error,
    });
  }
  const stopWatch = servers.watch({ application_name: applicationName(), query_timeout: LOOK_TIMEOUT_MS });
  const { db, replica: copy, useKeys, lostWrites } = assemble(options, connections, { feed, clock, workers }, replica);
  const close = async (): Promise<void> => {
    workers.stop();
    await stopWatch();
    await db.close();
  };
  return { db: { ...db, close }, replica: copy, useKeys, lostWrites };
}

/** The connections of a database, by what they are for. */
type Connections = Readonly<Record<"write" | "read" | "long", PostgresConnection[]>>;

function poolsOf({ write, read, long }: Connections, writing: number): StorageStats["pools"] {
  return { write: { busy: writing, size: write.length }, read: usage(read), long: usage(long) };
}

function assemble(
  options: PostgresOptions,
  connections: Connections,
  { feed, clock, workers }: { feed: PostgresFeed; clock: SharedClock; workers: WorkerWatch },
  replica: PostgresReplica | undefined,
): OpenedEngine {
  const { operations, count } = countOperations();
  const reader = createReader((statement) => idlest(connections.read).query(statement), count, true);
  const long = createReader(createLongPool(connections.long, options.longLimit), () => count("long"), false);
  const writers = connections.write.map((connection) => createWriter(connection, count, feed));
  const queue = createWriteQueue(writers, PER_COUNTER, options.queueLimit, (writer) => writer.connection.connected());
  const turns = createWriteTurns({ queue, limit: options.queueLimit, longestWaitMs: LONGEST_WAIT_MS });

  let lastWrite = -Infinity;

  const db: EngineDatabase = {
    ...reader,
    long,
    feed: { ...feed.hub.feed, isCurrent: (partition) => feed.isCurrent(reader, partition) },
    now: clock.now,
    async inTransaction(counter, work) {
      count("transaction");
      const refusal = workers.refusal();
      if (refusal !== undefined) throw refusal;
      try {
        const result = await turns.run(counter, work);
        lastWrite = performance.now();
        return result;
      } catch (error) {
        // An error of the work itself does not mean that the storage fails.
        if (error instanceof StorageAway) lastWrite = -Infinity;
        throw error;
      }
    },
    lastWrite: () => lastWrite,
    whenDurable: (done) => done(),
    ping: () => ping(idlest(connections.read)),
    stats: () => ({
      operations: { ...operations },
      writeQueue: turns.waiting(),
      pools: poolsOf(connections, queue.busy()),
      feed: feed.hub.stats(),
      isDamaged: false,
      isChecking: false,
    }),
    close: () => closeAll(connections, replica, feed),
  };
  return {
    db,
    replica: replica && { db: readOnly(db, replica), ageMilliseconds: replica.ageMilliseconds },
    useKeys: (keyring) => feed.useKey(keyring.derive("change feed")),
    lostWrites: undefined,
  };
}

async function closeAll(
  connections: Connections,
  replica: PostgresReplica | undefined,
  feed: PostgresFeed,
): Promise<void> {
  await Promise.all(Object.values(connections).flatMap((set) => set.map((connection) => connection.close())));
  await replica?.close();
  // After the writers: the last of them may still have something to tell the other nodes.
  await feed.close();
}

async function ping(connection: PostgresConnection): Promise<void> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new StorageAway("The database does not respond")), PING_MS).unref();
  });
  await Promise.race([connection.query({ text: "select 1", values: [] }), late]);
}

/** The same database as its replica has it. */
function readOnly(db: EngineDatabase, { reader, long }: PostgresReplica): EngineDatabase {
  const refuse = (): Promise<never> => Promise.reject(new TypeError("a replica does not accept writes"));
  return { ...db, ...reader, long, inTransaction: refuse, close: () => Promise.resolve() };
}

function usage(set: readonly PostgresConnection[]): { busy: number; size: number } {
  return { busy: set.filter((connection) => connection.pending() > 0).length, size: set.length };
}

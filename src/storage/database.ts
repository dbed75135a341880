import type { KeyObject } from "node:crypto";
import type { Compilable, Kysely } from "kysely";
import type { ChainHead } from "./proofs/audit-chain.ts";
import type { ClockForGood } from "./clock/trusted.ts";
import type { Counter } from "./writes/counters.ts";
import type { DamageCounts } from "./proofs/damaged-rows.ts";
import type { Engine } from "./engine.ts";
import type { TouchedObject, Feed, FeedStats, TableScope } from "./feed/feed.ts";
import type { Migration } from "./migrations/migration.ts";
import type { Keyring } from "./keys/sealed.ts";
import type { Counted } from "./writes/counted.ts";
import type { PointQuery, PreparedQuery } from "./reads/query.ts";
import type { LostWrites } from "./sqlite/mark/refusals.ts";
import type { Tables } from "./tables/tables.ts";

/**
 * First argument of every store function: the database itself or a transaction. Rows are plain objects; integers are
 * numbers.
 */
export interface Reader {
  readonly engine: Engine;
  /** Builder for queries whose shape depends on the request. */
  readonly sql: Kysely<Tables>;
  /** Runs a query that was built once; for everything that is asked often. */
  run<P extends object, R>(query: PreparedQuery<P, R>, params: P): Promise<R[]>;
  /** Reads one row by its key. On PostgreSQL, reads that arrive in the same turn become one statement. */
  point<R>(query: PointQuery<R>, key: string): Promise<R | undefined>;
}

/**
 * A write transaction. It holds the lock of its counter from its first
 * statement on, so whatever it reads stays true until it commits.
 */
export interface EngineTransaction extends Reader {
  /** Value of the counter in this transaction: the index of a `/v1` write, and a number that only grows. */
  index(): Promise<number>;
  /**
   * Adds a statement to the transaction. Statements run in the order given, when
   * the callback has returned; none may depend on what another returned.
   */
  write(query: Compilable): void;
  write<P extends object>(query: PreparedQuery<P, unknown>, params: P): void;
  /**
   * Names an object that this transaction makes, changes or deletes. Its table's index in its namespace becomes the
   * transaction's, and once the commit is confirmed the change feed tells it.
   *
   * @throws TypeError unless the transaction is one of the partition's counter
   */
  touch(change: TouchedObject): void;
  /** Says that tables' indexes of these names go with their scope: what this transaction touches raises none of them. */
  endIndexes(names: readonly string[]): void;
  /** The head of the counter's chain of audit records, as the transactions before have left it; undefined under a lease, which has none. */
  head(): Promise<ChainHead | undefined>;
  /** Makes this the head of the counter's chain; part of the transaction. */
  moveHead(head: ChainHead): void;
}

/** A transaction that puts on record what it changes; see `recorded.ts`. */
export interface Transaction extends EngineTransaction {
  /** Adds an audit record of an action on an object to this transaction. @throws TypeError under a lease */
  record(entry: AuditEntry): void;
  /** Counts objects that are added, or removed, when this transaction commits: see `object-counts.ts`. Default: one. */
  adds(counted: Counted, by?: number): void;
  /** Whether the database has a migration; see `migrations/applied.ts`. */
  hasMigration(migration: Pick<Migration, "name">): Promise<boolean>;
  /** States why its writes need no audit record, such as a note that is valid for a minute. */
  unrecorded(reason: string): void;
}

/** Audit entry: an action on one object that was done or refused. */
/** Type, name and selector of a binding rule. */
export type RuleContent = readonly [bindType: string, bindName: string, selector: string];

export interface AuditEntry {
  /** Location of the object: a partition and a namespace of it, or an organization. */
  partition?: string;
  namespace?: string;
  organizationId?: string;
  /** Such as `token`. */
  kind: string;
  objectId: string;
  /** Name of the object at the time of the action. */
  name: string;
  /**
   * Name of the object before or after this change, where it differs. The record does not contain it separately: the
   * difference does.
   */
  otherName?: string;
  /** Name of the auth method of a binding rule. The record does not contain it separately either. */
  within?: string;
  /** Content of a binding rule by which files find one without a description of its own, before and after this change; not in the record either. */
  says?: readonly RuleContent[];
  /** Such as `create`. */
  action: string;
  outcome?: "done" | "refused";
  /** Whether data was shown. Such an action is recorded though nothing else is written. */
  isOfRead?: boolean;
  /** Further details without any secret, stored as JSON. */
  detail?: Readonly<Record<string, unknown>>;
  /** Caller, where it is not the origin of the transaction. */
  origin?: WriteOrigin;
}

/** Caller and request that an action comes from. */
export interface WriteOrigin {
  accessorId: string;
  requestId: string;
  /** Further details, such as the address, in every record of the caller. */
  detail: Readonly<Record<string, unknown>>;
  /** Whether the transaction is only tried: it ends with `TrialOver` instead of a commit. */
  isTrial?: boolean;
}

/** Source of data for work that runs in the thread of long reads; see `apart.ts`. */
export interface ApartSource extends Reader {
  keyring: Pick<Keyring, "open" | "openAll">;
}

/**
 * A piece of work, of a list of them that the program and its reading threads share: `src/read-worker.ts`.
 *
 * @typeParam I plain data @typeParam O plain data; the buffers of it that are alone in theirs are handed over, not copied
 */
export interface ApartWork<I, O> {
  name: string;
  run(source: ApartSource, input: I): Promise<O>;
}

/** Numbers for `/metrics`; read when they are scraped. */
export interface StorageStats {
  /** Statements and transactions since the start, by kind. */
  operations: Record<"point" | "query" | "long" | "transaction" | "sync", number>;
  /** Number of waiting transactions now. */
  writeQueue: number;
  /** Connections in use and open, by pool. */
  pools: Record<string, { busy: number; size: number }>;
  feed: FeedStats;
  /** Whether the embedded database's file was found damaged, and whether it is being looked through now. */
  isDamaged: boolean;
  isChecking: boolean;
}

/** Interface of an engine. It hides all handling of races and durability. */
export interface EngineDatabase extends Reader {
  /** The same queries for reads that may touch more than 1,000 rows: they run off the event loop. */
  readonly long: Reader;
  /**
   * Has work of `src/read-worker.ts` done in a reading thread; undefined where there are none.
   *
   * @param dataKey gives the key of an ID, which the thread asks for when it meets what was sealed with it
   */
  readonly runInThread?: (
    name: string,
    input: unknown,
    dataKey: (id: string) => Promise<KeyObject>,
  ) => Promise<unknown>;
  /** Tells of every write in a partition, those of other nodes included, and of this node's own in organizations. */
  readonly feed: Feed;
  /** Milliseconds since the epoch by the clock that all servers of the database go by for what they store. */
  now(): number;
  /**
   * Runs `work` as the only writer of `counter` and commits what it handed to `tx.write`. When it handed over nothing,
   * or throws, everything is rolled back, the counter too (a partition's counter is kept and raised: a `/v1` write that
   * changes nothing still counts).
   *
   * `work` must not have side effects: it is run again after a deadlock, and when the database ended its transaction
   * because this process stood still.
   *
   * @throws AppError `not_found` when the counter's owner is gone, `already_exists` on a unique key, `unavailable` when
   * storage is away or the queue is full, `outcome_unknown` when the connection broke after COMMIT was sent.
   */
  inTransaction<T>(counter: Counter, work: (tx: EngineTransaction) => Promise<T>): Promise<T>;
  /**
   * Calls back when everything that this process has seen committed is durable;
   * at once, in the same turn, when it already is. No answer may leave before.
   */
  whenDurable(done: (error?: Error) => void): void;
  /** Answers when storage does; throws `unavailable` otherwise, also when it is known to take no writes. */
  ping(): Promise<void>;
  /** When a write last succeeded and none has failed since, by the monotonic clock in milliseconds. */
  lastWrite(): number;
  stats(): StorageStats;
  close(): Promise<void>;
}

/** A database as its engine opens it, and the copy that follows it, where there is one. */
export interface OpenedEngine {
  db: EngineDatabase;
  /** Gives what the engine proves by keys of its own: the messages of its nodes, or the mark of its log. */
  useKeys: (keyring: Pick<Keyring, "derive">) => Promise<void> | void;
  /** Acknowledged writes that are lost, and that the operator goes on without. */
  lostWrites: LostWrites | undefined;
  replica: { db: EngineDatabase; ageMilliseconds: Replica["ageMilliseconds"] } | undefined;
}

/** A copy of the database that follows it. */
export interface Replica {
  /** Its reads; writing to it throws. */
  readonly db: Database;
  /** How far what it shows may be behind, in milliseconds; undefined while that is not known. */
  ageMilliseconds(): number | undefined;
}

/** Storage as the rest of the program sees it. */
export interface Database extends Omit<EngineDatabase, "inTransaction"> {
  /** Clock by which work deletes, ends or notes for good what is over for its age. `now` may be wrong. */
  readonly forGood: ClockForGood;
  /**
   * As the engine's, with records of what is done.
   *
   * @param origin who has it done, asked for when there is something to record; undefined for the server itself
   */
  inTransaction<T>(counter: Counter, work: (tx: Transaction) => Promise<T>, origin?: () => WriteOrigin): Promise<T>;
  /** Whether this is a copy that is read only and may be behind. */
  readonly isReplica: boolean;
  /** A copy of a PostgreSQL database for reads that may be stale. */
  readonly replica: Replica | undefined;
  /** Resolves when storage can be used, writes included; throws otherwise. See `readiness.ts`. */
  ready(): Promise<void>;
  /** Damaged rows that were met since the start, each time that one was. */
  damagedRows(): DamageCounts;
  /** Seals and finds secrets. */
  readonly keyring: Keyring;
  /** Has work done where long reads are made. @throws what the work does */
  readonly apart: <I, O>(work: ApartWork<I, O>, input: I) => Promise<O>;
  /**
   * Index of the last write that changed a table in a namespace, deletes
   * included; at least 1. No promise where it is known: hot reads ask for several.
   */
  tableIndex(table: string, scope: TableScope): Promise<number> | number;
}

/**
 * Interface of the database for an operator's command that runs beside the servers: it reads, and writes as the only
 * writer of `root`, with audit records.
 */
export type OperatorDatabase = Pick<Database, "engine" | "sql" | "run" | "point" | "inTransaction" | "close">;

/** Interface of the engine for such a command. */
export type OperatorEngine = Pick<EngineDatabase, "engine" | "sql" | "run" | "point" | "inTransaction" | "close">;

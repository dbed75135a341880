import { setImmediate } from "node:timers/promises";
import { AppError, StorageAway } from "../../errors.ts";
import { type Counter, counterName, missingCounter } from "../writes/counters.ts";
import type { ChainHead } from "../proofs/audit-chain.ts";
import type { EngineTransaction, Reader } from "../database.ts";
import type { Commit } from "../feed/feed.ts";
import { collectTouches, type Touches } from "../feed/touches.ts";
import { checkValues, createCollector } from "../driver.ts";
import type { ServerReply, PostgresConnection, ServerSession, SentStatement } from "./connection.ts";
import { isRefusal, RetryTransaction, TransactionExpired } from "./faults.ts";
import { createReader } from "./reader.ts";
import { carryIndexes } from "./carried-indexes.ts";

/** One write: what is to be done, and who is told what came of it. */
export interface QueuedWrite {
  work(tx: EngineTransaction): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface PostgresWriter {
  connection: PostgresConnection;
  /**
   * Runs jobs of one counter one after the other in one transaction, as if each had one of its own. None is told anything,
   * not even that it was refused, before all is durable on which that rests.
   *
   * @param next gives another one to run after those before, while the counter is locked; undefined ends the transaction
   */
  transact(counter: Counter, first: QueuedWrite, next: () => QueuedWrite | undefined): Promise<void>;
}

/** How often a transaction is run again after a deadlock or a serialization failure. */
const RETRIES = 3;

/** Told what the transactions mean to the change feed. Must not throw: the write has happened. */
export interface CommitListener {
  /** In the turn in which the commit was confirmed. */
  onCommit(commit: Commit): void;
  /** The connection broke during a commit: it may have happened, or happen yet. */
  onUnknown(partition: string): void;
}

/** The transaction under way. */
interface Attempt {
  session: ServerSession;
  /** When something was asked in it last, by the monotonic clock. */
  asked: number;
  /** Why the first of its statements failed, which nothing of it survives. */
  failure: Error | undefined;
}

/** A job that has run. What it came to is settled by what becomes of the transaction. */
interface Ended {
  job: QueuedWrite;
  outcome: PromiseSettledResult<unknown>;
  /** Whether the job has writes to commit. */
  isWritten: boolean;
  /** Commit that the feed publishes. */
  commit: Commit | undefined;
}

/**
 * Write transactions on one connection, in two flights: BEGIN, the counter and the first callback's reads travel
 * together, then the writes and COMMIT. With several jobs, the writes of one travel with the reads of the next.
 */
export function createWriter(
  connection: PostgresConnection,
  count: (kind: "point" | "query") => void,
  listener: CommitListener,
): PostgresWriter {
  return new FlightWriter(connection, count, listener);
}

class FlightWriter implements PostgresWriter {
  readonly connection: PostgresConnection;
  readonly #listener: CommitListener;
  // There is one at a time.
  #current: Attempt = { session: {}, asked: 0, failure: undefined };
  readonly #reader: Reader;
  readonly #collect: ReturnType<typeof createCollector>;

  constructor(connection: PostgresConnection, count: (kind: "point" | "query") => void, listener: CommitListener) {
    this.connection = connection;
    this.#listener = listener;
    this.#reader = createReader((statement) => this.#send(statement), count, false);
    this.#collect = createCollector("postgres", this.#reader.sql);
  }

  #send(statement: SentStatement): Promise<ServerReply> {
    const own = this.#current;
    own.asked = performance.now();
    return this.connection.query(statement, own.session).catch((error: unknown) => {
      own.failure ??= error instanceof Error ? error : new Error(String(error));
      throw error;
    });
  }

  /** @param statements where those go that it writes with */
  async #runJob(
    job: QueuedWrite,
    touches: Touches,
    statements: SentStatement[],
    index: Promise<number>,
    chain: { head: Promise<ChainHead | undefined>; moved: ChainHead | undefined },
  ): Promise<Ended["outcome"]> {
    const write = this.#collect((text, values, id) => {
      // Checked here: a statement that could not be sent would be missing from a commit that succeeds.
      checkValues(values);
      statements.push(id === undefined ? { text, values } : { name: `q${id}`, text, values });
    });
    try {
      return {
        status: "fulfilled",
        value: await job.work({
          ...this.#reader,
          index: () => index,
          write,
          touch: touches.touch,
          endIndexes: touches.endIndexes,
          head: () => chain.head,
          moveHead: (head) => void (chain.moved = head),
        }),
      };
    } catch (reason) {
      return { status: "rejected", reason };
    }
  }

  /** Runs what `take` gives until that is nothing. @throws why nothing was committed, or `outcome_unknown` */
  async #attempt(counter: Counter, take: () => QueuedWrite | undefined, ended: Ended[]): Promise<void> {
    const own: Attempt = (this.#current = { session: this.connection.session() ?? {}, asked: 0, failure: undefined });
    // `root` comes before the counter's own row, so that no two wait for each other.
    const counters = counter.kind === "partition" && counter.afterRoot === true ? [ROOT, counter] : [counter];
    const begun = this.#send({ text: "begin isolation level read committed", values: [] });
    const raised = Promise.all(counters.map((each) => this.#send(raise(each))));
    const first = raised.then((answers) => readIndex(answers.at(-1), counter));
    let head = raised.then((answers) => headIn(answers.at(-1)));
    // Both are awaited below; until then an early failure must not count as unhandled.
    begun.catch(() => undefined);
    first.catch(() => undefined);
    head.catch(() => undefined);
    const sent: Promise<unknown>[] = [];
    const sendWrite = (statement: SentStatement) => void sent.push(this.#send(statement).catch(() => undefined));
    const indexes = carryIndexes(this.#collect((text, values, id) => sendWrite({ name: `q${id}`, text, values })));
    let index = first;
    let raises = 0;
    let moved: ChainHead | undefined;
    try {
      for (let job = take(); job !== undefined; job = take()) {
        const statements: SentStatement[] = [];
        const touches = collectTouches(counter);
        const chain = { head, moved: undefined as ChainHead | undefined };
        const outcome = await this.#runJob(job, touches, statements, index, chain);
        const isDone = outcome.status === "fulfilled" && (statements.length > 0 || counter.kind === "partition");
        const end: Ended = { job, outcome, isWritten: isDone, commit: undefined };
        ended.push(end);
        await begun;
        const value = await index;
        if (own.failure !== undefined) throw own.failure;
        if (!isDone) continue;
        if (performance.now() - own.asked > STILL_MS) await readWhatCame();
        end.commit = touches.commit(value);
        indexes.move(touches.indexNames());
        statements.forEach(sendWrite);
        indexes.carry(touches.indexNames(), value);
        raises += 1;
        if (chain.moved !== undefined) head = Promise.resolve((moved = chain.moved));
        index = Promise.resolve(counter.kind === "lease" ? value : value + 1);
      }
    } catch (error) {
      await this.#send(ROLLBACK).catch(() => undefined);
      throw error;
    }
    if (raises === 0) return void (await this.#send(ROLLBACK));
    indexes.flush();
    const last = (await index) - 1;
    if (moved !== undefined)
      sendWrite({ name: "move_head", text: MOVE_HEAD, values: [last, moved.seq, moved.hash, counterName(counter)] });
    // The counter was raised for the first job when the transaction began.
    else if (raises > 1) sendWrite({ name: "set_counter", text: SET_COUNTER, values: [last, counterName(counter)] });
    await this.#commit(own, sent);
  }

  async #commit(own: Attempt, sent: readonly Promise<unknown>[]): Promise<void> {
    if (this.connection.session() !== own.session) throw this.connection.reasonOfEnd(own.session);
    const unconfirmed = this.connection.unconfirmed();
    const committed = settled(this.connection.query({ text: "commit", values: [] }, own.session));
    await Promise.all(sent);
    const end = await committed;
    // After an error PostgreSQL answers COMMIT with the tag ROLLBACK: it is not one.
    if (end.status === "fulfilled" && end.value.command === "COMMIT" && own.failure === undefined) {
      if (this.connection.unconfirmed() === unconfirmed) return;
      throw new AppError("outcome_unknown", "No standby has confirmed the write; its outcome is unknown");
    }
    if (end.status === "fulfilled") throw own.failure ?? new Error("the transaction was rolled back");
    // It was answered before COMMIT could be run, which had nothing left to commit.
    if (own.failure !== undefined && isRefusal(own.failure)) throw own.failure;
    if (refused(end.reason)) throw end.reason;
    const text = "The connection broke during the commit; the outcome of the write is unknown";
    throw new AppError("outcome_unknown", text, { cause: end.reason });
  }

  async transact(counter: Counter, first: QueuedWrite, next: () => QueuedWrite | undefined): Promise<void> {
    for (let attempts = 0; ; attempts++) {
      const ended: Ended[] = [];
      // An attempt that is repeated runs each job alone.
      const take = () => (ended.length === 0 ? first : attempts === 0 ? next() : undefined);
      try {
        await this.#attempt(counter, take, ended);
        // All at once: caches drop what was derived before anybody is told.
        for (const end of ended) if (end.commit !== undefined) this.#listener.onCommit(end.commit);
        return ended.forEach(settle);
      } catch (error) {
        if (isUnknown(error)) {
          if (counter.kind === "partition") this.#listener.onUnknown(counter.name);
          return ended.forEach((end) => end.job.reject(end.isWritten ? error : new StorageAway(UNKNOWN_BEFORE)));
        }
        if (ended.length > 1 && !(error instanceof StorageAway)) {
          // One of them has met something that undid them all. By itself each meets what is its own.
          for (const { job } of ended) await this.transact(counter, job, () => undefined);
          return;
        }
        if (error instanceof RetryTransaction && attempts < RETRIES) continue;
        const reason =
          error instanceof RetryTransaction
            ? new StorageAway("Conflict with another write; retry", { cause: error })
            : error;
        return ended.forEach(({ job }) => job.reject(reason));
      }
    }
  }
}

/** A session that asked nothing for so long may have been ended by the database; well below the limit that it is given. */
const STILL_MS = 1000;

/** Two turns, so that there is a whole one in between: what a write to a closed connection would keep from being read. */
async function readWhatCame(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

const ROLLBACK: SentStatement = { text: "rollback", values: [] };
const UNKNOWN_BEFORE = "The outcome of an earlier write is unknown; retry";

function settle({ job, outcome }: Ended): void {
  if (outcome.status === "fulfilled") job.resolve(outcome.value);
  else job.reject(outcome.reason);
}

/** Whether the server answered COMMIT with an error that says that nothing was committed. */
function refused(reason: unknown): boolean {
  if (reason instanceof RetryTransaction || reason instanceof TransactionExpired) return true;
  return reason instanceof AppError && (reason.code === "already_exists" || reason.code === "not_found");
}

function isUnknown(error: unknown): boolean {
  return error instanceof AppError && error.code === "outcome_unknown";
}

async function settled<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [outcome] = await Promise.allSettled([promise]);
  return outcome;
}

function raise(counter: Counter): SentStatement {
  if (counter.kind === "lease") {
    return { name: "check_lease", text: CHECK_LEASE, values: [counter.name, counter.holder, counter.fence] };
  }
  const values = [counterName(counter)];
  return counter.kind === "refusals"
    ? { name: "make_counter", text: MAKE_COUNTER, values }
    : { name: "raise_counter", text: RAISE_COUNTER, values };
}

function readIndex(answer: ServerReply | undefined, counter: Counter): number {
  const row = answer?.rows[0] as { value: number } | undefined;
  if (row !== undefined) return row.value;
  throw missingCounter(counter);
}

function headIn(answer: ServerReply | undefined): ChainHead | undefined {
  const row = answer?.rows[0] as Partial<ChainHead> | undefined;
  return row?.seq === undefined || row.hash === undefined ? undefined : { seq: row.seq, hash: row.hash };
}

const ROOT: Counter = { kind: "root" };
const RAISED = "value, audit_seq as seq, audit_hash as hash";
const RAISE_COUNTER = `update counters set value = value + 1 where name = $1 returning ${RAISED}`;
/** The same where the row may not be there yet. */
const MAKE_COUNTER = `insert into counters (name, value) values ($1, 1)
  on conflict (name) do update set value = counters.value + 1 returning ${RAISED}`;
const MOVE_HEAD = "update counters set value = $1, audit_seq = $2, audit_hash = $3 where name = $4";
const SET_COUNTER = "update counters set value = $1 where name = $2";
const CHECK_LEASE =
  "update leases set fence = fence where name = $1 and holder = $2 and fence = $3 returning fence as value";

import { setTimeout as sleep } from "node:timers/promises";
import type { ChainHead } from "../proofs/audit-chain.ts";
import { type Counter, counterName, missingCounter } from "../writes/counters.ts";
import type { Reader, EngineTransaction } from "../database.ts";
import { createCollector } from "../driver.ts";
import { collectTouches } from "../feed/touches.ts";
import { takesRights } from "../writes/takes-rights.ts";
import type { AppError } from "../../errors.ts";
import { asAway, type BatchOptions, type CommitBatch, createBatch } from "./batch.ts";
import { bindable, type SqliteConnection } from "./connection.ts";
import { isBusy, isDiskFull, translateSqliteError } from "./faults.ts";
import type { TurnClock } from "../../turns.ts";

/** Caller of a transaction. */
export interface WaitingWrite<T> {
  resolve(result: T): void;
  reject(error: unknown): void;
}

export interface SqliteWriter {
  /**
   * Runs one transaction. The caller sees to it that there is one at a time. Resolves when the next one may come; whoever
   * asked for it is told when it has been committed.
   */
  transact<T>(counter: Counter, work: (tx: EngineTransaction) => Promise<T>, caller: WaitingWrite<T>): Promise<void>;
  /** Commits what has run; for who needs the connection and is no transaction. */
  end(): void;
}

export interface WriterOptions extends Partial<BatchOptions> {
  /** How many transactions wait for their turn; the next of them comes as soon as `transact` resolves. */
  waiting?: () => number;
  /** Whether what is committed now has to wait until an earlier commit is durable. */
  isSyncing?: () => boolean;
  /** Why none may begin now. */
  refusal?: () => AppError | undefined;
  /** How long a transaction waits to begin while another program holds the lock of the file, in milliseconds. */
  lockPatienceMs?: number;
}

/** A command, or a program such as Litestream, writes or copies the log meanwhile. Less than a write may wait in the queue. */
const LOCK_PATIENCE_MS = 4000;
/** How long the event loop has for others between two tries, each of which holds it for the time-out of the connection. */
const LOCK_REST_MS = 20;

/** A transaction that runs. */
interface Running {
  counter: Counter;
  index: number;
  /** Head of the chain of audit records of the counter. */
  head: ChainHead | undefined;
  statements: [sql: string, parameters: readonly unknown[]][];
  /** Number of statements that have run. */
  ran: number;
  /** Reason why it cannot continue. */
  failure: AppError | undefined;
}

/**
 * Write transactions on the one writer connection. Those that wait at a moment run one after the other and are committed
 * together: with one append to the log instead of many, in which most pages would be the same ones, and one sync. A
 * batch ends in the turn of the event loop in which its second member began: one that takes longer goes on alone.
 *
 * Statements handed to `tx.write` run when the callback has returned, in slices, so that a large transaction does not hold
 * the event loop; reads go on meanwhile on their own connection and see none of it.
 *
 * @param reader reads on the same connection, sliced by the same clock
 */
export function createWriter(
  connection: SqliteConnection,
  reader: Reader,
  clock: TurnClock,
  options: WriterOptions = {},
): SqliteWriter {
  return new BatchingWriter(connection, reader, clock, options);
}

class BatchingWriter implements SqliteWriter {
  readonly #connection: SqliteConnection;
  readonly #reader: Reader;
  readonly #clock: TurnClock;
  readonly #onFull: () => void;
  readonly #translate: (error: unknown) => unknown;
  readonly #waiting: () => number;
  readonly #isSyncing: () => boolean;
  readonly #refusal: () => AppError | undefined;
  readonly #lockPatienceMs: number;
  readonly #collect: ReturnType<typeof createCollector>;
  readonly #batch: CommitBatch;
  /** Whether a defined query takes rights, by its id. */
  readonly #taking: (boolean | undefined)[] = [];

  /**
   * One that takes longer than this turn must not keep those before it: they are committed, and it goes on behind them.
   * What it has read is still true, since nobody else has had a turn, and what it has written is written again.
   */
  readonly #part = (running: Running): void => {
    try {
      if (!this.#batch.takeBack(running.failure) || !this.#batch.end())
        throw new Error("what this was based on was not committed");
      this.#batch.enter();
      if (this.#raise(running.counter).value !== running.index)
        throw new Error("another program has written to the database");
      running.ran = 0;
    } catch (error) {
      running.failure = asAway(this.#translate(error));
    }
  };

  constructor(connection: SqliteConnection, reader: Reader, clock: TurnClock, options: WriterOptions) {
    this.#connection = connection;
    this.#reader = reader;
    this.#clock = clock;
    const { onCommit = () => undefined, onFull = () => undefined, translate = translateSqliteError } = options;
    this.#onFull = onFull;
    this.#translate = translate;
    this.#waiting = options.waiting ?? (() => 0);
    this.#isSyncing = options.isSyncing ?? (() => false);
    this.#refusal = options.refusal ?? (() => undefined);
    this.#lockPatienceMs = options.lockPatienceMs ?? LOCK_PATIENCE_MS;
    this.#collect = createCollector("sqlite", reader.sql);
    this.#batch = createBatch(connection.db, { ...options, onCommit, onFull, translate });
  }

  async transact<T>(
    counter: Counter,
    work: (tx: EngineTransaction) => Promise<T>,
    caller: WaitingWrite<T>,
  ): Promise<void> {
    if (this.#clock.isSpent()) {
      // Writes that waited for a long one must not all run in the turn in which it ends.
      this.#batch.end();
      await this.#clock.nextTurn();
    } else if (!this.#batch.isWaiting() && this.#isSyncing()) {
      // Its sync cannot begin before that one ends: until this turn is over it may as well wait for others.
      await this.#clock.nextTurn();
    }
    // Asked when its turn has come: the log may have failed while it waited.
    const refused = this.#refusal();
    if (refused === undefined) await this.#run(counter, work, caller);
    else caller.reject(refused);
    if (this.#waiting() === 0 || this.#clock.isSpent()) this.#batch.end();
  }

  end(): void {
    this.#batch.end();
  }

  #raise(counter: Counter): { value: number; seq?: number; hash?: string } {
    const row =
      counter.kind === "lease"
        ? this.#connection.prepare(CHECK_LEASE).get([counter.name, counter.holder, counter.fence])
        : this.#connection
            .prepare(counter.kind === "refusals" ? MAKE_COUNTER : RAISE_COUNTER)
            .get([counterName(counter)]);
    if (row !== undefined) return row as unknown as { value: number; seq?: number; hash?: string };
    throw missingCounter(counter);
  }

  /** Nothing has happened before the lock is had, so the request can wait for it; the event loop does not. */
  async #enterLater(busy: unknown): Promise<void> {
    for (const ends = performance.now() + this.#lockPatienceMs; performance.now() < ends;) {
      await sleep(LOCK_REST_MS);
      const refused = this.#refusal();
      if (refused !== undefined) throw refused;
      if (this.#tryEnter() === undefined) return;
    }
    throw busy;
  }

  /** @returns SQLite's error when another program holds the lock; nothing has begun then */
  #tryEnter(): unknown {
    try {
      this.#batch.enter();
      return undefined;
    } catch (error) {
      if (!isBusy(error)) throw error;
      return error;
    }
  }

  /** A defined query always has the same text. */
  #takesRights(sql: string, id: number | undefined): boolean {
    return id === undefined ? takesRights(sql) : (this.#taking[id] ??= takesRights(sql));
  }

  #begin(counter: Counter): Running {
    const { value: index, seq, hash } = this.#raise(counter);
    const head = seq === undefined || hash === undefined ? undefined : { seq, hash };
    return { counter, index, head, statements: [], ran: 0, failure: undefined };
  }

  /** Outside of a transaction each statement would be one of its own. */
  #checkCanGoOn(running: Running): void {
    if (running.failure !== undefined) throw running.failure;
    if (!this.#connection.db.isTransaction) throw asAway(new Error("SQLite has rolled the transaction back"));
  }

  async #runAll(running: Running): Promise<void> {
    this.#checkCanGoOn(running);
    const { statements } = running;
    while (running.ran < statements.length) {
      if (this.#clock.isSpent()) {
        await this.#clock.nextTurn();
        this.#checkCanGoOn(running);
      }
      const [sql, parameters] = statements[running.ran++] ?? ["", []];
      this.#connection.prepare(sql).run(bindable(parameters));
    }
  }

  async #run<T>(counter: Counter, work: (tx: EngineTransaction) => Promise<T>, caller: WaitingWrite<T>): Promise<void> {
    const lose = caller.reject;
    let parting: NodeJS.Immediate | undefined;
    let running: Running | undefined;
    try {
      const busy = this.#tryEnter();
      if (busy !== undefined) await this.#enterLater(busy);
      running = this.#begin(counter);
      const { index, statements, head } = running;
      if (this.#batch.isWaiting()) parting = setImmediate(this.#part, running);
      const touches = collectTouches(counter);
      let takes = false;
      const write = this.#collect((sql, values, id) => {
        statements.push([sql, values]);
        takes ||= this.#takesRights(sql, id);
      });
      const moveHead = ({ seq, hash }: ChainHead) =>
        void statements.push([MOVE_HEAD, [seq, hash, counterName(counter)]]);
      const result = await work({
        ...this.#reader,
        index: () => Promise.resolve(index),
        write,
        touch: touches.touch,
        endIndexes: touches.endIndexes,
        head: () => Promise.resolve(head),
        moveHead,
      });
      touches.writeIndexes(write, index);
      const tell = () => caller.resolve(result);
      if (statements.length > 0 || counter.kind === "partition") {
        await this.#runAll(running);
        this.#batch.keep({ commit: touches.commit(index), wrote: true, takesRights: takes, tell, lose });
      } else {
        this.#checkCanGoOn(running);
        if (!this.#batch.takeBack()) throw asAway(new Error("what this was based on was not committed"));
        this.#batch.answer({ tell, lose });
      }
    } catch (error) {
      if (isDiskFull(error)) this.#onFull();
      const told = this.#translate(error);
      // A refusal may rest on what those before it had written, which was never committed then.
      const stands = this.#batch.takeBack(error) && running?.failure === undefined;
      const reason = stands ? told : asAway(told);
      this.#batch.answer({ tell: () => caller.reject(reason), lose });
    } finally {
      clearImmediate(parting);
    }
  }
}

const RAISED = "value, audit_seq as seq, audit_hash as hash";
const RAISE_COUNTER = `update counters set value = value + 1 where name = ? returning ${RAISED}`;
/** The same where the row may not be there yet. */
const MAKE_COUNTER = `insert into counters (name, value) values (?, 1)
  on conflict (name) do update set value = counters.value + 1 returning ${RAISED}`;
const MOVE_HEAD = "update counters set audit_seq = ?, audit_hash = ? where name = ?";
const CHECK_LEASE =
  "update leases set fence = fence where name = ? and holder = ? and fence = ? returning fence as value";

import type { ChainHead } from "../proofs/audit-chain.ts";
import { type Counter, counterName, missingCounter } from "../writes/counters.ts";
import type { Reader, EngineTransaction } from "../database.ts";
import { createCollector } from "../driver.ts";
import { collectTouches } from "../feed/touches.ts";
import { takesRights } from "../writes/takes-rights.ts";
import type { AppError } from "../../errors.ts";
import { asAway, type BatchOptions, createBatch } from "./batch.ts";
import { bindable, type SqliteConnection } from "./connection.ts";
import { isDiskFull, translateSqliteError } from "./faults.ts";
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
}

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
  const { db } = connection;
  const { onCommit = () => undefined, onFull = () => undefined, translate = translateSqliteError } = options;
  const { waiting = () => 0, isSyncing = () => false, refusal = () => undefined } = options;
  const collect = createCollector("sqlite", reader.sql);
  const batch = createBatch(db, { ...options, onCommit, onFull, translate });

  function raise(counter: Counter): { value: number; seq?: number; hash?: string } {
    const row =
      counter.kind === "lease"
        ? connection.prepare(CHECK_LEASE).get([counter.name, counter.holder, counter.fence])
        : connection.prepare(counter.kind === "refusals" ? MAKE_COUNTER : RAISE_COUNTER).get([counterName(counter)]);
    if (row !== undefined) return row as unknown as { value: number; seq?: number; hash?: string };
    throw missingCounter(counter);
  }

  function begin(counter: Counter): Running {
    batch.enter();
    const { value: index, seq, hash } = raise(counter);
    const head = seq === undefined || hash === undefined ? undefined : { seq, hash };
    return { counter, index, head, statements: [], ran: 0, failure: undefined };
  }

  /**
   * One that takes longer than this turn must not keep those before it: they are committed, and it goes on behind them.
   * What it has read is still true, since nobody else has had a turn, and what it has written is written again.
   */
  function part(running: Running): void {
    try {
      if (!batch.takeBack(running.failure) || !batch.end()) throw new Error("what this was based on was not committed");
      batch.enter();
      if (raise(running.counter).value !== running.index)
        throw new Error("another program has written to the database");
      running.ran = 0;
    } catch (error) {
      running.failure = asAway(translate(error));
    }
  }

  /** Outside of a transaction each statement would be one of its own. */
  function checkCanGoOn(running: Running): void {
    if (running.failure !== undefined) throw running.failure;
    if (!db.isTransaction) throw asAway(new Error("SQLite has rolled the transaction back"));
  }

  async function runAll(running: Running): Promise<void> {
    checkCanGoOn(running);
    const { statements } = running;
    while (running.ran < statements.length) {
      if (clock.isSpent()) {
        await clock.nextTurn();
        checkCanGoOn(running);
      }
      const [sql, parameters] = statements[running.ran++] ?? ["", []];
      connection.prepare(sql).run(bindable(parameters));
    }
  }

  async function run<T>(
    counter: Counter,
    work: (tx: EngineTransaction) => Promise<T>,
    caller: WaitingWrite<T>,
  ): Promise<void> {
    const lose = caller.reject;
    let parting: NodeJS.Immediate | undefined;
    let running: Running | undefined;
    try {
      running = begin(counter);
      const { index, statements, head } = running;
      if (batch.isWaiting()) parting = setImmediate(part, running);
      const touches = collectTouches(counter);
      const write = collect((sql, values) => void statements.push([sql, values]));
      const moveHead = ({ seq, hash }: ChainHead) =>
        void statements.push([MOVE_HEAD, [seq, hash, counterName(counter)]]);
      const result = await work({
        ...reader,
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
        await runAll(running);
        const takes = statements.some(([sql]) => takesRights(sql));
        batch.keep({ commit: touches.commit(index), wrote: true, takesRights: takes, tell, lose });
      } else {
        checkCanGoOn(running);
        if (!batch.takeBack()) throw asAway(new Error("what this was based on was not committed"));
        batch.answer({ tell, lose });
      }
    } catch (error) {
      if (isDiskFull(error)) onFull();
      const told = translate(error);
      // A refusal may rest on what those before it had written, which was never committed then.
      const stands = batch.takeBack(error) && running?.failure === undefined;
      const reason = stands ? told : asAway(told);
      batch.answer({ tell: () => caller.reject(reason), lose });
    } finally {
      clearImmediate(parting);
    }
  }

  return {
    async transact(counter, work, caller) {
      if (clock.isSpent()) {
        // Writes that waited for a long one must not all run in the turn in which it ends.
        batch.end();
        await clock.nextTurn();
      } else if (!batch.isWaiting() && isSyncing()) {
        // Its sync cannot begin before that one ends: until this turn is over it may as well wait for others.
        await clock.nextTurn();
      }
      // Asked when its turn has come: the log may have failed while it waited.
      const refused = refusal();
      if (refused === undefined) await run(counter, work, caller);
      else caller.reject(refused);
      if (waiting() === 0 || clock.isSpent()) batch.end();
    },
    end: () => void batch.end(),
  };
}

const RAISED = "value, audit_seq as seq, audit_hash as hash";
const RAISE_COUNTER = `update counters set value = value + 1 where name = ? returning ${RAISED}`;
/** The same where the row may not be there yet. */
const MAKE_COUNTER = `insert into counters (name, value) values (?, 1)
  on conflict (name) do update set value = counters.value + 1 returning ${RAISED}`;
const MOVE_HEAD = "update counters set audit_seq = ?, audit_hash = ? where name = ?";
const CHECK_LEASE =
  "update leases set fence = fence where name = ? and holder = ? and fence = ? returning fence as value";

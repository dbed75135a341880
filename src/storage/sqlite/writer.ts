import { type Counter, counterName, missingCounter } from "../counters.ts";
import type { Reader, Transaction } from "../database.ts";
import { createCollector } from "../driver.ts";
import type { Commit } from "../feed.ts";
import { collectTouches } from "../feed-touches.ts";
import { bindable, type SqliteConnection } from "./connection.ts";
import { isDiskFull, translateSqliteError } from "./faults.ts";
import type { TurnClock } from "../../turns.ts";

export interface Writer {
  /** Runs one transaction. The caller sees to it that there is one at a time. */
  transact<T>(counter: Counter, work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/**
 * Write transactions on the one writer connection. Statements handed to
 * `tx.write` run when the callback has returned, in slices, so that a large
 * transaction does not hold the event loop; reads go on meanwhile on their own
 * connection and see none of it.
 *
 * @param reader reads on the same connection, sliced by the same clock
 * @param onCommit told of each commit, with what it means to the change feed; must not throw, since the write has happened
 * @param onFull told when the disk was found full
 * @param translate makes of SQLite's errors what the caller is told
 */
export function createWriter(
  connection: SqliteConnection,
  reader: Reader,
  clock: TurnClock,
  onCommit: (commit: Commit | undefined) => void,
  onFull: () => void,
  translate: (error: unknown) => unknown = translateSqliteError,
): Writer {
  const { db } = connection;
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const rollback = db.prepare("rollback");
  const collect = createCollector("sqlite", reader.sql);

  function raise(counter: Counter): number {
    const row =
      counter.kind === "lease"
        ? connection.prepare(CHECK_LEASE).get([counter.name, counter.holder, counter.fence])
        : connection.prepare(RAISE_COUNTER).get([counterName(counter)]);
    if (row !== undefined) return (row as { value: number }).value;
    throw missingCounter(counter);
  }

  async function runAll(statements: [sql: string, parameters: readonly unknown[]][]): Promise<void> {
    for (const [sql, parameters] of statements) {
      if (clock.isSpent()) await clock.nextTurn();
      connection.prepare(sql).run(bindable(parameters));
    }
  }

  /** What cannot be rolled back now must not hide the error that led here: the next transaction does it first. */
  function abandon(): void {
    try {
      if (db.isTransaction) rollback.all();
    } catch {
      // See above.
    }
  }

  return {
    async transact<T>(counter: Counter, work: (tx: Transaction) => Promise<T>): Promise<T> {
      const statements: [string, readonly unknown[]][] = [];
      const touches = collectTouches(counter);
      let result: T;
      let index: number;
      // Writes that waited for a long one must not all run in the turn in which it ends.
      if (clock.isSpent()) await clock.nextTurn();
      try {
        if (db.isTransaction) rollback.all();
        begin.all();
        const raised = raise(counter);
        index = raised;
        const write = collect((sql, values) => void statements.push([sql, values]));
        result = await work({ ...reader, index: () => Promise.resolve(raised), write, touch: touches.touch });
        touches.writeIndexes(write, index);
        if (statements.length === 0 && counter.kind !== "partition") {
          rollback.all();
          return result;
        }
        await runAll(statements);
        commit.all();
      } catch (error) {
        abandon();
        if (isDiskFull(error)) onFull();
        throw translate(error);
      }
      onCommit(touches.commit(index));
      return result;
    },
  };
}

const RAISE_COUNTER = "update counters set value = value + 1 where name = ? returning value";
const CHECK_LEASE =
  "update leases set fence = fence where name = ? and holder = ? and fence = ? returning fence as value";

import { setImmediate } from "node:timers/promises";
import type { Compilable } from "kysely";
import { AppError } from "../../errors.ts";
import { type Counter, counterName } from "../counters.ts";
import type { Reader, Transaction } from "../database.ts";
import { buildQuery, type BuiltQuery, type Query } from "../query.ts";
import { bindable, isDiskFull, translateSqliteError, type SqliteConnection } from "./connection.ts";

/** Longest time that the statements of one transaction hold the event loop, in milliseconds. */
const SLICE_MS = 4;

export interface Writer {
  /** Runs one transaction. The caller sees to it that there is one at a time. */
  transact<T>(counter: Counter, work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/**
 * Write transactions on the one writer connection. Statements handed to
 * `tx.write` run when the callback has returned, in slices, so that a large
 * transaction does not hold the event loop; reads go on meanwhile on their own
 * connection and see none of it.
 */
export function createWriter(
  connection: SqliteConnection,
  reader: Reader,
  onCommit: () => void,
  onFull: () => void,
): Writer {
  const { db } = connection;
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const rollback = db.prepare("rollback");
  const built: (BuiltQuery | undefined)[] = [];

  function raise(counter: Counter): number {
    const row =
      counter.kind === "lease"
        ? connection.prepare(CHECK_LEASE).get([counter.name, counter.holder, counter.fence])
        : connection.prepare(RAISE_COUNTER).get([counterName(counter)]);
    if (row !== undefined) return (row as { value: number }).value;
    if (counter.kind === "lease") throw new AppError("conflict", "The lease has changed hands");
    throw new AppError("not_found", "Organization not found, or you are not authorized to perform this action");
  }

  async function runAll(statements: [sql: string, parameters: readonly unknown[]][]): Promise<void> {
    let sliceEnds = performance.now() + SLICE_MS;
    for (const [sql, parameters] of statements) {
      if (performance.now() > sliceEnds) {
        await setImmediate();
        sliceEnds = performance.now() + SLICE_MS;
      }
      connection.prepare(sql).run(bindable(parameters));
    }
  }

  return {
    async transact<T>(counter: Counter, work: (tx: Transaction) => Promise<T>): Promise<T> {
      const statements: [string, readonly unknown[]][] = [];
      try {
        begin.run();
        const index = raise(counter);
        const result = await work({
          ...reader,
          index: () => Promise.resolve(index),
          write<P extends object>(query: Compilable | Query<P, unknown>, params?: P) {
            if (!("build" in query)) {
              const compiled = query.compile();
              statements.push([compiled.sql, compiled.parameters]);
              return;
            }
            const text = (built[query.id] ??= buildQuery(query, reader.sql, "sqlite"));
            statements.push([text.sql, text.bind(params ?? {})]);
          },
        });
        if (statements.length === 0 && counter.kind !== "partition") {
          rollback.run();
          return result;
        }
        await runAll(statements);
        commit.run();
        onCommit();
        return result;
      } catch (error) {
        if (db.isTransaction) rollback.run();
        if (isDiskFull(error)) onFull();
        throw translateSqliteError(error);
      }
    },
  };
}

const RAISE_COUNTER = "update counters set value = value + 1 where name = ? returning value";
const CHECK_LEASE =
  "update leases set fence = fence where name = ? and holder = ? and fence = ? returning fence as value";

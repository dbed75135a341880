import { AppError, StorageAway } from "../../errors.ts";
import { type Counter, counterName, missingCounter } from "../counters.ts";
import type { Transaction } from "../database.ts";
import type { Commit } from "../feed.ts";
import { collectTouches } from "../feed-touches.ts";
import { checkValues, createCollector } from "../driver.ts";
import { RetryTransaction, type Answer, type PostgresConnection, type Session, type Statement } from "./connection.ts";
import { createReader } from "./reader.ts";

export interface Writer {
  connection: PostgresConnection;
  transact<T>(counter: Counter, work: (tx: Transaction) => Promise<T>): Promise<T>;
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

/**
 * Write transactions on one connection, in two flights: BEGIN, the counter and
 * the callback's reads travel together, then its writes and COMMIT.
 */
export function createWriter(
  connection: PostgresConnection,
  count: (kind: "point" | "query") => void,
  listener: CommitListener,
): Writer {
  // The session of the transaction under way; there is one at a time.
  let session: Session = {};
  const send = (statement: Statement) => connection.query(statement, session);
  const reader = createReader(send, count, false);
  const collect = createCollector("postgres", reader.sql);

  async function attempt<T>(counter: Counter, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const statements: Statement[] = [];
    const write = collect((text, values, id) => {
      // Checked here: a statement that could not be sent would be missing from a commit that succeeds.
      checkValues(values);
      statements.push(id === undefined ? { text, values } : { name: `q${id}`, text, values });
    });
    const touches = collectTouches(counter);
    session = connection.session() ?? {};
    // `root` comes before the counter's own row, so that no two wait for each other.
    const counters = counter.kind === "partition" && counter.afterRoot === true ? [ROOT, counter] : [counter];
    const [begun, raised] = connection.together(() => [
      send({ text: "begin isolation level read committed", values: [] }),
      Promise.all(counters.map((each) => send(raise(each)))),
    ]);
    const index = raised.then((answers) => readIndex(answers.at(-1), counter));
    // Both are awaited below; until then an early failure must not count as unhandled.
    begun.catch(() => undefined);
    index.catch(() => undefined);
    let result: T;
    let value: number;
    try {
      result = await work({ ...reader, index: () => index, write, touch: touches.touch });
      await begun;
      value = await index;
      touches.writeIndexes(write, value);
    } catch (error) {
      await send({ text: "rollback", values: [] }).catch(() => undefined);
      // When the counter failed, what the callback met is only its consequence.
      await begun;
      await index;
      throw error;
    }
    if (statements.length === 0 && counter.kind !== "partition") {
      await send({ text: "rollback", values: [] });
      return result;
    }
    await commit(statements);
    const committed = touches.commit(value);
    if (committed !== undefined) listener.onCommit(committed);
    return result;
  }

  async function commit(statements: Statement[]): Promise<void> {
    if (connection.session() !== session) throw new StorageAway("The connection broke before the commit");
    const unconfirmed = connection.unconfirmed();
    const [writes, committed] = connection.together(() => [statements.map(send), send({ text: "commit", values: [] })]);
    const [outcomes, end] = await Promise.all([Promise.allSettled(writes), settled(committed)]);
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    // After an error PostgreSQL answers COMMIT with the tag ROLLBACK: it is not one.
    if (end.status === "fulfilled" && end.value.command === "COMMIT" && failed === undefined) {
      if (connection.unconfirmed() === unconfirmed) return;
      throw new AppError("outcome_unknown", "No standby has confirmed the write; its outcome is unknown");
    }
    if (end.status === "fulfilled") throw failed?.reason ?? new Error("the transaction was rolled back");
    if (refused(end.reason)) throw end.reason;
    throw new AppError(
      "outcome_unknown",
      "The connection broke during the commit; the outcome of the write is unknown",
      {
        cause: end.reason,
      },
    );
  }

  return {
    connection,
    async transact(counter, work) {
      for (let attempts = 0; ; attempts++) {
        try {
          return await attempt(counter, work);
        } catch (error) {
          if (isUnknown(error) && counter.kind === "partition") listener.onUnknown(counter.name);
          if (!(error instanceof RetryTransaction)) throw error;
          if (attempts < RETRIES) continue;
          throw new StorageAway("Another write was in the way, try again", { cause: error });
        }
      }
    },
  };
}

/** Whether the server answered COMMIT with an error that says that nothing was committed. */
function refused(reason: unknown): boolean {
  if (reason instanceof RetryTransaction) return true;
  return reason instanceof AppError && (reason.code === "already_exists" || reason.code === "not_found");
}

function isUnknown(error: unknown): boolean {
  return error instanceof AppError && error.code === "outcome_unknown";
}

async function settled<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [outcome] = await Promise.allSettled([promise]);
  return outcome;
}

function raise(counter: Counter): Statement {
  return counter.kind === "lease"
    ? { name: "check_lease", text: CHECK_LEASE, values: [counter.name, counter.holder, counter.fence] }
    : { name: "raise_counter", text: RAISE_COUNTER, values: [counterName(counter)] };
}

function readIndex(answer: Answer | undefined, counter: Counter): number {
  const row = answer?.rows[0] as { value: number } | undefined;
  if (row !== undefined) return row.value;
  throw missingCounter(counter);
}

const ROOT: Counter = { kind: "root" };
const RAISE_COUNTER = "update counters set value = value + 1 where name = $1 returning value";
const CHECK_LEASE =
  "update leases set fence = fence where name = $1 and holder = $2 and fence = $3 returning fence as value";

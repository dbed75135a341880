/** A second connection to the embedded database, of another process than the server that may have it open. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ChainHead } from "../proofs/audit-chain.ts";
import { counterName, missingCounter, type Counter } from "../writes/counters.ts";
import type { EngineTransaction, OperatorEngine } from "../database.ts";
import { createCollector } from "../driver.ts";
import { refuseOtherSchema } from "../migrations/migrate.ts";
import { StartError } from "../start-error.ts";
import { bindable, openConnection, stopWaiting, type SqliteConnection } from "./connection.ts";
import { isBusy, translateSqliteError } from "./faults.ts";
import { findDatabaseFile, openFailure, refuseOldSqlite, syncAll } from "./instance.ts";
import { closeAsFound, leavingNoLog, refuseLostLog } from "./mark/keeping.ts";
import { createReader } from "./reader.ts";

/** How long it waits for its turn. The server's transactions are short, so that there is one among so many tries. */
const TRIES = 5000;

/**
 * Opens it without the lock that a server holds: SQLite itself sees to it that there is one writer. The server's writes wait
 * meanwhile, for 4 s at most, so what is written here must be short: all that takes time is done before, and the log is synced when
 * the lock is given back.
 *
 * @throws StartError
 */
export async function openSqliteForOperator(path: string): Promise<OperatorEngine> {
  refuseOldSqlite();
  if (!findDatabaseFile(path)) throw new StartError(`database ${path} not found. Check --database and --data-dir`);
  refuseLostLog(path);
  const connection = open(path);
  const reader = createReader(
    connection,
    () => undefined,
    () => undefined,
  );
  const collect = createCollector("sqlite", reader.sql);

  async function attempt<T>(counter: Counter, work: (tx: EngineTransaction) => Promise<T>): Promise<T> {
    const statements: [sql: string, values: readonly unknown[]][] = [];
    try {
      // Raised, so that a transaction of the server that was parted finds that somebody else has written.
      const row = connection.prepare(RAISE).get([counterName(counter)]) as (ChainHead & { value: number }) | undefined;
      if (row === undefined) throw missingCounter(counter);
      const write = collect((sql, values) => void statements.push([sql, values]));
      const touch = () => undefined;
      const endIndexes = () => undefined;
      const index = () => Promise.resolve(row.value);
      const head = () => Promise.resolve({ seq: row.seq, hash: row.hash });
      const moveHead = ({ seq, hash }: ChainHead) =>
        void statements.push([MOVE_HEAD, [seq, hash, counterName(counter)]]);
      const result = await work({ ...reader, index, head, moveHead, write, touch, endIndexes });
      for (const [sql, values] of statements) connection.prepare(sql).run(bindable(values));
      connection.db.exec(statements.length === 0 ? "rollback" : "commit");
      return result;
    } catch (error) {
      if (connection.db.isTransaction) connection.db.exec("rollback");
      throw translateSqliteError(error);
    }
  }

  return {
    ...reader,
    inTransaction: (counter, work) =>
      leavingNoLog(connection.db, path, async () => {
        await beginWriting(connection, path);
        const result = await attempt(counter, work);
        syncAll(path);
        return result;
      }),
    close() {
      closeAsFound(connection, path);
      return Promise.resolve();
    },
  };
}

const RAISE =
  "update counters set value = value + 1 where name = ? returning value, audit_seq as seq, audit_hash as hash";
const MOVE_HEAD = "update counters set audit_seq = ?, audit_hash = ? where name = ?";

function open(path: string): SqliteConnection {
  let connection: SqliteConnection | undefined;
  try {
    connection = openConnection(path, "write");
    const applied = connection.db.prepare("select name, phase from schema_migrations order by name").all();
    refuseOtherSchema(applied.map((row) => String(row["name"])));
    stopWaiting(connection);
    return connection;
  } catch (error) {
    if (connection !== undefined) closeAsFound(connection, path);
    throw openFailure(path, error);
  }
}

/** Begins a transaction that writes, beside a server that may. @throws StartError when its turn does not come */
export async function beginWriting({ db }: SqliteConnection, path: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      db.exec("begin immediate");
      return;
    } catch (error) {
      if (!isBusy(error)) throw translateSqliteError(error);
      if (tries === TRIES) throw new StartError(`${path} changes too often; retry`, { cause: error });
      await sleep(1);
    }
  }
}

import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { AppError, StorageAway } from "../../errors.ts";
import { checkValues } from "../values.ts";
import { prepareStatement, type Statement } from "./statement.ts";

/** One connection with its prepared statements. Synchronous: meant for reads and writes of bounded size. */
export interface SqliteConnection {
  readonly db: DatabaseSync;
  /** Runs a statement and returns its rows (none for most writes). Statements are prepared once per text. */
  all(sql: string, parameters: readonly unknown[]): unknown[];
  /** The statement itself, for callers that keep it. */
  prepare(sql: string): Statement;
  close(): void;
}

/** Statements kept per connection; queries that are defined once number fewer. */
const KEPT_STATEMENTS = 512;

const COMMON_PRAGMAS = [
  "pragma busy_timeout = 5000",
  "pragma foreign_keys = on",
  "pragma temp_store = memory",
  "pragma cache_size = -8000",
];

/**
 * Opens a connection to a database in WAL mode.
 *
 * @param mode `write` for the one writer; its commits only append to the WAL
 * (the sync is the WAL worker's, checkpoints the checkpoint worker's)
 */
export function openConnection(path: string, mode: "read" | "write"): SqliteConnection {
  const db = new DatabaseSync(path, { readOnly: mode === "read" });
  for (const pragma of COMMON_PRAGMAS) db.exec(pragma);
  if (mode === "write") {
    db.exec("pragma journal_mode = wal");
    db.exec("pragma synchronous = normal");
    db.exec("pragma wal_autocheckpoint = 0");
  }
  const statements = new Map<string, Statement>();

  function prepare(sql: string): Statement {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = prepareStatement(db, sql);
      if (statements.size >= KEPT_STATEMENTS) {
        const oldest = statements.keys().next().value;
        if (oldest !== undefined) statements.delete(oldest);
      }
      statements.set(sql, statement);
    }
    return statement;
  }

  return {
    db,
    prepare,
    all: (sql, parameters) => prepare(sql).all(bindable(parameters)),
    close() {
      statements.clear();
      db.close();
    },
  };
}

/**
 * From now on a statement that meets the lock of another program fails almost
 * at once. For connections of the main thread: a wait there stops every request.
 */
export function stopWaiting(connection: SqliteConnection): void {
  connection.db.exec("pragma busy_timeout = 5");
}

/** Checks parameters and turns lists into JSON text (see `oneOf`). */
export function bindable(parameters: readonly unknown[]): SQLInputValue[] {
  checkValues(parameters);
  return parameters.map((value) =>
    typeof value === "string" || typeof value === "number" || value === null ? value : JSON.stringify(value),
  );
}

const FULL = 13;
const BUSY = 5;
const IO_ERROR = 10;
const CONSTRAINT_UNIQUE = [2067, 1555];
const CONSTRAINT_FOREIGN_KEY = 787;

/** Whether SQLite found no room on the disk. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === FULL;
}

/** Turns an error of SQLite into one of ours, by its number; anything else stays as it is. */
export function translateSqliteError(error: unknown): unknown {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return error;
  const { errcode } = error;
  if (CONSTRAINT_UNIQUE.includes(errcode)) {
    return new AppError("already_exists", "Name has already been taken", { cause: error });
  }
  if (errcode === CONSTRAINT_FOREIGN_KEY) return new AppError("not_found", "A linked object is gone", { cause: error });
  if (isDiskFull(error)) return new StorageAway("The disk is full, try again later", { cause: error });
  if ((errcode & 0xff) === BUSY || (errcode & 0xff) === IO_ERROR) {
    return new StorageAway("Storage does not answer, try again later", { cause: error });
  }
  return error;
}

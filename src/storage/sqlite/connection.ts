import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { LRUCache } from "lru-cache";
import { checkValues } from "../values.ts";
import { defineRanges } from "./ranges.ts";
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
/** Longer ones are made for one caller: they name, one by one, what that may see. */
const KEPT_LENGTH = 16 * 1024;

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
  defineRanges(db);
  if (mode === "write") {
    db.exec("pragma journal_mode = wal");
    db.exec("pragma synchronous = normal");
    db.exec("pragma wal_autocheckpoint = 0");
  }
  const statements = new LRUCache<string, Statement>({ max: KEPT_STATEMENTS });

  function prepare(sql: string): Statement {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = prepareStatement(db, sql);
      if (sql.length <= KEPT_LENGTH) statements.set(sql, statement);
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

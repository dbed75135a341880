import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { LRUCache } from "lru-cache";
import { generateFunction } from "../../generated-function.ts";
import { checkValues } from "../driver.ts";
import { IN_RANGES, KEEP_RANGES } from "../reads/conditions.ts";

/** One connection with its prepared statements. Synchronous: meant for reads and writes of bounded size. */
export interface SqliteConnection {
  readonly db: DatabaseSync;
  /** Runs a statement and returns its rows (none for most writes). Statements are prepared once per text. */
  all(sql: string, parameters: readonly unknown[]): unknown[];
  /** The statement itself, for callers that keep it. */
  prepare(sql: string): PreparedStatement;
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
  const statements = new LRUCache<string, PreparedStatement>({ max: KEPT_STATEMENTS });

  function prepare(sql: string): PreparedStatement {
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
  // Nearly always: only lists have to be made into something else.
  if (!parameters.some(isList)) return parameters as SQLInputValue[];
  return parameters.map((value) =>
    typeof value === "string" || typeof value === "number" || value === null ? value : JSON.stringify(value),
  );
}

function isList(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** A prepared statement. */
export interface PreparedStatement {
  /** Its rows, as plain objects. */
  all(parameters: readonly SQLInputValue[]): object[];
  /** Its first row. */
  get(parameters: readonly SQLInputValue[]): object | undefined;
  /** Its rows as they are, and the function that makes an object of one: for rows that travel between threads. */
  columns: readonly string[];
  allArrays(parameters: readonly SQLInputValue[]): unknown[][];
  /** Runs it for its effect. */
  run(parameters: readonly SQLInputValue[]): void;
}

/**
 * Prepares a statement. Rows are read as arrays and made into objects here: the ones that `node:sqlite` makes are
 * dictionaries without a shape, which are slow for everything that touches them afterwards.
 */
export function prepareStatement(db: DatabaseSync, sql: string): PreparedStatement {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  const columns = statement.columns().map((column) => column.name);
  const toObject = objectMaker(columns);
  const allArrays = (parameters: readonly SQLInputValue[]) => statement.all(...parameters) as unknown as unknown[][];
  return {
    columns,
    allArrays,
    all: (parameters) => allArrays(parameters).map(toObject),
    get(parameters) {
      const row = statement.get(...parameters) as unknown as unknown[] | undefined;
      return row === undefined ? undefined : toObject(row);
    },
    // Not by its own `run`, which reads the last row number: the full-text index uses some that no number holds exactly.
    run: (parameters) => void statement.all(...parameters),
  };
}

type ToObject = (row: readonly unknown[]) => object;

const makers = new Map<string, ToObject>();

/**
 * A function that makes an object of a row. It is generated, so that all objects
 * of a query share one shape; the names are those of our own queries, quoted.
 */
export function objectMaker(columns: readonly string[]): ToObject {
  const members = columns.map((name, index) => `${JSON.stringify(name)}: row[${index}]`).join(", ");
  let maker = makers.get(members);
  if (maker === undefined) {
    maker = generateFunction<ToObject>(["row"], `return { ${members} };`);
    makers.set(members, maker);
  }
  return maker;
}

interface Ranges {
  /** Bounds of half-open ranges, sorted and apart; at the same places. */
  from: readonly string[];
  to: readonly string[];
}

/** A statement has two lists of ranges at most, and a connection runs one statement at a time. */
const KEPT = 8;

/**
 * Gives a connection the functions by which `visible` asks for ranges: one takes the bounds as two JSON arrays and returns
 * the place where it keeps them, the other says whether a name is in one of those. Names are ASCII, so that their order
 * here is SQLite's.
 */
function defineRanges(db: DatabaseSync): void {
  const kept: Ranges[] = [];
  let next = 0;
  db.function(KEEP_RANGES, { directOnly: true }, (from, to) => {
    const place = next++ % KEPT;
    kept[place] = { from: JSON.parse(String(from)) as string[], to: JSON.parse(String(to)) as string[] };
    return place;
  });
  db.function(IN_RANGES, { directOnly: true }, (name, place) => {
    const ranges = kept[Number(place)];
    return ranges !== undefined && isIn(ranges, String(name)) ? 1 : 0;
  });
}

function isIn({ from, to }: Ranges, name: string): boolean {
  let [low, high] = [0, from.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((from[middle] ?? "") <= name) low = middle + 1;
    else high = middle;
  }
  return low > 0 && name < (to[low - 1] ?? "");
}

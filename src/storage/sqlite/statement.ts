import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** A prepared statement. */
export interface Statement {
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
 * Prepares a statement. Rows are read as arrays and made into objects here: the
 * ones that `node:sqlite` makes are dictionaries without a shape, and everything
 * that touches them afterwards takes twice as long (measured).
 */
export function prepareStatement(db: DatabaseSync, sql: string): Statement {
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
    // oxlint-disable-next-line typescript/no-implied-eval -- see above; nothing from outside gets in
    maker = new Function("row", `return { ${members} };`) as ToObject;
    makers.set(members, maker);
  }
  return maker;
}

import type { Kysely } from "kysely";
import type { Reader } from "../database.ts";
import { createKysely, checkKey } from "../driver.ts";
import { buildPoint, buildQuery, type BuiltQuery, type PointQuery, type PreparedQuery } from "../reads/query.ts";
import type { Tables } from "../tables/tables.ts";
import { bindable, type SqliteConnection, prepareStatement, type PreparedStatement } from "./connection.ts";
import { translateSqliteError } from "./faults.ts";
import type { TurnClock } from "../../turns.ts";

interface Prepared {
  statement: PreparedStatement;
  built: BuiltQuery;
}

/**
 * Reads on a connection of the main thread: at once and without a turn of the event loop, so for bounded reads only.
 *
 * @param count told of each statement, for `/metrics` and the tests that count them
 * @param enterSnapshot called before each read; see `createTurnSnapshot`
 * @param clock for reads that follow each other without end, as in a transaction; without it they are never sliced
 * @param translate makes of SQLite's errors what the caller is told
 */
export function createReader(
  connection: SqliteConnection,
  count: (kind: "point" | "query") => void,
  enterSnapshot: () => void,
  clock?: TurnClock,
  translate: (error: unknown) => unknown = translateSqliteError,
): Reader {
  // Prepared statements by the id of their definition.
  const prepared: (Prepared | undefined)[] = [];
  const kysely = createKysely("sqlite", (sql, parameters) => {
    count("query");
    return settle(() => {
      enterSnapshot();
      return connection.all(sql, parameters);
    });
  });

  /** Gives the result of synchronous work as a promise, its errors translated. */
  function settle<T>(work: () => T): Promise<T> {
    if (clock?.isSpent() === true) return clock.nextTurn().then(() => settle(work));
    try {
      return Promise.resolve(work());
    } catch (error) {
      return Promise.reject(translate(error));
    }
  }

  function prepare(id: number, build: () => BuiltQuery): Prepared {
    const built = build();
    const made = { statement: prepareStatement(connection.db, built.sql), built };
    prepared[id] = made;
    return made;
  }

  return {
    engine: "sqlite",
    sql: kysely,
    run<P extends object, R>(query: PreparedQuery<P, R>, params: P): Promise<R[]> {
      count("query");
      return settle(() => {
        const { statement, built } = prepared[query.id] ?? prepare(query.id, () => buildQuery(query, kysely, "sqlite"));
        enterSnapshot();
        return statement.all(bindable(built.bind(params))) as R[];
      });
    },
    point<R>(query: PointQuery<R>, key: string): Promise<R | undefined> {
      count("point");
      return settle(() => {
        checkKey(key);
        const { statement } = prepared[query.id] ?? prepare(query.id, () => buildPoint(query, kysely, "sqlite", false));
        enterSnapshot();
        return statement.get([key]) as R | undefined;
      });
    },
  };
}

/** The same queries on the worker threads. */
export function createLongQueries(
  all: (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>,
  builder: Kysely<Tables>,
): Reader {
  const built: (BuiltQuery | undefined)[] = [];
  return {
    engine: "sqlite",
    sql: createKysely("sqlite", all),
    run<P extends object, R>(query: PreparedQuery<P, R>, params: P): Promise<R[]> {
      const text = (built[query.id] ??= buildQuery(query, builder, "sqlite"));
      return all(text.sql, text.bind(params)) as Promise<R[]>;
    },
    async point<R>(query: PointQuery<R>, key: string): Promise<R | undefined> {
      const text = (built[query.id] ??= buildPoint(query, builder, "sqlite", false));
      return (await all(text.sql, text.bind({ key })))[0] as R | undefined;
    },
  };
}

/** A read transaction shared by all reads of one turn of the event loop. */
export interface TurnSnapshot {
  /** Begins it unless this turn has one. */
  enter(): void;
  /** Ends it: the next read sees what has been committed since. Never throws: it follows commits that have happened. */
  leave(): void;
}

/**
 * Each read outside a transaction takes and drops a lock on the file, nine system calls for a request with three reads;
 * those were a fifth of its time. So the reads of a turn share one transaction. It ends with the turn, and at every
 * commit of the writer, so that nobody reads what was before it.
 */
export function createTurnSnapshot(connection: SqliteConnection): TurnSnapshot {
  const begin = connection.db.prepare("begin");
  const commit = connection.db.prepare("commit");
  const rollback = connection.db.prepare("rollback");
  let open = false;

  function leave(): void {
    if (!open) return;
    open = false;
    end();
  }

  /** After some errors (of the disk, of memory) SQLite has ended the transaction by itself. */
  function end(): void {
    try {
      if (connection.db.isTransaction) commit.all();
    } catch {
      try {
        if (connection.db.isTransaction) rollback.all();
      } catch {
        // The next `enter` tries again before anything is read in it.
      }
    }
  }

  return {
    enter() {
      if (open) return;
      if (connection.db.isTransaction) end();
      begin.all();
      open = true;
      setImmediate(leave);
    },
    leave,
  };
}

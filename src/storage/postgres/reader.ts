import DataLoader from "dataloader";
import type { Reader } from "../database.ts";
import { createKysely, checkKey, checkValues } from "../driver.ts";
import { asPiece, statementPiece } from "../../pieces.ts";
import {
  buildPoint,
  buildQuery,
  POINT_KEY,
  type BuiltQuery,
  type PointQuery,
  type PreparedQuery,
} from "../reads/query.ts";
import type { ServerReply, SentStatement } from "./connection.ts";

/** Sends a statement somewhere and gives its answer. */
export type Send = (statement: SentStatement) => Promise<ServerReply>;

/** Largest number of keys in one coalesced read. */
const BATCH = 1000;

/**
 * Queries over `sendOne`.
 *
 * @param sendOne sends a statement
 * @param count told of each statement
 * @param coalesce whether point reads of one turn become one statement; never inside a transaction
 */
export function createReader(sendOne: Send, count: (kind: "point" | "query") => void, coalesce: boolean): Reader {
  const send: Send = (statement) =>
    asPiece(
      () => statementPiece("postgres", statement.text),
      () => sendOne(statement),
    );
  const built: (BuiltQuery | undefined)[] = [];
  const loaders: (DataLoader<string, unknown> | undefined)[] = [];
  const kysely = createKysely("postgres", async (text, parameters) => {
    count("query");
    checkValues(parameters);
    return (await send({ text, values: [...parameters] })).rows;
  });

  function loader<R>(query: PointQuery<R>): DataLoader<string, unknown> {
    const text = buildPoint(query, kysely, "postgres", true);
    const made = new DataLoader<string, unknown>(
      async (keys) => {
        const { rows } = await send({ name: `p${query.id}`, text: text.sql, values: text.bind({ key: keys }) });
        const byKey = new Map(rows.map((row) => [(row as Record<string, unknown>)[POINT_KEY], row]));
        return keys.map((key) => byKey.get(key));
      },
      // Requests of one turn arrive in separate callbacks, so the batch closes in the check phase.
      { cache: false, maxBatchSize: BATCH, batchScheduleFn: (close) => setImmediate(close) },
    );
    loaders[query.id] = made;
    return made;
  }

  return {
    engine: "postgres",
    sql: kysely,
    async run<P extends object, R>(query: PreparedQuery<P, R>, params: P): Promise<R[]> {
      count("query");
      const text = (built[query.id] ??= buildQuery(query, kysely, "postgres"));
      const values = text.bind(params);
      checkValues(values);
      return (await send({ name: `q${query.id}`, text: text.sql, values })).rows as R[];
    },
    async point<R>(query: PointQuery<R>, key: string): Promise<R | undefined> {
      count("point");
      // Before it joins others: a key that is refused must not take theirs down with it.
      checkKey(key);
      if (coalesce) return (loaders[query.id] ?? loader(query)).load(key) as Promise<R | undefined>;
      const text = (built[query.id] ??= buildPoint(query, kysely, "postgres", false));
      return (await send({ name: `q${query.id}`, text: text.sql, values: text.bind({ key }) })).rows[0] as
        | R
        | undefined;
    },
  };
}

import type { Reader } from "../database.ts";
import type { Engine } from "../engine.ts";
import type { PreparedQuery } from "../reads/query.ts";

/**
 * Entries of a list that one statement takes. On SQLite a statement runs to its end without giving the event loop
 * back, however scattered its rows lie (docs/decisions/0008). On PostgreSQL each statement costs a message instead.
 */
const SLICE: Record<Engine, number> = { sqlite: 25, postgres: 1000 };

/** A list in parts that one statement may take. */
export function slices<T>({ engine }: Pick<Reader, "engine">, list: readonly T[]): (readonly T[])[] {
  const size = SLICE[engine];
  if (list.length <= size) return list.length === 0 ? [] : [list];
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

/**
 * Runs a query for a list of keys in slices and returns all their rows. For use
 * in a transaction: outside of one the slices may see different states.
 *
 * @param params the query's parameters for a slice of `keys`
 */
export async function runInSlices<P extends object, R>(
  db: Reader,
  query: PreparedQuery<P, R>,
  keys: readonly string[],
  params: (slice: readonly string[]) => P,
): Promise<R[]> {
  const [first, ...rest] = slices(db, keys);
  if (first === undefined) return [];
  if (rest.length === 0) return db.run(query, params(first));
  const found = await Promise.all([first, ...rest].map((slice) => db.run(query, params(slice))));
  return found.flat();
}

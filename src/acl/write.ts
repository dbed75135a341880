import type { Context } from "../context.ts";
import type { Transaction } from "../storage/database.ts";
import type { Scope } from "./scope.ts";

/** Notes that an object was changed, so that caches drop it and those who wait for it are told. */
export type Change = (table: string, key: string) => void;

/**
 * Runs `work` as the only writer of the scope's partition. The one way in which
 * access-control objects are written.
 */
export function changeIn<T>(
  { db }: Pick<Context, "db">,
  scope: Scope,
  work: (tx: Transaction, change: Change) => Promise<T>,
): Promise<T> {
  return db.inTransaction({ kind: "partition", name: scope.partition }, (tx) =>
    work(tx, (table, key) => tx.touch({ ...scope, table, key })),
  );
}

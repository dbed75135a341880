import type { Context } from "../context.ts";
import type { Transaction } from "../storage/database.ts";
import { checkLiving } from "./namespaces/lookup.ts";
import type { Scope } from "./scope.ts";

/** Notes that an object was changed, so that caches drop it and those who wait for it are told. */
export type Change = (table: string, key: string) => void;

export interface WriteOptions {
  /** It decides by what lies in other partitions too: no other such write goes on meanwhile. */
  overAll?: boolean;
}

/**
 * Runs `work` as the only writer of the scope's partition. The one way in which
 * access-control objects are written.
 *
 * @throws AppError `invalid` when the namespace does not exist, `conflict` when it is being deleted
 */
export function changeIn<T>(
  { db }: Pick<Context, "db">,
  scope: Scope,
  work: (tx: Transaction, change: Change) => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  const checked: typeof work = async (tx, change) => {
    // Together, so that they travel together; what `work` meets in a namespace that is not there counts for nothing.
    const [living, done] = await Promise.allSettled([checkLiving(tx, scope), work(tx, change)]);
    if (living.status === "rejected") throw living.reason;
    if (done.status === "rejected") throw done.reason;
    return done.value;
  };
  return changeRegardless({ db }, scope, checked, options);
}

/** The same for what goes on in a namespace that may be in deletion: its own end, and that of what has expired. */
export function changeRegardless<T>(
  { db }: Pick<Context, "db">,
  scope: Scope,
  work: (tx: Transaction, change: Change) => Promise<T>,
  { overAll = false }: WriteOptions = {},
): Promise<T> {
  return db.inTransaction({ kind: "partition", name: scope.partition, afterRoot: overAll }, (tx) =>
    work(tx, (table, key) => tx.touch({ ...scope, table, key })),
  );
}

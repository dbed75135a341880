import { inOrder } from "./in-order.ts";
import type { Context } from "../../context.ts";
import type { Transaction } from "../../storage/database.ts";
import { checkLiving, partitionToRaise } from "../namespaces/living.ts";
import { checkPermission } from "../../rights/permission.ts";
import type { Scope } from "../../rights/scope.ts";
import { AppError } from "../../errors.ts";

/** Notes that an object was changed: caches drop it, and waiters are notified. */
export type NoteChange = (table: string, key: string) => void;

export interface WriteOptions {
  /** It decides by what lies in other partitions too: no other such write goes on meanwhile. */
  overAll?: boolean;
  /**
   * It is also done where everything is being deleted, as deletions are: clients that take down what they made do not know
   * how far the server has come.
   */
  mayBeMarked?: boolean;
}

/**
 * Runs `work` as the only writer of the scope's partition. The one way in which
 * access-control objects are written.
 *
 * @throws AppError `invalid` when the namespace does not exist, `conflict` when it is being deleted
 */
export function changeIn<T>(
  ctx: Pick<Context, "db">,
  scope: Scope,
  work: (tx: Transaction, change: NoteChange) => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  const { mayBeMarked } = options;
  const checked = async (tx: Transaction, change: NoteChange): Promise<T> => {
    // Together, so that they travel together; what `work` meets in a namespace that is not there counts for nothing.
    const [, done] = await inOrder([checkLiving(tx, scope, mayBeMarked), work(tx, change)]);
    return done;
  };
  return changeRegardless(ctx, scope, checked, options);
}

/** The same for what goes on in a namespace that may be in deletion: its own end, and that of what has expired. */
export function changeRegardless<T>(
  { db }: Pick<Context, "db">,
  scope: Scope,
  work: (tx: Transaction, change: NoteChange) => Promise<T>,
  { overAll = false }: WriteOptions = {},
): Promise<T> {
  const { partition, namespace } = scope;
  const inPartition = (name: string, within: (tx: Transaction) => Transaction) =>
    db.inTransaction({ kind: "partition", name, afterRoot: overAll }, (opened) => {
      const tx = within(opened);
      return work(tx, (table, key) => tx.touch({ partition, namespace, table, key }));
    });
  if (scope.isPlanned !== true) return inPartition(partition, (tx) => tx);
  // Nobody waits for what is only tried, and the counter may be another's.
  const untold = (tx: Transaction) => ({ ...tx, touch: () => undefined });
  return partitionToRaise(db, scope).then((name) => inPartition(name, untold));
}

/**
 * Checks the conditions that `changePrepared` checks again as the only writer, before any look-up: a denial then names
 * the missing scope, and not a missing object in it.
 *
 * @throws AppError `forbidden`, `invalid` when the namespace does not exist, `conflict` when it is being deleted
 */
export async function checkMayWrite(ctx: Pick<Context, "actor" | "db">, scope: Scope): Promise<void> {
  checkPermission(ctx, scope, "acl", "write");
  await checkLiving(ctx.db, scope);
}

/** Thrown inside a transaction when what was decided before it rests on something that has changed since; see `changePrepared`. */
export class Outdated extends Error {}

/** Result of `prepare` when there is nothing to write: the answer exists already. */
export class Settled<T> {
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
}

/** Maximum number of attempts: each fails because another writer has just changed the basis of the decision. */
const MOST_ATTEMPTS = 10;

/**
 * Changes as `changeIn` does, for a decision that takes time: `prepare` reads and decides while other writers continue,
 * and `work` reads the basis of the decision again, as the only writer. When it has changed, `work` throws `Outdated`,
 * and both run again.
 *
 * @param subject object of the change: overtaken writers of one subject run one after the other
 * @throws AppError `conflict` when the basis has changed each time
 */
export async function changePrepared<P, T>(
  ctx: Pick<Context, "db">,
  scope: Scope,
  subject: string,
  prepare: () => Promise<P | Settled<T>>,
  work: (tx: Transaction, change: NoteChange, prepared: P) => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  let letNext: (() => void) | undefined;
  try {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      // A writer that was overtaken once waits for the others that were: at the same time they would overtake each
      // other again and again.
      if (attempt === 2) letNext = await overtaken.take(`${scope.partition}/${scope.namespace}/${subject}`);
      const prepared = await prepare();
      if (prepared instanceof Settled) return prepared.value;
      try {
        return await changeIn(ctx, scope, (tx, change) => work(tx, change, prepared), options);
      } catch (error) {
        if (!(error instanceof Outdated)) throw error;
      }
    }
  } finally {
    letNext?.();
  }
  throw new AppError("conflict", "Related objects are changing too often; retry");
}

/** Queues of the writers of this process that were overtaken. */
const overtaken = createQueues();

/**
 * Compare-and-set: the change goes on only when the object is still as the caller saw it.
 *
 * @param cas the ModifyIndex that the request names, 0 for an object that must not exist; undefined to go on in any case
 * @throws AppError `conflict`
 */
export function checkCas(cas: number | undefined, current: { modifyIndex: number } | undefined): void {
  const index = current?.modifyIndex ?? 0;
  if (cas === undefined || cas === index) return;
  // Nobody has named an index.
  if (cas === 0) throw new AppError("conflict", "Conflict: the object already exists. Omit cas to update the object");
  throw new AppError(
    "conflict",
    `Conflict: ModifyIndex is ${index}, but the request has cas=${cas}. Read the object again`,
  );
}

/** Lets those who want the same go one after the other, in the order in which they came. */
export interface Queues {
  /** Waits for those before. @returns lets the next one go */
  take(key: string): Promise<() => void>;
}

export function createQueues(): Queues {
  /** By key, the end of the one that came last. */
  const ends = new Map<string, Promise<void>>();
  return {
    async take(key) {
      const before = ends.get(key);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(key, promise);
      await before;
      return () => {
        if (ends.get(key) === promise) ends.delete(key);
        resolve();
      };
    },
  };
}

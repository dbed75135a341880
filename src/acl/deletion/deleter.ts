/**
 * Empties namespaces and partitions that are marked for deletion, and removes
 * them when nothing is left; and what deleted auth methods leave. Nobody can
 * use what lies there meanwhile: the tokens are unknown from the write on that
 * deleted, and nothing can be written there. So a stop at any point leaves
 * nothing that it must be told of.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startBackground, type Background } from "../../storage/background.ts";
import type { Database, Transaction } from "../../storage/database.ts";
import { checkLease, newHolder, takeLease, type Lease } from "../../storage/lease.ts";
import { findNamespace } from "../namespaces/store.ts";
import { NAMESPACES, PARTITIONS } from "../kinds.ts";
import { findPartition } from "../partitions/store.ts";
import { homeOf, type Scope } from "../scope.ts";
import { changeRegardless } from "../write.ts";
import {
  deleteFound,
  deleteNamespace,
  deletePartition,
  deletePartitionIndexes,
  deleteTableIndexes,
  findLeft,
  findLeftOfMethod,
  findLeftOfPartition,
  forgetDeletedMethod,
  isEmptyPartition,
  listDeletedMethods,
  listMarkedNamespaces,
  listMarkedPartitions,
  type DeletedMethod,
} from "./store.ts";

const LEASE = "scope-deletion";
/**
 * Rows that one transaction removes. Each lies on pages of its own, which the log has to sync while others wait: with
 * 50 rows and 2 ms between them, reads of other namespaces had a p99 of 6 ms on SQLite, so they have one of 4 ms, and
 * 100,000 rows take 18 s (measured, `bench/namespaces.ts`).
 */
const MIN_BATCH = 5;
const MAX_BATCH = 25;
/** How long a transaction should take: other writes of the partition wait for it. */
const LONGEST_MS = 3;
const BATCH_PAUSE_MS = 3;
/** Batches between two renewals of the lease, which lasts for seconds. */
const RENEW_EVERY = 100;
const PROGRESS_EVERY_MS = 5000;

/** How far the work is; of this process since its start. */
export interface DeletionProgress {
  /** Namespaces and partitions that are marked now, and auth methods that have left something. */
  pending: number;
  /** Rows that were removed. */
  removedRows: number;
  /** Those of them that are gone. */
  finished: number;
}

/** While nothing has begun. */
export const NO_PROGRESS: DeletionProgress = { pending: 0, removedRows: 0, finished: 0 };

export interface Deletion extends Background {
  progress(): DeletionProgress;
}

export interface DeletionOptions {
  /** Told of each step, in words. */
  onProgress: (message: string, details: object) => void;
  /** Told of a failure; the work is tried again. */
  onError: (error: unknown) => void;
}

/** Starts the work, which one node does at a time. */
export function startDeletion(db: Database, { onProgress, onError }: DeletionOptions): Deletion {
  const holder = newHolder();
  const progress = { ...NO_PROGRESS };

  async function work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const [namespaces, partitions, methods] = await Promise.all([
        listMarkedNamespaces(db),
        listMarkedPartitions(db),
        listDeletedMethods(db),
      ]);
      progress.pending = namespaces.length + partitions.length + methods.length;
      const lease = progress.pending === 0 ? undefined : await takeLease(db, LEASE, holder);
      if (lease === undefined) return;
      for (const job of [...namespaces.map(namespaceJob), ...methods.map(methodJob)]) {
        if (signal.aborted || !(await empty(lease, job, signal))) return;
      }
      for (const { name } of partitions) {
        if (!(await removePartition(db, lease, name))) continue;
        progress.finished += 1;
        progress.pending -= 1;
        onProgress("a partition was deleted", { partition: name });
      }
    }
  }

  /** @returns whether nothing is left */
  async function empty(first: Lease, { what, place, remove }: Job, signal: AbortSignal): Promise<boolean> {
    const began = performance.now();
    let [rows, size, reported] = [0, MIN_BATCH, began];
    const details = () => ({ ...place, rows, seconds: Math.round(performance.now() - began) / 1000 });
    onProgress(`${what} is being deleted`, place);
    let lease: Lease | undefined = first;
    for (let batch = 1; !signal.aborted; batch++) {
      if (batch % RENEW_EVERY === 0) lease = await takeLease(db, LEASE, holder);
      if (lease === undefined) return false;
      const { removed, isLast, milliseconds } = await remove(db, lease, size);
      rows += removed;
      progress.removedRows += removed;
      if (isLast) {
        progress.finished += 1;
        progress.pending -= 1;
        onProgress(`${what} was deleted`, details());
        return true;
      }
      size = milliseconds < LONGEST_MS / 2 ? Math.min(size * 2, MAX_BATCH) : size;
      if (milliseconds > LONGEST_MS) size = Math.max(MIN_BATCH, size >> 1);
      if (performance.now() - reported > PROGRESS_EVERY_MS) {
        reported = performance.now();
        onProgress(`${what} is still being deleted`, details());
      }
      await sleep(BATCH_PAUSE_MS);
    }
    return false;
  }

  return { ...startBackground(work, onError), progress: () => ({ ...progress }) };
}

/** Something that is emptied batch by batch. */
interface Job {
  what: "a namespace" | "an auth method";
  /** For the log. */
  place: object;
  remove(db: Database, lease: Lease, limit: number): Promise<Batch>;
}

function namespaceJob({ partition, namespace }: Scope): Job {
  const scope = { partition, namespace };
  return { what: "a namespace", place: scope, remove: (db, lease, limit) => removeBatch(db, lease, scope, limit) };
}

function methodJob(method: DeletedMethod): Job {
  const { partition, name } = method;
  const place = { partition, authMethod: name };
  return { what: "an auth method", place, remove: (db, lease, limit) => removeMethodBatch(db, lease, method, limit) };
}

interface Batch {
  removed: number;
  /** Whether nothing is left: the namespace itself went, or the method is forgotten. */
  isLast: boolean;
  /** For how long other writes of the partition waited. */
  milliseconds: number;
}

/**
 * Removes some of what is left in a namespace, or the namespace when nothing is.
 *
 * @throws AppError `conflict` when another node has taken over
 */
export async function removeBatch(db: Database, lease: Lease, scope: Scope, limit: number): Promise<Batch> {
  const { partition, namespace } = scope;
  return timed({ db }, scope, async (tx) => {
    const [current, owner, left] = await Promise.all([
      findNamespace(tx, scope),
      findPartition(tx, partition),
      findLeft(tx, scope, limit),
      checkLease(tx, lease),
    ]);
    // Chosen outside of the transaction: meanwhile it may have gone, and have been made anew.
    const isMarked = current !== undefined && (current.deletedAt !== "" || owner?.deletedAt !== "");
    if (!isMarked) return { removed: 0, isLast: true };
    if (left !== undefined) {
      deleteFound(tx, left);
      return { removed: left.rows.length, isLast: false };
    }
    deleteNamespace(tx, scope);
    deleteTableIndexes(tx, scope);
    tx.touch({ ...homeOf(partition), table: NAMESPACES, key: namespace });
    return { removed: 0, isLast: true };
  });
}

/**
 * Removes some of what a deleted auth method left, in whatever namespaces of its partition.
 *
 * @throws AppError `conflict` when another node has taken over
 */
export function removeMethodBatch(
  db: Database,
  lease: Lease,
  { id, partition }: DeletedMethod,
  limit: number,
): Promise<Batch> {
  return timed({ db }, homeOf(partition), async (tx) => {
    const [left] = await Promise.all([findLeftOfMethod(tx, id, limit), checkLease(tx, lease)]);
    if (left === undefined) forgetDeletedMethod(tx, id);
    else deleteFound(tx, left);
    return { removed: left?.rows.length ?? 0, isLast: left === undefined };
  });
}

/** Runs a batch, and takes the time for which it holds others up. */
async function timed(
  ctx: { db: Database },
  scope: Scope,
  work: (tx: Transaction) => Promise<Omit<Batch, "milliseconds">>,
): Promise<Batch> {
  let began = 0;
  const batch = await changeRegardless(ctx, scope, (tx) => {
    began = performance.now();
    return work(tx);
  });
  return { ...batch, milliseconds: performance.now() - began };
}

/** @returns whether it went: it stays while a namespace is left in it */
async function removePartition(db: Database, lease: Lease, name: string): Promise<boolean> {
  return changeRegardless({ db }, homeOf(name), async (tx, change) => {
    const [current, isEmpty, left] = await Promise.all([
      findPartition(tx, name),
      isEmptyPartition(tx, name),
      findLeftOfPartition(tx, name, MAX_BATCH),
      checkLease(tx, lease),
    ]);
    if (current === undefined || current.deletedAt === "" || !isEmpty) return false;
    if (left !== undefined) {
      deleteFound(tx, left);
      return false;
    }
    deletePartition(tx, name);
    deletePartitionIndexes(tx, name);
    change(PARTITIONS, name);
    return true;
  });
}

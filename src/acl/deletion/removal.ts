/**
 * Empties namespaces and partitions that are marked for deletion, and removes them when they are empty; also the
 * remains of deleted auth methods. No caller can use the contents during that time: from the write that deletes them
 * the tokens are unknown, and nothing can be written there. A stop at any point leaves nothing that the next start must
 * know.
 */
import {
  type Background,
  startRemoval,
  type RemovedBatch,
  type Removal,
  type RemovalJob,
} from "../../storage/operator/removal.ts";
import type { Database, Transaction } from "../../storage/database.ts";
import { checkLease, type Lease } from "../../storage/feed/lease.ts";
import { findNamespace } from "../namespaces/store.ts";
import { findPartition } from "../partitions/store.ts";
import { homeOf, type Scope } from "../../rights/scope.ts";
import { changeRegardless } from "../kit/write.ts";
import {
  deleteFound,
  deleteNamespace,
  deletePartition,
  findLeft,
  findLeftOfMethod,
  findLeftOfPartition,
  forgetDeletedMethod,
  hasNamespacesUpTo,
  listDeletedMethods,
  listMarkedNamespaces,
  listMarkedPartitions,
  type DeletedMethod,
} from "./store.ts";

/** Fewer than of other removals: reads of other namespaces wait for the batch (decision 22). */
const ROWS = { least: 5, most: 25 };
const PROGRESS_EVERY_MS = 5000;

/** Progress of the work in this process since its start. */
export interface DeletionProgress {
  /** Namespaces and partitions that are marked now, and auth methods that have left something. */
  pending: number;
  /** Rows that were removed. */
  removedRows: number;
  /** Deletions that are finished. */
  finished: number;
}

/** Progress before any work. */
export const NO_PROGRESS: DeletionProgress = { pending: 0, removedRows: 0, finished: 0 };

export interface BackgroundDeletion extends Background {
  progress(): DeletionProgress;
}

export interface DeletionOptions {
  /** Receives a message for each step. */
  onProgress: (message: string, details: object) => void;
  /** Receives each failure; the work is retried. */
  onError: (error: unknown) => void;
}

/** The progress of all jobs, and who is told of it. */
interface DeletionLog {
  progress: { -readonly [K in keyof DeletionProgress]: DeletionProgress[K] };
  onProgress: DeletionOptions["onProgress"];
}

/** Callbacks that log a job, and count it. */
function told(log: DeletionLog, what: string, place: object): Required<Pick<RemovalJob, "begin" | "note">> {
  let [began, reported, rows] = [0, 0, 0];
  const details = () => ({ ...place, rows, seconds: Math.round(performance.now() - began) / 1000 });
  return {
    begin() {
      began = reported = performance.now();
      log.onProgress(`${what} is being deleted`, place);
    },
    note({ removed, isLast }) {
      rows += removed;
      log.progress.removedRows += removed;
      if (isLast) {
        countFinished(log);
        log.onProgress(`${what} was deleted`, details());
      } else if (performance.now() - reported > PROGRESS_EVERY_MS) {
        reported = performance.now();
        log.onProgress(`${what} is still being deleted`, details());
      }
    },
  };
}

function countFinished({ progress }: DeletionLog): void {
  progress.finished += 1;
  progress.pending -= 1;
}

/** Starts the work, which one node does at a time. */
export function startDeletion(db: Database, { onProgress, onError }: DeletionOptions): BackgroundDeletion {
  const log: DeletionLog = { progress: { ...NO_PROGRESS }, onProgress };
  const ofNamespace = ({ partition, namespace }: Scope): RemovalJob => ({
    ...told(log, "a namespace", { partition, namespace }),
    remove: (lease, limit) => removeBatch(db, lease, { partition, namespace }, limit),
  });
  const ofMethod = (method: DeletedMethod): RemovalJob => ({
    ...told(log, "an auth method", { partition: method.partition, authMethod: method.name }),
    remove: (lease, limit) => removeMethodBatch(db, lease, method, limit),
  });
  const ofPartition = ({ name }: { name: string }): RemovalJob => ({
    async remove(lease, limit) {
      const { isGone, ...batch } = await removePartition(db, lease, name, limit);
      if (isGone) {
        countFinished(log);
        onProgress("partition deleted", { partition: name });
      }
      return batch;
    },
  });

  const removal: Removal = {
    lease: "scope-deletion",
    rows: ROWS,
    async jobs() {
      const [namespaces, partitions, methods] = await Promise.all([
        listMarkedNamespaces(db),
        listMarkedPartitions(db),
        listDeletedMethods(db),
      ]);
      log.progress.pending = namespaces.length + partitions.length + methods.length;
      return [...namespaces.map(ofNamespace), ...methods.map(ofMethod), ...partitions.map(ofPartition)];
    },
  };
  return { ...startRemoval(db, removal, onError), progress: () => ({ ...log.progress }) };
}

/**
 * Removes some of what is left in a namespace, or the namespace when nothing is.
 *
 * @throws AppError `conflict` when another node has taken over
 */
export async function removeBatch(db: Database, lease: Lease, scope: Scope, limit: number): Promise<RemovedBatch> {
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
      const isItself = current.deletedAt !== "";
      deleteFound(tx, left, isItself ? { kind: "namespace", id: namespace } : { kind: "partition", id: partition });
      return { removed: left.rows.length, isLast: false };
    }
    deleteNamespace(tx, scope);
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
  { id, partition, name }: DeletedMethod,
  limit: number,
): Promise<RemovedBatch> {
  return timed({ db }, homeOf(partition), async (tx) => {
    const [left] = await Promise.all([findLeftOfMethod(tx, id, limit), checkLease(tx, lease)]);
    if (left === undefined) forgetDeletedMethod(tx, id);
    else deleteFound(tx, left, { kind: "auth-method", id, name });
    return { removed: left?.rows.length ?? 0, isLast: left === undefined };
  });
}

/** Runs a batch, and takes the time for which it holds others up. */
async function timed<T extends RemovedBatch>(
  ctx: { db: Database },
  scope: Scope,
  work: (tx: Transaction) => Promise<T>,
): Promise<T & Required<Pick<RemovedBatch, "milliseconds">>> {
  let began = 0;
  const batch = await changeRegardless(ctx, scope, (tx) => {
    began = performance.now();
    return work(tx);
  });
  return { ...batch, milliseconds: performance.now() - began };
}

/** Removes a partition that is empty; it stays while a namespace is left in it. */
function removePartition(
  db: Database,
  lease: Lease,
  name: string,
  limit: number,
): Promise<RemovedBatch & { isGone: boolean }> {
  return timed({ db }, homeOf(name), async (tx) => {
    const [current, isEmpty, left] = await Promise.all([
      findPartition(tx, name),
      hasNamespacesUpTo(tx, name, 0),
      findLeftOfPartition(tx, name, limit),
      checkLease(tx, lease),
    ]);
    if (current === undefined || current.deletedAt === "" || !isEmpty)
      return { removed: 0, isLast: true, isGone: false };
    if (left !== undefined) {
      deleteFound(tx, left, { kind: "partition", id: name });
      return { removed: left.rows.length, isLast: false, isGone: false };
    }
    deletePartition(tx, name);
    return { removed: 0, isLast: true, isGone: true };
  });
}

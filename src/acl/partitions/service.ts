/**
 * Partitions: the outer division, each with namespaces, indexes and writers of
 * its own. Implements `/v1/partition` and `/v1/partitions`.
 */
import type { Context } from "../../context.ts";
import { authorize, questionOf } from "../../rights/authorize.ts";
import { AppError } from "../../errors.ts";
import type { Transaction } from "../../storage/database.ts";
import { checkCas, changeRegardless, type NoteChange } from "../kit/write.ts";
import { checkDeletable, checkScopeName } from "../namespaces/check.ts";
import { addDefaultNamespace } from "../namespaces/service.ts";
import { markedForDeletion } from "../namespaces/living.ts";
import { listReader, type ListOf } from "../../lists/page.ts";
import { checkPermission, lacking } from "../../rights/permission.ts";
import { DEFAULT_SCOPE, homeOf } from "../../rights/scope.ts";
import { PARTITIONS } from "../../rights/kinds.ts";
import { sortedBy } from "../../lists/sorted.ts";
import { endEmptyPartition } from "../deletion/at-once.ts";
import {
  ensureCounter,
  findPartition,
  hasOtherPartitions,
  insertPartition,
  listPartitions as listRows,
  partitionOf,
  sortablePartitions,
  updatePartition,
  type Partition,
} from "./store.ts";

export type { Partition } from "./store.ts";

/** Content of a partition in a request. */
export type PartitionInput = Pick<Partition, "description" | "disableGossip">;

/** Change that a request makes to a partition. */
export interface PartitionEdit {
  /** Returns the new content from the current one; undefined: none yet. Without side effects, since it may run again. */
  edit(current: PartitionInput | undefined): PartitionInput;
  /** The ModifyIndex that it must still have; undefined for any. */
  cas: number | undefined;
}

/**
 * Reads a partition, with `operator:read`. Every token except the anonymous one may read its own partition.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readPartition(ctx: Context, name: string): Promise<Partition> {
  if (!seesPartition(ctx, name)) throw lacking(ctx, questionOf("operator", "", "read"));
  const partition = await findPartition(ctx.db, name);
  if (partition === undefined) throw missing(name);
  return partition;
}

/** The list of those partitions that the caller may read, in order of names. */
export function listPartitions(ctx: Context): ListOf<Partition> {
  const only = seesAll(ctx) ? undefined : (ownOf(ctx) ?? "");
  return {
    slice: (page) => listRows(listReader(ctx.db, page, false), only, page),
    sorted: sortedBy(ctx.db.long, sortablePartitions(only), (rows) => Promise.resolve(rows.map(partitionOf))),
    keyOf: ({ name }) => name,
    isFiltered: async () => only !== undefined && hasOtherPartitions(ctx.db, only),
  };
}

/** Whether the caller may read a partition, by its folded name. */
export function seesPartition(ctx: Context, name: string): boolean {
  return seesAll(ctx) || ownOf(ctx) === name;
}

function seesAll(ctx: Context): boolean {
  return authorize(ctx.actor, "operator", "", "read");
}

function ownOf({ actor }: Context): string | undefined {
  return actor.anonymous ? undefined : actor.scope.partition;
}

/**
 * Writes a partition, which is made when it is missing, with its namespace `default`.
 *
 * @param name folded
 * @throws AppError `invalid`, `conflict` when it is being deleted or has changed, `forbidden`
 */
export async function writePartition(ctx: Context, name: string, { edit, cas }: PartitionEdit): Promise<Partition> {
  checkPermission(ctx, DEFAULT_SCOPE, "operator", "write");
  checkScopeName("Partition", name);
  // A counter without a partition does no harm, so it needs no part in the transaction that it guards.
  const isNew = (await findPartition(ctx.db, name)) === undefined;
  if (isNew) {
    await ctx.db.inTransaction({ kind: "root" }, (tx) => {
      tx.unrecorded("a counter without a partition is nothing that anybody sees");
      return ensureCounter(tx, name);
    });
  }
  // Its own counter guards it, and tells of it.
  const write = async (tx: Transaction, change: NoteChange): Promise<Partition> => {
    const [index, current] = await Promise.all([tx.index(), findPartition(tx, name)]);
    if (current !== undefined && current.deletedAt !== "") throw markedForDeletion("Partition", name);
    checkCas(cas, current);
    const base = current ?? { name, deletedAt: "", createIndex: index };
    const partition = { ...base, ...edit(current), modifyIndex: index };
    await put(tx, change, partition, current);
    return partition;
  };
  // How many there may be holds over all of them, so none is made beside another.
  return changeRegardless(ctx, homeOf(name), write, { overAll: isNew });
}

async function put(
  tx: Transaction,
  change: NoteChange,
  partition: Partition,
  current: Partition | undefined,
): Promise<void> {
  const { name } = partition;
  if (current === undefined) {
    insertPartition(tx, partition);
    await addDefaultNamespace(tx, change, name);
  } else {
    updatePartition(tx, partition, current);
  }
  change(PARTITIONS, name);
}

/**
 * Deletes a partition that holds nothing but an empty namespace `default`. Any other is marked for deletion: from now on nothing
 * can be written in it, its tokens are unknown, and all its namespaces go in the background.
 *
 * @throws AppError `not_found`, `invalid` for `default`, `conflict`, `forbidden`
 */
export async function deletePartition(ctx: Context, name: string, cas: number | undefined): Promise<void> {
  checkPermission(ctx, DEFAULT_SCOPE, "operator", "write");
  checkDeletable("Partition", name);
  const deletedAt = new Date(ctx.now()).toISOString();
  const gone = () => new AppError("not_found", `Cannot find partition "${name}" to delete`);
  if ((await findPartition(ctx.db, name)) === undefined) throw gone();
  await changeRegardless(ctx, homeOf(name), async (tx, change) => {
    const current = await findPartition(tx, name);
    if (current === undefined) throw gone();
    if (current.deletedAt !== "") return;
    checkCas(cas, current);
    updatePartition(tx, { ...current, deletedAt, modifyIndex: await tx.index() }, current, "delete");
    change(PARTITIONS, name);
    await endEmptyPartition(tx, name);
  });
}

/** The answer where there is no partition of this name. */
export function missing(name: string): AppError {
  return new AppError("not_found", `Partition "${name}" does not exist`);
}

/** Whether a namespace and its partition are there, and not being deleted. */
import { AppError, invalid } from "../../errors.ts";
import type { Reader } from "../../storage/database.ts";
import { findPartition } from "../partitions/store.ts";
import { DEFAULT_SCOPE, isRootScope, type Scope } from "../scope.ts";
import { findNamespace, type Namespace } from "./store.ts";

/**
 * Refuses to write where nothing can be written.
 *
 * @throws AppError `invalid` when the namespace or its partition does not exist, `conflict` while it is deleted
 */
export async function checkLiving(db: Reader, scope: Scope): Promise<void> {
  // The one namespace that is always there.
  if (isRootScope(scope)) return;
  const { partition, namespace } = await readBoth(db, scope);
  checkNotMarked("Partition", scope.partition, partition?.deletedAt);
  checkNotMarked("Namespace", scope.namespace, namespace?.deletedAt);
}

/**
 * The same for what may still happen while everything in the namespace is being deleted.
 *
 * @throws AppError `invalid` when the namespace or its partition does not exist
 */
export async function checkThere(db: Reader, scope: Scope): Promise<void> {
  if (isRootScope(scope)) return;
  const { partition, namespace } = await readBoth(db, scope);
  checkExists("Partition", scope.partition, partition?.deletedAt);
  checkExists("Namespace", scope.namespace, namespace?.deletedAt);
}

async function readBoth(db: Reader, { partition, namespace }: Scope) {
  const [owner, found] = await Promise.all([findPartition(db, partition), findNamespace(db, { partition, namespace })]);
  return { partition: owner, namespace: found };
}

/** Finds a namespace in which tokens count; undefined when it, or its partition, is missing or being deleted. */
export async function findLiving(db: Reader, scope: Scope): Promise<Namespace | undefined> {
  const isDefault = scope.partition === DEFAULT_SCOPE.partition;
  const [partition, namespace] = await Promise.all([
    isDefault ? undefined : findPartition(db, scope.partition),
    findNamespace(db, scope),
  ]);
  if (!isDefault && partition?.deletedAt !== "") return undefined;
  return namespace?.deletedAt === "" ? namespace : undefined;
}

function checkNotMarked(what: "Namespace" | "Partition", name: string, deletedAt: string | undefined): void {
  checkExists(what, name, deletedAt);
  if (deletedAt !== "") throw markedForDeletion(what, name);
}

function checkExists(what: "Namespace" | "Partition", name: string, deletedAt: string | undefined): void {
  if (deletedAt === undefined) throw invalid(`${what} "${name}" does not exist`);
}

/** The refusal to change what is being deleted. */
export function markedForDeletion(what: "Namespace" | "Partition", name: string): AppError {
  return new AppError("conflict", `${what} "${name}" is marked for deletion`);
}

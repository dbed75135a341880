/** Whether a namespace and its partition are there, and not being deleted. */
import { AppError, invalid } from "../../errors.ts";
import type { Reader } from "../../storage/database.ts";
import { findPartition } from "../partitions/store.ts";
import { DEFAULT_SCOPE, isRootScope, type Scope } from "../../rights/scope.ts";
import { findNamespace, type Namespace } from "./store.ts";

/**
 * Refuses to write where nothing can be written.
 *
 * @param mayBeMarked for what may still happen while everything in the namespace is being deleted
 * @throws AppError `invalid` when the namespace or its partition does not exist, `conflict` while it is deleted
 */
export async function checkLiving(db: Reader, scope: Scope, mayBeMarked = false): Promise<void> {
  // The one namespace that is always there.
  if (isRootScope(scope)) return;
  const [partition, namespace] = await Promise.all([
    // One that is always there, and is never deleted.
    isDefaultPartition(scope) ? undefined : findPartition(db, scope.partition),
    findNamespace(db, scope),
  ]);
  const allowed = { mayBeMarked, mayBeMissing: scope.isPlanned === true };
  if (!isDefaultPartition(scope)) checkOne("Partition", scope.partition, partition, allowed);
  checkOne("Namespace", scope.namespace, namespace, allowed);
}

/**
 * The partition whose counter a write in a scope raises: its own. One that is tried in a partition that is not there yet, which is
 * never committed, borrows that of the default one.
 */
export async function partitionToRaise(db: Reader, scope: Scope): Promise<string> {
  if (scope.isPlanned !== true || isDefaultPartition(scope)) return scope.partition;
  return (await findPartition(db, scope.partition)) === undefined ? DEFAULT_SCOPE.partition : scope.partition;
}

function checkOne(
  what: "Namespace" | "Partition",
  name: string,
  found: { deletedAt: string } | undefined,
  { mayBeMarked, mayBeMissing }: { mayBeMarked: boolean; mayBeMissing: boolean },
): void {
  if (found === undefined && mayBeMissing) return;
  if (found === undefined) throw invalid(`${what} "${name}" does not exist`);
  if (found.deletedAt !== "" && !mayBeMarked) throw markedForDeletion(what, name);
}

function isDefaultPartition({ partition }: Scope): boolean {
  return partition === DEFAULT_SCOPE.partition;
}

/** Finds a namespace in which tokens count; undefined when it, or its partition, is missing or being deleted. */
export async function findLiving(db: Reader, scope: Scope): Promise<Namespace | undefined> {
  const isDefault = isDefaultPartition(scope);
  const [partition, namespace] = await Promise.all([
    isDefault ? undefined : findPartition(db, scope.partition),
    findNamespace(db, scope),
  ]);
  if (!isDefault && partition?.deletedAt !== "") return undefined;
  return namespace?.deletedAt === "" ? namespace : undefined;
}

/** The refusal to change what is being deleted. */
export function markedForDeletion(what: "Namespace" | "Partition", name: string): AppError {
  return new AppError("conflict", `${what} "${name}" is marked for deletion`);
}

/** Whether a namespace and its partition are there, and not being deleted. */
import { AppError, invalid } from "../../errors.ts";
import type { Reader } from "../../storage/database.ts";
import { findPartition } from "../partitions/store.ts";
import { DEFAULT_SCOPE, isRootScope, type Scope } from "../scope.ts";
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
  const [owner, found] = await Promise.all([findPartition(db, scope.partition), findNamespace(db, scope)]);
  for (const [what, name, object] of [
    ["Partition", scope.partition, owner],
    ["Namespace", scope.namespace, found],
  ] as const) {
    if (object === undefined) throw invalid(`${what} "${name}" does not exist`);
    if (object.deletedAt !== "" && !mayBeMarked) throw markedForDeletion(what, name);
  }
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

/** The refusal to change what is being deleted. */
export function markedForDeletion(what: "Namespace" | "Partition", name: string): AppError {
  return new AppError("conflict", `${what} "${name}" is marked for deletion`);
}

import type { Transaction } from "../../storage/database.ts";
import { insertNamespaceManagement } from "../policies/builtin.ts";
import { DEFAULT_SCOPE } from "../scope.ts";
import type { Change } from "../write.ts";
import { NAMESPACES } from "../kinds.ts";
import { insertNamespace, type Namespace } from "./store.ts";

/** Adds a namespace, with the policy by which it is managed. @param change of its partition */
export async function addNamespace(tx: Transaction, change: Change, namespace: Namespace): Promise<void> {
  const { partition, name } = namespace;
  insertNamespace(tx, namespace);
  await insertNamespaceManagement(tx, { partition, namespace: name });
  change(NAMESPACES, name);
}

/** Gives a new partition the namespace in which all lies that says nothing else. */
export async function addDefaultNamespace(tx: Transaction, change: Change, partition: string): Promise<void> {
  const index = await tx.index();
  const { namespace: name } = DEFAULT_SCOPE;
  const description = "Builtin Default Namespace";
  const indexes = { createIndex: index, modifyIndex: index };
  const content = { description, meta: {}, defaults: undefined, deletedAt: "" };
  await addNamespace(tx, change, { partition, name, ...content, ...indexes });
}

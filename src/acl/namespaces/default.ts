import type { Transaction } from "../../storage/database.ts";
import { insertNamespaceManagement } from "../policies/lookup.ts";
import { DEFAULT_SCOPE } from "../scope.ts";
import type { Change } from "../write.ts";
import { NAMESPACES } from "./lookup.ts";
import { insertNamespace } from "./store.ts";

/** Gives a new partition the namespace in which all lies that says nothing else. */
export async function insertDefaultNamespace(tx: Transaction, change: Change, partition: string): Promise<void> {
  const index = await tx.index();
  const { namespace: name } = DEFAULT_SCOPE;
  const description = "Builtin Default Namespace";
  const indexes = { createIndex: index, modifyIndex: index };
  insertNamespace(tx, { partition, name, description, meta: {}, defaults: undefined, deletedAt: "", ...indexes });
  await insertNamespaceManagement(tx, { partition, namespace: name });
  change(NAMESPACES, name);
}

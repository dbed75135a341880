/**
 * Ends what holds no more than it was born with in the transaction that deletes it: whoever asks next finds it gone and its name
 * free, as clients do that make it anew at once. All else is emptied in the background (`removal.ts`).
 */
import type { Transaction } from "../../storage/database.ts";
import { NAMESPACE_MANAGEMENT } from "../policies/builtin.ts";
import { homeOf, type Scope } from "../../rights/scope.ts";
import {
  deleteFound,
  deleteNamespace,
  deletePartition,
  findContent,
  hasNamespacesUpTo,
  type FoundRows,
} from "./store.ts";

/** Notes of what was linked to are no content, so a few of them go along. */
const MOST_NOTES = 20;

/**
 * Ends a namespace that holds nothing but its built-in policy; otherwise does nothing.
 *
 * @param tx in which it is marked for deletion
 */
export async function endEmptyNamespace(tx: Transaction, scope: Scope): Promise<void> {
  const content = await findContent(tx, scope, MOST_NOTES + 1);
  if (!content.every(isBornWithIt)) return;
  for (const found of content) deleteFound(tx, found, { kind: "namespace", id: scope.namespace });
  deleteNamespace(tx, scope);
}

/** The same of a partition that has no namespace but `default`, which holds nothing else. */
export async function endEmptyPartition(tx: Transaction, name: string): Promise<void> {
  const home = homeOf(name);
  const [content, isAlone] = await Promise.all([findContent(tx, home, MOST_NOTES + 1), hasNamespacesUpTo(tx, name, 1)]);
  if (!isAlone || !content.every(isBornWithIt)) return;
  for (const found of content) deleteFound(tx, found, { kind: "partition", id: name });
  deleteNamespace(tx, home);
  deletePartition(tx, name);
}

function isBornWithIt({ table, rows }: FoundRows): boolean {
  if (table.record === undefined) return rows.length <= MOST_NOTES;
  return table.name === "policies" && rows.every((row) => row["name"] === NAMESPACE_MANAGEMENT);
}

import type { Reader, Transaction } from "../../storage/database.ts";
import { defineQuery } from "../../storage/reads/query.ts";
import type { RecordOf } from "../kit/records.ts";
import type { Scope } from "../../rights/scope.ts";
import { scopedStore } from "../kit/scoped-objects.ts";
import type { Deletion } from "../kit/trash.ts";

export interface NamespaceRule {
  /** Empty for every identity. */
  readonly selector: string;
  /** Template of a namespace's name. */
  readonly bindNamespace: string;
}

export type AuthMethod = RecordOf<"auth_methods", { namespaceRules: readonly NamespaceRule[] }>;

/** An auth method as lists show it, without what may be long. */
export type ListedMethod = Omit<AuthMethod, "configSealed" | "namespaceRules">;

export const { reads: methodStore, writes: writeMethods } = scopedStore<AuthMethod, ListedMethod>("auth_methods", {
  // The ID is secret.
  isKeyHidden: true,
  searchSorted: ["type", "display_name"],
  noted: ["rules_index", "rules_weight"],
  listed: [
    "id",
    "partition",
    "namespace",
    "name",
    "type",
    "display_name",
    "description",
    "max_token_ttl",
    "token_locality",
    "rules_index",
    "rules_weight",
    "create_index",
    "modify_index",
  ],
});

/** Members of an auth method that are public. */
export type PublicMethod = Pick<AuthMethod, "name" | "displayName" | "type" | "scope">;

// Omits the configuration, which may be long: this list needs no token.
const ofType = defineQuery((db, p: Scope & { type: string; limit: number }) =>
  db
    .selectFrom("auth_methods")
    .select(["name", "display_name", "type"])
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .where("type", "=", p.type)
    .orderBy("name_key")
    .limit(p.limit),
);

/** Auth methods of a type in a namespace, in order of their names, the first ones. */
export async function listMethodsOfType(
  db: Reader,
  scope: Scope,
  type: string,
  limit: number,
): Promise<PublicMethod[]> {
  const rows = await db.run(ofType, { ...scope, type, limit });
  return rows.map((row) => ({ scope, name: row.name, displayName: row.display_name, type: row.type }));
}

const insertDeleted = defineQuery((db, p: { id: string; partition: string; name: string; now: string }) =>
  db.insertInto("deleted_methods").values({ id: p.id, partition: p.partition, name: p.name, deleted_at: p.now }),
);

/**
 * Notes that one of the method's rules was written, so that logins see that theirs are old.
 *
 * @param method as the transaction has read it
 * @param weight of all of them now
 */
export function noteBindingRulesChange(tx: Transaction, method: AuthMethod, index: number, weight: number): void {
  writeMethods.note(tx, { ...method, rulesIndex: index, rulesWeight: weight });
}

/**
 * Deletes an auth method, and notes it for the removal of what it made.
 *
 * @param configSealed its configuration for the trash; undefined when it does not open, so that nothing could be restored
 */
export async function deleteMethod(
  tx: Transaction,
  method: AuthMethod,
  deletion: Deletion,
  configSealed: string | undefined,
): Promise<void> {
  const { id, scope, name } = method;
  if (configSealed === undefined) writeMethods.remove(tx, [method]);
  else await writeMethods.discard(tx, method, deletion, configSealed);
  tx.write(insertDeleted, { id, partition: scope.partition, name, now: new Date(deletion.at).toISOString() });
}

import { sql, type SqlBool } from "kysely";
import { defineQuery, oneOf } from "../../storage/reads/query.ts";
import type { StoredBindingRule } from "../bindings/compiled-binding-rules.ts";
import type { ListScope } from "../../rights/permission.ts";
import type { PageRequest } from "../../lists/page.ts";
import type { RecordOf } from "../kit/records.ts";
import { fold } from "../../fold.ts";
import { scopedStore, type SortedObjects } from "../kit/scoped-objects.ts";
import type { Deletion } from "../kit/trash.ts";
import type { Reader, Transaction } from "../../storage/database.ts";

export type BindingRule = RecordOf<"binding_rules">;

/** A rule is gone from the write on that deletes its auth method. */
const methodLives = sql<SqlBool>`exists (select 1 from auth_methods m where m.id = binding_rules.method_id)`;

export const { reads: bindingRuleStore, writes: writeBindingRules } = scopedStore<BindingRule>("binding_rules", {
  search: ["description", "bind_name", "selector", "id"],
  searchSorted: ["id", "bind_name", "selector"],
  lives: methodLives,
});

/** Binding rules in order of namespaces and IDs, after that of the page. @param authMethod name of theirs in any case; empty for all */
export function listBindingRules(
  db: Reader,
  scope: ListScope,
  authMethod: string,
  page: PageRequest & { size: number },
): Promise<BindingRule[]> {
  if (authMethod === "") return bindingRuleStore.list(db, scope, page);
  return bindingRuleStore.list(db, scope, page, [isOfMethod(db, scope, authMethod)], true);
}

/** The same in the order that is asked for. */
export function sortedBindingRules(authMethod: string): SortedObjects<BindingRule> {
  return bindingRuleStore.sorted((db, scope) =>
    Promise.resolve(authMethod === "" ? [] : [isOfMethod(db, scope, authMethod)]),
  );
}

function isOfMethod(db: Reader, scope: ListScope, authMethod: string) {
  const methods = db.sql
    .selectFrom("auth_methods")
    .select("auth_methods.id")
    .where("auth_methods.partition", "=", scope.partition)
    .where("auth_methods.name_key", "=", fold(authMethod))
    .$if(scope.visible === undefined, (one) => one.where("auth_methods.namespace", "=", scope.namespace));
  return sql<SqlBool>`method_id in ${methods}`;
}

const ofMethod = defineQuery((db, p: { methodId: string; after: string; limit: number }) =>
  db
    .selectFrom("binding_rules")
    .selectAll()
    .where("method_id", "=", p.methodId)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);

/** Rules of a method, in order of their IDs, after one of them. */
export async function listBindingRulesOfMethod(
  db: Reader,
  methodId: string,
  after: string,
  limit: number,
): Promise<StoredBindingRule[]> {
  return (await db.run(ofMethod, { methodId, after, limit })).map(contentOf);
}

/** No more of each than that: they are kept. @throws StorageDamaged */
function contentOf(row: object): StoredBindingRule {
  const { id, selector, bindType, bindName, bindVars, modifyIndex } = bindingRuleStore.of(row);
  return { id, selector, bindType, bindName, bindVars, modifyIndex };
}

const versionsOfMethod = defineQuery((db, p: { methodId: string; after: string; limit: number }) =>
  db
    .selectFrom("binding_rules")
    .select(["id", "modify_index as modifyIndex"])
    .where("method_id", "=", p.methodId)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);

/** Which rules a method has, in order of their IDs, after one of them, and when each was written. They are not proven. */
export function listVersionsOfMethod(
  db: Reader,
  methodId: string,
  after: string,
  limit: number,
): Promise<Pick<StoredBindingRule, "id" | "modifyIndex">[]> {
  return db.run(versionsOfMethod, { methodId, after, limit });
}

const several = defineQuery((db, p: { methodId: string; ids: readonly string[] }, engine) =>
  db
    .selectFrom("binding_rules")
    .selectAll()
    .where("method_id", "=", p.methodId)
    .where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** Some of a method's rules, in no order; those that are gone are left out. */
export async function readBindingRulesOfMethod(
  db: Reader,
  methodId: string,
  ids: readonly string[],
): Promise<StoredBindingRule[]> {
  return (await db.run(several, { methodId, ids })).map(contentOf);
}

export function deleteBindingRule(tx: Transaction, bindingRule: BindingRule, deletion: Deletion): Promise<void> {
  return writeBindingRules.discard(tx, bindingRule, deletion);
}

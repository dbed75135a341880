import { sql, type SqlBool } from "kysely";
import { contains } from "../../storage/conditions.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { definePoint, defineQuery } from "../../storage/query.ts";
import { checkProof, provenRows, type Content } from "../../storage/proofs.ts";
import { behind, inListScope, outsideListScope } from "../../storage/scoped.ts";
import type { BindingRulesTable } from "../../storage/tables.ts";
import type { ListScope } from "../list-scope.ts";
import type { PageRequest } from "../page.ts";
import { fold } from "../rules/fold.ts";
import { isIn, type Scope } from "../scope.ts";

export interface BindingRule {
  id: string;
  scope: Scope;
  /** ID of its auth method, which tells it from a later one of the same name. */
  methodId: string;
  /** The name, as the rule was written with. */
  authMethod: string;
  description: string;
  selector: string;
  bindType: string;
  bindName: string;
  /** The one variable that templated policies have; undefined where no variables were given. */
  bindVars: { name: string | undefined } | undefined;
  createIndex: number;
  modifyIndex: number;
}

function ruleOf(row: BindingRulesTable): BindingRule {
  checkProof("binding_rules", row);
  return {
    id: row.id,
    scope: { partition: row.partition, namespace: row.namespace },
    methodId: row.method_id,
    authMethod: row.auth_method,
    description: row.description,
    selector: row.selector,
    bindType: row.bind_type,
    bindName: row.bind_name,
    bindVars: row.bind_vars === "" ? undefined : (JSON.parse(row.bind_vars) as { name: string | undefined }),
    createIndex: row.create_index,
    modifyIndex: row.modify_index,
  };
}

function rowOf(rule: BindingRule): Content<"binding_rules"> {
  return {
    ...rule.scope,
    id: rule.id,
    method_id: rule.methodId,
    auth_method: rule.authMethod,
    description: rule.description,
    selector: rule.selector,
    bind_type: rule.bindType,
    bind_name: rule.bindName,
    bind_vars: rule.bindVars === undefined ? "" : JSON.stringify(rule.bindVars),
    create_index: rule.createIndex,
    modify_index: rule.modifyIndex,
  };
}

/** A rule is gone from the write on that deletes its auth method. */
const methodLives = sql<SqlBool>`exists (select 1 from auth_methods m where m.id = binding_rules.method_id)`;

const byId = definePoint("binding_rules.id", (db) => db.selectFrom("binding_rules").selectAll().where(methodLives));

/** Finds a binding rule by its ID; one of another scope is not found. */
export async function findRule(db: Reader, scope: Scope, id: string): Promise<BindingRule | undefined> {
  const row = await db.point(byId, id);
  const rule = row && ruleOf(row);
  return rule !== undefined && isIn(rule.scope, scope) ? rule : undefined;
}

/** Binding rules in order of namespaces and IDs, after that of the page. @param authMethod name of theirs in any case; empty for all */
export async function listRules(
  db: Reader,
  scope: ListScope,
  authMethod: string,
  page: PageRequest & { size: number },
): Promise<BindingRule[]> {
  const searched = fold(page.search);
  const has = (column: string) => contains(db.engine, sql`lower(${sql.ref(column)})`, searched);
  const rows = await db.sql
    .selectFrom("binding_rules")
    .selectAll()
    .where(inListScope(db.engine, scope))
    .where(behind(scope, "id", page.after))
    .where(methodLives)
    .$if(authMethod !== "", (query) =>
      query.where("method_id", "in", (methods) =>
        methods
          .selectFrom("auth_methods")
          .select("auth_methods.id")
          .where("auth_methods.partition", "=", scope.partition)
          .where("auth_methods.name_key", "=", fold(authMethod))
          .$if(scope.visible === undefined, (one) => one.where("auth_methods.namespace", "=", scope.namespace)),
      ),
    )
    .$if(searched !== "", (query) =>
      query.where((eb) => eb.or([has("description"), has("bind_name"), has("selector"), has("id")])),
    )
    .orderBy("namespace")
    .orderBy("id")
    .limit(page.size)
    .execute();
  return rows.map(ruleOf);
}

/** Whether the partition has binding rules that the caller may not read. */
export async function hasHiddenRules(db: Reader, scope: ListScope): Promise<boolean> {
  const outside = outsideListScope(db.engine, scope);
  if (outside === undefined) return false;
  const hidden = db.sql.selectFrom("binding_rules").select("id").where(outside).where(methodLives).limit(1);
  return (await hidden.execute()).length > 0;
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

/** What logins need of a rule. */
export type RuleContent = Pick<BindingRule, "id" | "selector" | "bindType" | "bindName" | "bindVars" | "modifyIndex">;

/** Rules of a method, in order of their IDs, after one of them. */
export async function listRulesOfMethod(
  db: Reader,
  methodId: string,
  after: string,
  limit: number,
): Promise<RuleContent[]> {
  // No more of each than that: they are kept.
  return (await db.run(ofMethod, { methodId, after, limit })).map((row) => {
    const { id, selector, bindType, bindName, bindVars, modifyIndex } = ruleOf(row);
    return { id, selector, bindType, bindName, bindVars, modifyIndex };
  });
}

const stored = provenRows("binding_rules", ["partition", "namespace", "method_id", "auth_method", "create_index"]);
const remove = defineQuery((db, p: { id: string }) => db.deleteFrom("binding_rules").where("id", "=", p.id));

export function insertRule(tx: Transaction, rule: BindingRule): void {
  stored.insert(tx, rowOf(rule));
}

/** Writes what may change of a binding rule: never its scope and auth method. */
export function updateRule(tx: Transaction, rule: BindingRule): void {
  stored.update(tx, rowOf(rule));
}

export function deleteRule(tx: Transaction, id: string): void {
  tx.write(remove, { id });
}

/**
 * Binding rules: what the identities of an auth method are given at login.
 * Implements `/v1/acl/binding-rule` and `/v1/acl/binding-rules`. What a rule
 * says is checked by `binding.ts`; logins apply them by `compiled-binding-rules.ts`.
 */
import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Transaction } from "../../storage/database.ts";
import { orRefuse } from "../kit/ask.ts";
import { methodStore, noteBindingRulesChange, type AuthMethod } from "../auth-methods/store.ts";
import { checkCas, changePrepared, checkMayWrite, Outdated, Settled, type NoteChange } from "../kit/write.ts";
import { deleteObject, listObjects, readObject, type Edit, type WriteTarget } from "../kit/objects.ts";
import type { ListOf } from "../../lists/page.ts";
import { checkPermission } from "../../rights/permission.ts";
import { fold } from "../../fold.ts";
import type { Scope } from "../../rights/scope.ts";
import { checkUuid, newUuid } from "../../rights/uuid.ts";
import { checkContent } from "../bindings/binding.ts";
import {
  askOfMethod,
  checkWeight,
  edited,
  findToUpdate,
  keyOf,
  weightOf,
  type BindingRuleChecks,
  type BindingRuleInput,
} from "./asked.ts";
import { noted, REPEATED_RULES, type IdempotentRequest, type Noted } from "../idempotency.ts";
import { BINDING_RULES } from "../../rights/kinds.ts";
import type { Restoring } from "../kit/trash.ts";
import {
  bindingRuleStore,
  writeBindingRules,
  deleteBindingRule as deleteRow,
  listBindingRules as listRows,
  sortedBindingRules,
  type BindingRule,
} from "./store.ts";

export type { BindingRuleChecks, BindingRuleInput } from "./asked.ts";
export type { BindingRule } from "./store.ts";

/** @throws AppError `not_found`, `forbidden` */
export async function readBindingRule(ctx: Context, scope: Scope, id: string): Promise<BindingRule> {
  return readObject(ctx, scope, "binding rule", () =>
    bindingRuleStore.find(ctx.db, scope, checkUuid(id, "binding rule")),
  );
}

/**
 * The list of binding rules, in order of namespaces and IDs.
 *
 * @param authMethod name of theirs in any case; empty for all
 * @throws AppError `forbidden`
 */
export function listBindingRules(ctx: Context, asked: Scope, authMethod: string): ListOf<BindingRule> {
  return listObjects<BindingRule>(ctx, asked, () => ({
    isFiltered: authMethod !== "",
    ...bindingRuleStore,
    list: (db, scope, page) => listRows(db, scope, authMethod, page),
    sorted: sortedBindingRules(authMethod),
  }));
}

/** Origin of a new binding rule. */
export interface NewBindingRule {
  idempotent: IdempotentRequest | undefined;
  /** Set when the rule comes from the trash. */
  restoring?: Restoring;
}

/**
 * Makes a binding rule; or gives the one that the same request made before, when it has a key that says so.
 *
 * @throws AppError `invalid`, `conflict`, `forbidden`, `rate_limited`
 */
export async function createBindingRule(
  ctx: Context,
  { scope, cas }: WriteTarget,
  input: BindingRuleInput,
  { idempotent, restoring, ...checks }: BindingRuleChecks & NewBindingRule,
): Promise<BindingRule> {
  await checkMayWrite(ctx, scope);
  const note = idempotent && noted(ctx, scope, idempotent, REPEATED_RULES);
  const id = restoring?.objectId ?? newUuid();
  return changePrepared(
    ctx,
    scope,
    `rules of ${fold(input.authMethod)}`,
    async () => (await repeatedRule(ctx, scope, note)) ?? (await askOfMethod(orRefuse, ctx.db, scope, input, checks)),
    async (tx, change, { method }) => {
      const [index, current, earlier] = await Promise.all([
        tx.index(),
        methodStore.anywhere(tx, method.id),
        note?.findOrCheckRoom(tx),
      ]);
      if (!isSame(method, current) || earlier !== undefined) throw new Outdated();
      checkCas(cas, undefined);
      await restoring?.take(tx, {});
      const rulesWeight = checkWeight(current, weightOf(input));
      const ofMethod = { authMethod: method.name, methodId: method.id };
      const bindingRule = { ...input, ...ofMethod, id, scope, createIndex: index, modifyIndex: index };
      writeBindingRules.insert(tx, bindingRule, restoring?.told);
      note?.note(tx, id);
      tell(tx, change, current, bindingRule, rulesWeight);
      checks.bindingRuleSets.noteWrite(current, index);
      return bindingRule;
    },
  );
}

/** Returns the current state of the rule that the earlier request made. */
async function repeatedRule(
  { db }: Context,
  scope: Scope,
  note: Noted | undefined,
): Promise<Settled<BindingRule> | undefined> {
  const id = await note?.find(db);
  if (id === undefined) return undefined;
  const bindingRule = await bindingRuleStore.find(db, scope, id);
  if (bindingRule !== undefined) return new Settled(bindingRule);
  throw new AppError("conflict", "The binding rule that was created with this Idempotency-Key has been deleted");
}

/**
 * Replaces a binding rule by what `edit` makes of it.
 *
 * @throws AppError `not_found`, `invalid`, `conflict`, `forbidden`
 */
export async function updateBindingRule(
  ctx: Context,
  { scope, key: id, cas }: WriteTarget,
  edit: Edit<BindingRuleInput>,
  checks: BindingRuleChecks,
): Promise<BindingRule> {
  await checkMayWrite(ctx, scope);
  const key = keyOf(id);
  return changePrepared(
    ctx,
    scope,
    `rule ${key}`,
    async () => {
      const current = await findToUpdate(ctx.db, scope, key);
      const input = edited(current, edit);
      return { input, ...(await askOfMethod(orRefuse, ctx.db, scope, input, checks)) };
    },
    async (tx, change, { input, method, form }) => {
      const [index, found, current] = await Promise.all([
        tx.index(),
        methodStore.anywhere(tx, method.id),
        bindingRuleStore.find(tx, scope, key),
      ]);
      if (current === undefined || !isSame(method, found)) throw new Outdated();
      checkCas(cas, current);
      const content = edited(current, edit);
      // Another writer has changed it since. With a restart each time, many concurrent writers would not end.
      if (!isDeepStrictEqual(content, input)) checkContent(content, form, checks.regularExpressions);
      const rulesWeight = checkWeight(found, weightOf(content) - weightOf(current));
      const bindingRule: BindingRule = { ...current, ...content, authMethod: found.name, modifyIndex: index };
      writeBindingRules.update(tx, bindingRule, current);
      tell(tx, change, found, bindingRule, rulesWeight);
      checks.bindingRuleSets.noteWrite(found, index);
      return bindingRule;
    },
  );
}

/** @throws AppError `not_found`, `conflict`, `forbidden` */
export async function deleteBindingRule(ctx: Context, { scope, key: id, cas }: WriteTarget): Promise<void> {
  checkPermission(ctx, scope, "acl", "write");
  const key = checkUuid(id, "binding rule");
  const find = (tx: Transaction) => bindingRuleStore.find(tx, scope, key);
  await deleteObject(ctx, scope, { noun: "binding rule", cas }, find, async (tx, change, current, deletion) => {
    const [index, method] = await Promise.all([tx.index(), methodStore.anywhere(tx, current.methodId)]);
    // Without it the rule would not have been found.
    if (method === undefined) throw new AppError("not_found", "Cannot find binding rule to delete");
    await deleteRow(tx, current, deletion);
    tell(tx, change, method, { ...current, modifyIndex: index }, method.rulesWeight - weightOf(current));
  });
}

/** Notifies of changed rules: logins by the row of the method, all others by the change itself. */
function tell(
  tx: Transaction,
  change: NoteChange,
  method: AuthMethod,
  { id, modifyIndex }: BindingRule,
  rulesWeight: number,
): void {
  noteBindingRulesChange(tx, method, modifyIndex, rulesWeight);
  change(BINDING_RULES, id);
}

/** Whether a method is still the one that it was checked against. */
function isSame(method: AuthMethod, current: AuthMethod | undefined): current is AuthMethod {
  return current?.modifyIndex === method.modifyIndex;
}

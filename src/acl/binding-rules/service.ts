/**
 * Binding rules: what the identities of an auth method are given at login.
 * Implements `/v1/acl/binding-rule` and `/v1/acl/binding-rules`. What a rule
 * says is checked by `binding.ts`; logins apply them by `compiled-binding-rules.ts`.
 */
import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import type { IdentityForm } from "../../identities/validator.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import type { Transaction } from "../../storage/database.ts";
import { methodStore, noteBindingRulesChange, type AuthMethod } from "../auth-methods/store.ts";
import type { Validators } from "../auth-methods/validators.ts";
import { checkCas, changePrepared, checkMayWrite, Outdated, Settled, type Change } from "../write.ts";
import { deleteObject, listObjects, readObject, type Edit, type Target } from "../objects.ts";
import type { ListOf } from "../page.ts";
import { checkPermission } from "../permission.ts";
import { fold } from "../rules/fold.ts";
import { DEFAULT_SCOPE, type Scope } from "../scope.ts";
import { checkUuid, isUuid, newUuid } from "../uuid.ts";
import type { BindingRuleSets } from "../login/binding-rule-sets.ts";
import { checkContent, isOfNodes, type BindingRuleContent } from "../bindings/binding.ts";
import { noted, REPEATED_RULES, type IdempotentRequest, type Noted } from "../idempotency.ts";
import { BINDING_RULES } from "../kinds.ts";
import {
  bindingRuleStore,
  writeBindingRules,
  deleteBindingRule as deleteRow,
  listBindingRules as listRows,
  sortedBindingRules,
  type BindingRule,
} from "./store.ts";

export type { BindingRule } from "./store.ts";

/** What a request says of a binding rule; without an `authMethod`, that of the stored one. */
export type BindingRuleInput = Pick<BindingRule, "authMethod" | "description"> & BindingRuleContent;

/** What rules are checked with when they are written. */
export interface BindingRuleChecks {
  validators: Validators;
  /** Compiles their patterns. */
  regularExpressions: RegularExpressions;
  /** Rules that logins have compiled. */
  bindingRuleSets: BindingRuleSets;
}

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

/**
 * Makes a binding rule; or gives the one that the same request made before, when it has a key that says so.
 *
 * @throws AppError `invalid`, `conflict`, `forbidden`, `rate_limited`
 */
export async function createBindingRule(
  ctx: Context,
  { scope, cas }: Target,
  input: BindingRuleInput,
  { idempotent, ...checks }: BindingRuleChecks & { idempotent: IdempotentRequest | undefined },
): Promise<BindingRule> {
  await checkMayWrite(ctx, scope);
  const note = idempotent && noted(ctx, scope, idempotent, REPEATED_RULES);
  const id = newUuid();
  return changePrepared(
    ctx,
    scope,
    `rules of ${fold(input.authMethod)}`,
    async () => (await repeatedRule(ctx, scope, note)) ?? (await checkAgainstMethod(ctx, scope, input, checks)),
    async (tx, change, { method }) => {
      const [index, current, earlier] = await Promise.all([
        tx.index(),
        methodStore.anywhere(tx, method.id),
        note?.findOrCheckRoom(tx),
      ]);
      if (!isSame(method, current) || earlier !== undefined) throw new Outdated();
      checkCas(cas, undefined);
      const rulesWeight = checkWeight(current, weightOf(input));
      const bindingRule = { ...input, id, scope, methodId: method.id, createIndex: index, modifyIndex: index };
      writeBindingRules.insert(tx, bindingRule);
      note?.note(tx, id);
      tell(tx, change, current, bindingRule, rulesWeight);
      return bindingRule;
    },
  );
}

/** What the same request made before, as it is now. */
async function repeatedRule(
  { db }: Context,
  scope: Scope,
  note: Noted | undefined,
): Promise<Settled<BindingRule> | undefined> {
  const id = await note?.find(db);
  if (id === undefined) return undefined;
  const bindingRule = await bindingRuleStore.find(db, scope, id);
  if (bindingRule !== undefined) return new Settled(bindingRule);
  throw new AppError("conflict", "The binding rule that was made with this Idempotency-Key has been deleted");
}

/**
 * Replaces a binding rule by what `edit` makes of it.
 *
 * @throws AppError `not_found`, `invalid`, `conflict`, `forbidden`
 */
export async function updateBindingRule(
  ctx: Context,
  { scope, key: id, cas }: Target,
  edit: Edit<BindingRuleInput>,
  checks: BindingRuleChecks,
): Promise<BindingRule> {
  await checkMayWrite(ctx, scope);
  if (!isUuid(id)) throw new AppError("not_found", "Binding Rule ID invalid UUID");
  const key = id.toLowerCase();
  return changePrepared(
    ctx,
    scope,
    `rule ${key}`,
    async () => {
      const current = await bindingRuleStore.find(ctx.db, scope, key);
      if (current === undefined) throw new AppError("not_found", `cannot find binding rule ${key}`);
      const input = edited(current, edit);
      return { input, ...(await checkAgainstMethod(ctx, scope, input, checks)) };
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
      // Somebody else has changed it since. To begin anew each time, many at once would not come to an end.
      if (!isDeepStrictEqual(content, input)) checkContent(content, form, checks.regularExpressions);
      const rulesWeight = checkWeight(found, weightOf(content) - weightOf(current));
      const bindingRule: BindingRule = { ...current, ...content, modifyIndex: index };
      writeBindingRules.update(tx, bindingRule, current);
      tell(tx, change, found, bindingRule, rulesWeight);
      return bindingRule;
    },
  );
}

/**
 * What an edit makes of a rule.
 *
 * @throws AppError `invalid` when it would be of another auth method
 */
function edited(current: BindingRule, edit: Edit<BindingRuleInput>): BindingRuleInput {
  const input = edit(current);
  const { authMethod } = current;
  if (input.authMethod === "" || input.authMethod === authMethod) return { ...input, authMethod };
  throw invalid("the AuthMethod field of an Binding Rule is immutable");
}

/** @throws AppError `not_found`, `conflict`, `forbidden` */
export async function deleteBindingRule(ctx: Context, { scope, key: id, cas }: Target): Promise<void> {
  checkPermission(ctx, scope, "acl", "write");
  const key = checkUuid(id, "binding rule");
  const find = (tx: Transaction) => bindingRuleStore.find(tx, scope, key);
  await deleteObject(ctx, scope, { noun: "binding rule", cas }, find, async (tx, change, current) => {
    const [index, method] = await Promise.all([tx.index(), methodStore.anywhere(tx, current.methodId)]);
    // Without it the rule would not have been found.
    if (method === undefined) throw new AppError("not_found", "Cannot find binding rule to delete");
    deleteRow(tx, current);
    tell(tx, change, method, { ...current, modifyIndex: index }, method.rulesWeight - weightOf(current));
  });
}

/** Logins see by the method's row that its rules have changed, everybody else by the change itself. */
function tell(
  tx: Transaction,
  change: Change,
  method: AuthMethod,
  { id, modifyIndex }: BindingRule,
  rulesWeight: number,
): void {
  noteBindingRulesChange(tx, method, modifyIndex, rulesWeight);
  change(BINDING_RULES, id);
}

/**
 * Checks what a rule says against the identities of its method.
 *
 * @returns the method as it was then, and the form of its identities
 * @throws AppError `invalid`
 */
async function checkAgainstMethod(
  { db }: Context,
  scope: Scope,
  input: BindingRuleInput,
  { validators, regularExpressions }: BindingRuleChecks,
): Promise<{ method: AuthMethod; form: IdentityForm }> {
  const { authMethod } = input;
  if (authMethod === "") throw invalid("Invalid Binding Rule: no AuthMethod is set");
  const method = await methodStore.byName(db, scope, authMethod);
  if (method === undefined) throw invalid(`cannot find auth method with name "${authMethod}"`);
  const { form } = await validators.of(method);
  checkContent(input, form, regularExpressions);
  checkCanCount(input, method);
  return { method, form };
}

/**
 * Refuses what would be passed over at each login: what is for a node, of a method in another namespace than `default`. Only
 * methods in `default` have tokens elsewhere.
 *
 * @throws AppError `invalid`
 */
function checkCanCount({ bindType, bindName: name }: BindingRuleInput, { scope }: AuthMethod): void {
  if (scope.namespace === DEFAULT_SCOPE.namespace || !isOfNodes({ bindType, name })) return;
  const what = bindType === "node" ? "Node identities count" : `The templated policy "${name}" counts`;
  throw invalid(
    `Invalid Binding Rule: ${what} only in the namespace "${DEFAULT_SCOPE.namespace}", where no token of this auth method lies`,
  );
}

/** The weight of a rule without a selector. */
export const RULE_WEIGHT = 500;

/** What a rule takes of the memory of a server that keeps it compiled, in bytes, about. */
function weightOf({ selector }: Pick<BindingRuleInput, "selector">): number {
  return RULE_WEIGHT + 4 * selector.length;
}

/** Rules are kept compiled: so many that 30,000 usual ones fit, and nobody fills the memory of the server. */
const MOST_WEIGHT = 32 * 1024 * 1024;

/**
 * What the rules of a method weigh together after a change.
 *
 * @throws AppError `invalid` when that is too much, and more than before
 */
function checkWeight({ name, rulesWeight }: AuthMethod, change: number): number {
  const weight = rulesWeight + change;
  if (weight <= MOST_WEIGHT || change <= 0) return weight;
  throw invalid(`The binding rules of auth method "${name}" are too many, or their selectors too long`);
}

/** Whether a method is still the one that it was checked against. */
function isSame(method: AuthMethod, current: AuthMethod | undefined): current is AuthMethod {
  return current?.modifyIndex === method.modifyIndex;
}

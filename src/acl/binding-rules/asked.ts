/**
 * The questions that a binding rule is asked before it is written, and by a check that writes nothing: by itself, and beside
 * its auth method.
 */
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import type { IdentityForm } from "../../identities/validator.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import type { Reader } from "../../storage/database.ts";
import type { AskQuestion } from "../kit/ask.ts";
import { methodStore, type AuthMethod } from "../auth-methods/store.ts";
import type { Validators } from "../auth-methods/validators.ts";
import { checkGiven, checkRuleSelector, isOfNodes, type BindingRuleContent } from "../bindings/binding.ts";
import type { BindingRuleSets } from "../login/binding-rule-sets.ts";
import { checkLiving } from "../namespaces/living.ts";
import type { Edit } from "../kit/objects.ts";
import { fold } from "../../fold.ts";
import { DEFAULT_SCOPE, type Scope } from "../../rights/scope.ts";
import { isUuid } from "../../rights/uuid.ts";
import { bindingRuleStore, type BindingRule } from "./store.ts";

/** A binding rule as a request has it; without an `authMethod`, that of the stored one counts. */
export type BindingRuleInput = Pick<BindingRule, "authMethod" | "description"> & BindingRuleContent;

/** Means of checking rules when they are written. */
export interface BindingRuleChecks {
  validators: Validators;
  /** Compiles their patterns. */
  regularExpressions: RegularExpressions;
  /** Rules that logins have compiled. */
  bindingRuleSets: BindingRuleSets;
  /** The method as it is to be, which counts in place of the stored one; for a check alone. */
  planned?: AuthMethod;
}

/**
 * Makes the new content of a rule.
 *
 * @throws AppError `invalid` when it would be of another auth method
 */
export function edited(current: BindingRule, edit: Edit<BindingRuleInput>): BindingRuleInput {
  const input = edit(current);
  const { authMethod } = current;
  // Methods are found in any case of their names.
  if (input.authMethod === "" || fold(input.authMethod) === fold(authMethod)) return { ...input, authMethod };
  throw invalid("the AuthMethod field of an Binding Rule is immutable");
}

/** @throws AppError `not_found` for what is no ID */
export function keyOf(id: string): string {
  if (!isUuid(id)) throw new AppError("not_found", "Binding Rule ID invalid UUID");
  return id.toLowerCase();
}

/** @throws AppError `not_found` */
export async function findToUpdate(db: Reader, scope: Scope, key: string): Promise<BindingRule> {
  const current = await bindingRuleStore.find(db, scope, key);
  if (current === undefined) throw new AppError("not_found", `cannot find binding rule ${key}`);
  return current;
}

/** A method as it was when a rule was checked, and the form of its identities. */
interface Checked {
  method: AuthMethod;
  form: IdentityForm;
}

/** Asks of a rule all that follows from the identities of its method. */
export async function askOfMethod<E extends undefined>(
  ask: AskQuestion<E>,
  db: Reader,
  scope: Scope,
  input: BindingRuleInput,
  checks: BindingRuleChecks,
): Promise<Checked | E> {
  const { regularExpressions } = checks;
  const found = await ask("AuthMethod", () => methodOf(db, scope, input, checks));
  if (found === undefined) return found;
  await ask("Selector", () => checkRuleSelector(input, found.form, regularExpressions));
  await ask(input.bindType === "" ? "BindType" : "BindName", () => checkGiven(input, found.form));
  await ask("BindType", () => checkCanCount(input, found.method));
  return found;
}

async function methodOf(
  db: Reader,
  scope: Scope,
  { authMethod }: BindingRuleInput,
  { validators, planned }: BindingRuleChecks,
): Promise<Checked> {
  if (authMethod === "") throw invalid("Invalid Binding Rule: no AuthMethod is set");
  const method = planned ?? (await methodStore.byName(db, scope, authMethod));
  if (method === undefined) throw invalid(`cannot find auth method with name "${authMethod}"`);
  const { form } = await validators.of(method);
  return { method, form };
}

/**
 * Asks of a binding rule all that its write asks, and writes nothing.
 *
 * @param id of the one that it is to take the place of; empty for a new one
 * @returns its method, where there is one
 */
export async function askBindingRule<E extends undefined>(
  ask: AskQuestion<E>,
  { db }: Pick<Context, "db">,
  scope: Scope,
  id: string,
  given: BindingRuleInput,
  checks: BindingRuleChecks,
): Promise<AuthMethod | undefined> {
  await ask("Namespace", () => checkLiving(db, scope));
  const current = id === "" ? undefined : await ask("ID", () => findToUpdate(db, scope, keyOf(id)));
  const input = (current && (await ask("AuthMethod", () => edited(current, () => given)))) ?? given;
  const found = await askOfMethod(ask, db, scope, input, checks);
  if (found === undefined) return undefined;
  await ask("Selector", () => checkWeight(found.method, weightOf(input) - (current ? weightOf(current) : 0)));
  return found.method;
}

/**
 * Refuses what would be passed over at each login: what is for a node, of a method in another namespace than `default`. Only
 * methods in `default` have tokens elsewhere.
 *
 * @throws AppError `invalid`
 */
function checkCanCount({ bindType, bindName: name }: BindingRuleInput, { scope }: AuthMethod): void {
  if (scope.namespace === DEFAULT_SCOPE.namespace || !isOfNodes({ bindType, name })) return;
  const what = bindType === "node" ? "Node identities apply" : `The templated policy "${name}" applies`;
  throw invalid(
    `Invalid Binding Rule: ${what} only in the namespace "${DEFAULT_SCOPE.namespace}", where this auth method creates no tokens`,
  );
}

/** The weight of a rule without a selector. */
export const RULE_WEIGHT = 500;

/** Memory of a server that keeps the rule compiled, in bytes, about. */
export function weightOf({ selector }: Pick<BindingRuleInput, "selector">): number {
  return RULE_WEIGHT + 4 * selector.length;
}

/** Maximum memory of compiled rules: 30,000 usual ones fit, and no caller can fill the memory of the server. */
const MOST_WEIGHT = 32 * 1024 * 1024;

/**
 * Weighs the rules of a method together, after a change.
 *
 * @throws AppError `invalid` when that is too much, and more than before
 */
export function checkWeight({ name, rulesWeight }: AuthMethod, change: number): number {
  const weight = rulesWeight + change;
  if (weight <= MOST_WEIGHT || change <= 0) return weight;
  throw invalid(`Auth method "${name}" has too many or too long binding rules. Delete rules or shorten selectors`);
}

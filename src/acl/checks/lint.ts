/** Finds faults of policies, binding rules and auth methods, and whatever does not do what it seems to. */
import type { Context } from "../../context.ts";
import type { IdentityForm, Validator } from "../../identities/validator.ts";
import type { Reader } from "../../storage/database.ts";
import { askMethod, planMethod, type MethodInput, type MethodOptions } from "../auth-methods/asked.ts";
import { methodStore, type AuthMethod, type NamespaceRule } from "../auth-methods/store.ts";
import type { Validators } from "../auth-methods/validators.ts";
import { BindingError, planBinding, type BindingPlan } from "../bindings/binding.ts";
import type { CompiledBindingRules } from "../bindings/compiled-binding-rules.ts";
import { askBindingRule, RULE_WEIGHT, type BindingRuleChecks, type BindingRuleInput } from "../binding-rules/asked.ts";
import { listBindingRules } from "../binding-rules/store.ts";
import type { BindingRuleSets } from "../login/binding-rule-sets.ts";
import { MAX_LINKS } from "../grants.ts";
import { MANAGEMENT_POLICY } from "../policies/builtin.ts";
import { askPolicy, type PolicyEdition } from "../policies/service.ts";
import { policyStore, type PolicyInput } from "../policies/store.ts";
import { roleStore } from "../roles/store.ts";
import type { Scope } from "../../rights/scope.ts";
import { isComputed } from "../../templates/template.ts";
import { gatherErrors, MOST_FINDINGS, type LintFinding, type Findings } from "./finding.ts";
import { faultsOfOrigin, warningsOfDraft } from "./policies.ts";
import { unmappedClaims } from "./selector.ts";

/** Looks through what a policy says, for who may read where it is to lie. @param id of the one that it is to replace */
export async function lintPolicy(
  ctx: Pick<Context, "db">,
  scope: Scope,
  id: string,
  input: PolicyInput & { from: string },
  options: { edition: PolicyEdition; datacenter: string },
): Promise<Findings> {
  const { ask, errors } = gatherErrors({ Rules: input.rules });
  await askPolicy(ask, ctx, scope, id, input, options.edition);
  const foreign = await faultsOfOrigin(input.from, input.rules);
  return { errors: [...errors, ...foreign], warnings: await warningsOfDraft(ctx, scope, input, options) };
}

/**
 * Looks through what a binding rule says, for who may read where it is to lie.
 *
 * @param id of the one that it is to replace
 * @param given its auth method as it is to be; undefined for the stored one
 */
export async function lintBindingRule(
  ctx: Pick<Context, "db">,
  scope: Scope,
  id: string,
  input: BindingRuleInput,
  checks: BindingRuleChecks,
  given?: MethodInput,
): Promise<Findings> {
  if (given === undefined) return findingsOfRule(ctx, scope, id, input, checks);
  const { ask, errors } = gatherErrors();
  const planned = await ask("Method", () => planMethod(ctx, scope, input.authMethod, given, checks));
  if (planned === undefined) return { errors, warnings: [] };
  const { method, validator } = planned;
  try {
    const validators = { ...checks.validators, of: async () => validator };
    return await findingsOfRule(ctx, scope, id, input, { ...checks, validators, planned: method });
  } finally {
    validator.close();
  }
}

async function findingsOfRule(
  ctx: Pick<Context, "db">,
  scope: Scope,
  id: string,
  input: BindingRuleInput,
  checks: BindingRuleChecks,
): Promise<Findings> {
  const { ask, errors } = gatherErrors({ Selector: input.selector });
  const method = await askBindingRule(ask, ctx, scope, id, input, checks);
  if (method === undefined) return { errors, warnings: [] };
  const warnings = await warningsOfRule(ctx.db, method, await checks.validators.of(method), input);
  const rules = mayGiveTooMuch(method) ? await checks.bindingRuleSets.of(method) : undefined;
  return { errors, warnings: [...warnings, ...(await tooMuchGiven(rules, id))] };
}

/** The warnings alone, of a rule that was just written. */
export async function warningsOfBindingRule(
  { db }: Pick<Context, "db">,
  rule: BindingRuleInput & { id: string; methodId: string },
  { validators, bindingRuleSets }: Pick<BindingRuleChecks, "validators" | "bindingRuleSets">,
): Promise<readonly LintFinding[]> {
  const method = await methodStore.anywhere(db, rule.methodId);
  if (method === undefined) return [];
  const warnings = await warningsOfRule(db, method, await validators.of(method), rule);
  if (await hasRoom(bindingRuleSets, method)) return warnings;
  // To read very many rules for each that is written would cost too much.
  const isRead = mayGiveTooMuch(method) && method.rulesWeight < READ_WEIGHT;
  const rules = isRead ? await bindingRuleSets.of(method) : bindingRuleSets.kept(method.id);
  return [...warnings, ...(await tooMuchGiven(rules, rule.id))];
}

/**
 * Whether the rules cannot grant too much to one identity, by those that were compiled last: each write since then adds one grant at
 * most. Rules are compiled again only when that does not tell.
 */
async function hasRoom(sets: BindingRuleSets, method: AuthMethod): Promise<boolean> {
  const [last, written] = [sets.kept(method.id), sets.writtenSince(method)];
  if (last === undefined || written === undefined) return false;
  const most = Math.max(0, ...(await last.mostGiven()).values());
  return most + written <= MAX_LINKS;
}

/** Rules of so much weight, a thousand short ones, are compiled when one is written; of more, those are looked at that are at hand. */
const READ_WEIGHT = 1000 * RULE_WEIGHT;

/** Whether there are more rules than may be given of a kind; others need not be looked at. */
function mayGiveTooMuch({ rulesWeight }: AuthMethod): boolean {
  return rulesWeight > MAX_LINKS * RULE_WEIGHT;
}

/** @param rules of the method, with the one that it is about or without it; that one counts in any case */
async function tooMuchGiven(rules: CompiledBindingRules | undefined, id: string): Promise<LintFinding[]> {
  if (rules === undefined || rules.bindingRules.length < MAX_LINKS) return [];
  const more = rules.bindingRules.some((each) => each.id === id) ? 0 : 1;
  const findings: LintFinding[] = [];
  for (const [bindType, count] of await rules.mostGiven()) {
    if (count + more <= MAX_LINKS) continue;
    const message = `the binding rules of this auth method may grant one identity ${count + more} of type ${bindType}; logins with more than ${MAX_LINKS} are denied`;
    findings.push({ code: "too-much-given", message, member: "Selector" });
  }
  return findings;
}

async function warningsOfRule(
  db: Reader,
  method: AuthMethod,
  validator: Validator,
  input: BindingRuleInput,
): Promise<LintFinding[]> {
  const claims = unmappedClaims(input.selector, validator.form, "Selector");
  const linked = linkOf(input);
  if (linked === undefined) return claims;
  const { kind, name } = linked;
  // If tokens may be in another namespace, the name is looked up there.
  const isElsewhere = method.namespaceRules.length > 0 || validator.mapNamespace !== undefined;
  const policies = await policiesBehind(db, method.scope, linked);
  if (policies === undefined) {
    if (isElsewhere) return claims;
    const message = `${kind} ${JSON.stringify(name)} does not exist; the binding rule grants nothing until it is created`;
    return [...claims, { code: kind === "role" ? "missing-role" : "missing-policy", message, member: "BindName" }];
  }
  if (input.selector !== "" || !policies.some(isManagement)) return claims;
  const message = `no selector: every identity of auth method ${JSON.stringify(method.name)} gets full access`;
  return [...claims, { code: "management-for-all", message, member: "Selector" }];
}

/** The role or policy that a rule names outright. */
function linkOf(input: BindingRuleInput): { kind: "role" | "policy"; name: string } | undefined {
  let plan: BindingPlan;
  try {
    plan = planBinding(input);
  } catch (error) {
    if (error instanceof BindingError) return undefined;
    throw error;
  }
  if (plan.bindType !== "role" && plan.bindType !== "policy") return undefined;
  return isComputed(plan.name) ? undefined : { kind: plan.bindType, name: plan.name.text };
}

/** The policies that it comes to; undefined when there is no such role or policy. */
async function policiesBehind(db: Reader, scope: Scope, { kind, name }: { kind: "role" | "policy"; name: string }) {
  if (kind === "policy") {
    const policy = await policyStore.byName(db, scope, name);
    return policy && [policy];
  }
  const role = await roleStore.byName(db, scope, name);
  return role && policyStore.all(db, scope, role.policies);
}

function isManagement({ id, name }: { id: string; name: string }): boolean {
  return id === MANAGEMENT_POLICY || name === "namespace-management";
}

/** Checks an auth method, for a caller who may read in its scope. Contacts no address that the method names. */
export async function lintAuthMethod(
  ctx: Pick<Context, "db">,
  scope: Scope,
  name: string,
  input: MethodInput,
  options: MethodOptions,
): Promise<Findings> {
  const { ask, errors } = gatherErrors();
  const read = await askMethod(ask, ctx, scope, name, input, options);
  if (read === undefined) return { errors, warnings: [] };
  return { errors, warnings: await warningsOfForm(ctx.db, scope, read.before?.name, input.namespaceRules, read.form) };
}

/** The warnings alone, of a method that was just written. */
export async function warningsOfAuthMethod(
  { db }: Pick<Context, "db">,
  method: AuthMethod,
  validators: Validators,
): Promise<readonly LintFinding[]> {
  const { scope, name, namespaceRules, rulesWeight } = method;
  if (namespaceRules.length === 0 && rulesWeight === 0) return [];
  return warningsOfForm(db, scope, name, namespaceRules, (await validators.of(method)).form);
}

/** Binding rules of a method that are looked at for claims which it does not map. */
const MOST_RULES = 200;

async function warningsOfForm(
  db: Reader,
  scope: Scope,
  name: string | undefined,
  namespaceRules: readonly NamespaceRule[],
  form: IdentityForm,
): Promise<readonly LintFinding[]> {
  const ownRules = namespaceRules.flatMap(({ selector }, index) =>
    unmappedClaims(selector, form, `NamespaceRules[${index}].Selector`),
  );
  const rules =
    name === undefined ? [] : await listBindingRules(db, scope, name, { size: MOST_RULES, after: "", search: "" });
  const ofRules = rules.flatMap(({ id, selector }) => unmappedClaims(selector, form, `BindingRule ${id}`));
  return [...ownRules, ...ofRules].slice(0, MOST_FINDINGS);
}

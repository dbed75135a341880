/** The binding rules of an auth method, made ready for logins: read once, indexed, and asked of each identity in turn. */
import type { VerifiedIdentity } from "../../identities/validator.ts";
import type { Identity } from "../../selectors/identity.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { onceShared } from "../../callers.ts";
import { fold } from "../../fold.ts";
import {
  BindingError,
  computeBinding,
  planBinding,
  type GrantedBinding,
  type BindingPlan,
  type BindingRuleContent,
  LoginRefused,
} from "./binding.ts";
import { indexByNeeds } from "./binding-rule-index.ts";
import { mostTogether, type MostGiven, type Together } from "./most-together.ts";
import { decideSelection, selectBy, type RuleSelection, createSharing } from "./selection.ts";
import { shareExpressions } from "./shared-expressions.ts";
import { atOnce, workInTurns } from "../../turns.ts";
import { startBudget } from "./work-budget.ts";

/** A binding rule as it is stored. */
export interface StoredBindingRule extends BindingRuleContent {
  readonly id: string;
  readonly modifyIndex: number;
}

/** A rule of which no more was read: it is what it was when it was compiled last. */
export type UnchangedBindingRule = Pick<StoredBindingRule, "id" | "modifyIndex">;

/** Grant of a rule to an identity that matches it. */
export interface Bound extends GrantedBinding {
  readonly bindingRuleId: string;
}

type SharedPlan = BindingPlan | BindingError;

export interface CompiledBindingRule {
  readonly id: string;
  readonly modifyIndex: number;
  readonly selection: RuleSelection;
  /** Or why nothing can be given. */
  readonly plan: SharedPlan;
}

export interface CompiledBindingRules {
  /** In order of their IDs. */
  readonly bindingRules: readonly CompiledBindingRule[];
  /** Plans of the rules, by their texts: a rule that is compiled alone finds the plan that it shares with others. */
  readonly plans: ReadonlyMap<string, SharedPlan>;
  /** Engine that the selectors were compiled with. */
  readonly regularExpressions: RegularExpressions;
  /** Approximate memory in bytes. */
  readonly bytes: number;
  /** Index of the last write to one of the rules; each later write of a rule has a greater one. 0 without rules. */
  readonly newest: number;
  /**
   * Returns the grants of the rules that match, in order of the rules' IDs. Of equal grants the
   * result contains one: the grant of the rule that writes the name out, else the first one.
   *
   * @throws {LoginRefused} when a rule that matches cannot make its grant
   */
  matching(identity: VerifiedIdentity): Bound[];
  /** Returns the result of `matching`, in turns with other work: it may take long. */
  matchingInTurns(identity: VerifiedIdentity): Promise<Bound[]>;
  /** Returns the largest grants that one identity may get; computed at the first call. */
  mostGiven(): Promise<MostGiven>;
  /** The rules that the index does not rule out, as places in `rules`, in order. */
  candidates(identity: Identity): number[];
}

/**
 * Compiles rules, in turns of the event loop.
 *
 * @param previous of the same method and engine: rules that did not change since are taken over
 * @throws Error for an unchanged rule that `previous` does not have
 */
export function compileBindingRules(
  stored: readonly (StoredBindingRule | UnchangedBindingRule)[],
  regularExpressions: RegularExpressions,
  previous?: CompiledBindingRules,
): Promise<CompiledBindingRules> {
  return workInTurns(compileInSteps(stored, regularExpressions, previous));
}

function* compileInSteps(
  stored: readonly (StoredBindingRule | UnchangedBindingRule)[],
  regularExpressions: RegularExpressions,
  previous: CompiledBindingRules | undefined,
): Generator<void, CompiledBindingRules> {
  const expressions = shareExpressions(regularExpressions);
  const { bindingRules, groups, plans } = yield* readBindingRules(sortedById(stored), expressions, previous);
  const find = yield* indexByNeeds(groups.map(({ selection }) => selection.need));
  const decide = (identity: VerifiedIdentity) => decideInSteps(bindingRules, groups, find(identity.fields), identity);
  return {
    bindingRules,
    plans,
    regularExpressions: expressions,
    bytes: bytesOf(bindingRules, groups, plans),
    newest: bindingRules.reduce((newest, { modifyIndex }) => Math.max(newest, modifyIndex), 0),
    matching: (identity) => atOnce(decide(identity)),
    matchingInTurns: async (identity) => workInTurns(decide(identity)),
    mostGiven: onceShared(() => workInTurns(mostTogether(togetherOf(bindingRules, groups)))),
    candidates: (identity) => inOrder(find(identity).flatMap((number) => groups[number]?.bindingRules ?? [])),
  };
}

/** A rule without its selector, with its templates and its place in the index, as measured. */
const RULE_BYTES = 250;
/** A plan's place among those that are shared, without the text of its key. */
const PLAN_BYTES = 60;

function bytesOf(
  bindingRules: readonly CompiledBindingRule[],
  groups: readonly Group[],
  plans: CompiledBindingRules["plans"],
): number {
  const selections = groups.reduce((bytes, group) => bytes + group.selection.bytes, 0);
  const keys = [...plans.keys()].reduce((bytes, key) => bytes + PLAN_BYTES + 2 * key.length, 0);
  return bindingRules.length * RULE_BYTES + selections + keys;
}

/** Rules that have the same selector are asked about together. */
interface Group {
  readonly selection: RuleSelection;
  /** Places of the rules. */
  readonly bindingRules: number[];
}

function* readBindingRules(
  stored: readonly (StoredBindingRule | UnchangedBindingRule)[],
  expressions: RegularExpressions,
  previous: CompiledBindingRules | undefined,
): Generator<void, Pick<CompiledBindingRules, "plans"> & { bindingRules: CompiledBindingRule[]; groups: Group[] }> {
  const before = new Map(previous?.bindingRules.map((bindingRule) => [bindingRule.id, bindingRule]));
  const groups = new Map<string, Group>();
  const plans = new Map(previous?.plans);
  const share = createSharing();
  const keep = ({ selection, plan }: CompiledBindingRule) => ({
    text: selection.text,
    selection: () => selection,
    plan,
  });
  const read = (bindingRule: StoredBindingRule | UnchangedBindingRule) => {
    if (!("selector" in bindingRule)) throw new Error(`binding rule ${bindingRule.id} has changed, and was not read`);
    const { selector: text } = bindingRule;
    return { text, selection: () => selectBy(text, expressions, share), plan: sharedPlan(plans, bindingRule) };
  };
  const bindingRules: CompiledBindingRule[] = [];
  for (const bindingRule of stored) {
    yield;
    const { id, modifyIndex } = bindingRule;
    const known = before.get(id);
    const unchanged = known?.modifyIndex === modifyIndex ? known : undefined;
    const { text, selection, plan } = unchanged ? keep(unchanged) : read(bindingRule);
    const group = groups.get(text) ?? { selection: selection(), bindingRules: [] };
    if (group.bindingRules.length === 0) groups.set(text, group);
    group.bindingRules.push(bindingRules.length);
    bindingRules.push({ id, modifyIndex, selection: group.selection, plan });
  }
  const given = new Set(bindingRules.map(({ plan }) => plan));
  for (const [key, plan] of plans) if (!given.has(plan)) plans.delete(key);
  return { bindingRules, groups: [...groups.values()], plans };
}

function* togetherOf(bindingRules: readonly CompiledBindingRule[], groups: readonly Group[]): Generator<Together> {
  for (const { selection, bindingRules: places } of groups) {
    const plans = new Set(places.map((place) => bindingRules[place]?.plan));
    const given = [...plans].flatMap((plan) => (plan === undefined || plan instanceof BindingError ? [] : [plan]));
    yield { need: selection.need, given };
  }
}

/**
 * Rules that give the same have one plan: what is given is counted by plans.
 *
 * @param plans those of the rules that are taken over, and of the ones that were read before; a new one is added
 */
function sharedPlan(plans: Map<string, SharedPlan>, bindingRule: StoredBindingRule): SharedPlan {
  const planned = planFor(bindingRule);
  const key = planKey(bindingRule, planned);
  const shared = plans.get(key) ?? planned;
  plans.set(key, shared);
  return shared;
}

/** A rule that gives nothing is told apart by its own text. */
function planKey(rule: StoredBindingRule, plan: SharedPlan): string {
  if (!(plan instanceof BindingError)) {
    const { bindType, name, variable } = plan;
    return JSON.stringify([bindType, name.text, variable?.text]);
  }
  const { bindType, bindName, bindVars } = rule;
  return JSON.stringify(["error", bindType, bindName, bindVars === undefined ? undefined : [bindVars.name]]);
}

function planFor(bindingRule: StoredBindingRule): SharedPlan {
  try {
    return planBinding(bindingRule);
  } catch (error) {
    if (error instanceof BindingError) return error;
    throw error;
  }
}

function sortedById<R extends UnchangedBindingRule>(bindingRules: readonly R[]): readonly R[] {
  const isSorted = bindingRules.every(({ id }, index) => index === 0 || (bindingRules[index - 1]?.id ?? "") < id);
  return isSorted ? bindingRules : bindingRules.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/**
 * A step is one selector, or what one rule gives: a regular expression may take long. Selectors are asked in the order of
 * their first rules, as they are where a login is explained: the same ones fail when the budget is used up.
 */
function* decideInSteps(
  bindingRules: readonly CompiledBindingRule[],
  groups: readonly Group[],
  candidates: number[],
  identity: VerifiedIdentity,
): Generator<void, Bound[]> {
  const matching: number[] = [];
  const budget = startBudget();
  for (const number of inOrder(candidates)) {
    yield;
    const group = groups[number];
    // A regular expression that gives up makes the rule fail, not the login.
    if (group === undefined || decideSelection(group.selection, identity.fields, budget) !== true) continue;
    for (const place of group.bindingRules) matching.push(place);
  }
  const bound = new Map<string, Bound>();
  const plans = new Set<SharedPlan>();
  for (const place of inOrder(matching)) {
    yield;
    const bindingRule = bindingRules[place];
    if (bindingRule === undefined || plans.has(bindingRule.plan)) continue;
    plans.add(bindingRule.plan);
    addTo(bound, bind(bindingRule, identity));
  }
  return [...bound.values()];
}

function inOrder(places: number[]): number[] {
  return places.sort((one, other) => one - other);
}

/**
 * Returns the grant of a rule to an identity that matches it.
 *
 * @throws {LoginRefused}
 */
export function bind({ id, plan: planned }: CompiledBindingRule, { variables }: VerifiedIdentity): Bound {
  try {
    if (planned instanceof BindingError) throw planned;
    return { bindingRuleId: id, ...computeBinding(planned, variables, "login") };
  } catch (error) {
    if (!(error instanceof BindingError)) throw error;
    throw new LoginRefused(error.message, id, { cause: error });
  }
}

/** A name that a rule writes out reaches more than one that was computed, so it is the one that counts. */
function addTo(bound: Map<string, Bound>, next: Bound): void {
  const { bindType, name, variableName } = next;
  // Roles and policies are looked up in any case; the other names have but one. None that was checked holds a space.
  const key = `${bindType} ${fold(name)} ${variableName ?? ""}`;
  const before = bound.get(key);
  if (before === undefined || (before.isComputed && !next.isComputed)) bound.set(key, next);
}

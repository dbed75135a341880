/**
 * Compares what one holder may do before and after a change of rules: at the names of the changed rules, and at the names of
 * the holder's other rules below these. A rule that goes may uncover a rule of any layer below it. Pure.
 */
import type { Authorizer } from "../../rights/rules/authorizer.ts";
import { decide } from "../../rights/rules/decide.ts";
import { lookupSpelling } from "../../rights/rules/layer.ts";
import { NO_FACTS, type RightsQuestion } from "../../rights/rules/question.ts";
import type { PolicyRules, Resource, RuleResource } from "../../rights/rules/rule.ts";
import type { Steps } from "../../rights/rules/scanner.ts";
import { nameKey, type Decided } from "./changes.ts";
import { NamesInRules, NOBODY, placedRules, type PlacedRule } from "./names.ts";
import type { Point, Right } from "./points.ts";

/** Gains and losses of a holder. */
export interface RightsDifference {
  gains: readonly Right[];
  losses: readonly Right[];
}

/** Questions at the changed rules, and the rules themselves. */
export interface ChangedRules {
  readonly points: readonly Point[];
  readonly rules: readonly PlacedRule[];
}

/** Rules of one holder, before and after. */
export interface ComparedRights {
  readonly had: Authorizer;
  readonly has: Authorizer;
  readonly policies: Iterable<PolicyRules>;
}

/** Questions below the changed rules that are asked of one set of policies. */
export const MOST_BELOW = 4096;

/** Resources about which rules of others decide too. */
const ALSO: Readonly<Partial<Record<RuleResource, readonly Resource[]>>> = {
  organization: ["workspace"],
  operator: ["mesh", "peering", "namespace", "partition"],
  service: ["intention"],
};

/** Returns what changes, all decisions about the names of that, and whether all of it was asked. */
export function* compareRights(
  { points, rules }: ChangedRules,
  { had, has, policies }: ComparedRights,
): Steps<RightsDifference & { isComplete: boolean; decisions: readonly Decided[] }> {
  const gains: Right[] = [];
  const losses: Right[] = [];
  const decided: Decided[] = [];
  const end = (isComplete: boolean) => ({
    gains,
    losses,
    isComplete,
    decisions: ofNames(decided, [...gains, ...losses]),
  });
  const compare = ({ question, right }: Point): void => {
    const could = decide(had, question, NO_FACTS).allow;
    const can = decide(has, question, NO_FACTS).allow;
    decided.push({ right, could, can });
    if (could === can) return;
    const found = can ? gains : losses;
    if (!found.some((each) => isWithin(right, each))) found.push(right);
  };
  for (const point of points) {
    compare(point);
    yield;
  }
  const asked = new Set(points.map(({ question }) => JSON.stringify(question)));
  let isComplete = true;
  const wide = rules.filter(reachesBelow);
  if (wide.length === 0) return end(isComplete);
  const names = new NamesInRules();
  for (const policy of policies) names.add(policy);
  let below = 0;
  for (const placed of wide) {
    for (const question of yield* names.questions(placed, MOST_BELOW)) {
      const key = JSON.stringify(question);
      if (question.access === "write-prefix" || isSight(question, placed) || asked.has(key)) continue;
      asked.add(key);
      if (++below > MOST_BELOW) return end(false);
      compare({ question, right: rightOf(question) });
      if (below % BETWEEN === 0) yield;
    }
    isComplete &&= below < MOST_BELOW;
  }
  return end(isComplete);
}

/** The decisions about the names of some rights. */
function ofNames(decided: readonly Decided[], rights: readonly Right[]): Decided[] {
  const names = new Set(rights.map(nameKey));
  return names.size === 0 ? [] : decided.filter(({ right }) => names.has(nameKey(right)));
}

/** Whether a question is about the sight of a namespace: that follows from permissions in it, which are asked themselves. */
function isSight({ resource, access }: RightsQuestion, { rule }: PlacedRule): boolean {
  return resource === "namespace" && access === "read" && rule.resource !== "namespace" && rule.resource !== "operator";
}

const BETWEEN = 16;

/** Whether other rules can be about a part of what a rule is about. */
function reachesBelow({ rule, namespace, partition }: PlacedRule): boolean {
  return rule.prefix || namespace.prefix || partition.prefix || ["organization", "operator"].includes(rule.resource);
}

/** Whether a policy may decide a part of what the changed rules are about. */
export function isNear(policy: PolicyRules, changed: readonly PlacedRule[]): boolean {
  const wide = changed.filter(reachesBelow);
  return wide.length > 0 && placedRules(policy).some((placed) => wide.some((each) => touches(placed, each)));
}

function touches(one: PlacedRule, changed: PlacedRule): boolean {
  const isRelated =
    one.rule.resource === changed.rule.resource ||
    (ALSO[changed.rule.resource] ?? []).includes(one.rule.resource) ||
    (ALSO[one.rule.resource] ?? []).includes(changed.rule.resource);
  if (!isRelated || !nests(one.partition.name, changed.partition.name)) return false;
  if (!nests(one.namespace.name, changed.namespace.name)) return false;
  if (one.rule.resource === "operator" || changed.rule.resource === "operator") return true;
  const [segment, other] = [one.rule, changed.rule].map(({ resource, segment: each }) =>
    lookupSpelling(resource, each),
  );
  return nests(segment ?? "", other ?? "");
}

function nests(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

/** A right as its question says it: a name that no rule has stands for all that begin so. */
function rightOf({ resource, segment, access, scope }: RightsQuestion): Right {
  const [name, namespace, partition] = [segment, scope.namespace, scope.partition].map((each) => ({
    text: each.split(NOBODY, 1)[0] ?? "",
    isPrefix: each.includes(NOBODY),
  }));
  return {
    resource,
    segment: name?.text ?? "",
    isPrefix: name?.isPrefix === true,
    access,
    namespace: namespace?.text ?? "",
    isNamespacePrefix: namespace?.isPrefix === true,
    partition: partition?.text ?? "",
    isPartitionPrefix: partition?.isPrefix === true,
  };
}

/** Whether a right is a part of another one, or follows from it. */
function isWithin(right: Right, wide: Right): boolean {
  if (right.access !== wide.access) return false;
  const isDerived = right.resource !== wide.resource;
  // A rule of a service may say of its intentions what it likes.
  if (isDerived && wide.resource === "service") return false;
  if (isDerived && ALSO[wide.resource as RuleResource]?.includes(right.resource) !== true) return false;
  // Rules of operators have no names.
  const isNamed = isDerived && wide.resource === "operator" ? true : covers(wide, right, isDerived);
  return (
    isNamed &&
    coversText(wide.namespace, wide.isNamespacePrefix, right.namespace, right.isNamespacePrefix) &&
    coversText(wide.partition, wide.isPartitionPrefix, right.partition, right.isPartitionPrefix)
  );
}

function covers(wide: Right, right: Right, isDerived: boolean): boolean {
  if (wide.resource === "organization" && isDerived) {
    if (wide.isPrefix) return right.segment.startsWith(wide.segment);
    return right.segment === `${wide.segment}/` || right.segment.startsWith(`${wide.segment}/`);
  }
  return coversText(wide.segment, wide.isPrefix, right.segment, right.isPrefix);
}

function coversText(wide: string, isWidePrefix: boolean, name: string, isPrefix: boolean): boolean {
  return isWidePrefix ? name.startsWith(wide) : !isPrefix && name === wide;
}

/**
 * Which rules of a policy act in a namespace. The rules of a policy act in its
 * own namespace; from the namespace `default` blocks reach others of the same
 * partition, and from the default partition blocks reach other partitions.
 */
import { DEFAULT_SCOPE, isRootScope, type Scope } from "../scope.ts";
import type { PolicyRules } from "./authorizer.ts";
import { fold } from "./fold.ts";
import type { ResourceRule, Rule, RuleResource, ScopeRule } from "./rule.ts";

/** Kinds that only policies of the `default` namespace of the `default` partition can speak about. */
const ROOT_ONLY: ReadonlySet<RuleResource> = new Set<RuleResource>([
  "keyring",
  "operator",
  "organization",
  "workspace",
]);

/** Kinds of a partition as a whole, about which policies of its other namespaces cannot speak. */
const PARTITION_ONLY: ReadonlySet<RuleResource> = new Set<RuleResource>(["agent", "event", "mesh", "peering", "query"]);

/** How closely a block is about a name: exactly, or by a prefix of so many letters. Names have fewer. */
const EXACT = 100;
const PER_PARTITION = 1000;

/**
 * The rules that act in a scope, in layers: the closest first. Where none of a
 * layer's rules is about a question, the next layer is asked, so an exact block
 * goes before a prefix, and a longer prefix before a shorter one.
 */
export function actingRules(policies: readonly PolicyRules[], scope: Scope): PolicyRules[][] {
  const layers = new Map<number, PolicyRules[]>();
  for (const policy of policies) {
    for (const [closeness, rules] of rulesByCloseness(policy, scope)) {
      const layer = layers.get(closeness);
      if (layer === undefined) layers.set(closeness, [{ ...policy, rules }]);
      else layer.push({ ...policy, rules });
    }
  }
  return [...layers].toSorted(([a], [b]) => b - a).map(([, layer]) => layer);
}

/** Whether any rule of these policies acts outside the scope where all else lies. */
export function reachesFurther(policies: readonly PolicyRules[]): boolean {
  return policies.some(({ home, rules }) => !isRootScope(home) || rules.some((rule) => "kind" in rule));
}

function rulesByCloseness({ home, rules }: PolicyRules, scope: Scope): Map<number, ResourceRule[]> {
  const found = new Map<number, ResourceRule[]>();
  const add = (closeness: number, more: readonly ResourceRule[]): void => {
    if (more.length > 0) found.set(closeness, [...(found.get(closeness) ?? []), ...more]);
  };
  const isAtHome = home.partition === scope.partition;
  if (isAtHome && home.namespace === scope.namespace) {
    add(
      EXACT * PER_PARTITION + EXACT,
      resourceRules(rules).filter((rule) => maySay(home, rule)),
    );
  }
  // Only from `default` does a policy reach other namespaces, and only from its partition other partitions.
  if (home.namespace !== DEFAULT_SCOPE.namespace) return found;
  if (isAtHome) addNamespaces(rules, scope, EXACT * PER_PARTITION, add);
  for (const block of scopeRules(rules, "partition")) {
    const closeness = closenessOf(block, scope.partition);
    if (closeness === undefined || !(isRootScope(home) || isAtHome)) continue;
    if (scope.namespace === DEFAULT_SCOPE.namespace) add(closeness * PER_PARTITION + EXACT, resourceRules(block.rules));
    addNamespaces(block.rules, scope, closeness * PER_PARTITION, add);
  }
  return found;
}

function addNamespaces(
  rules: readonly Rule[],
  { namespace }: Scope,
  base: number,
  add: (closeness: number, more: readonly ResourceRule[]) => void,
): void {
  for (const block of scopeRules(rules, "namespace")) {
    const closeness = closenessOf(block, namespace);
    if (closeness !== undefined) add(base + closeness, resourceRules(block.rules));
  }
}

/** Undefined when a block is not about a name. */
function closenessOf({ prefix, segment }: ScopeRule, name: string): number | undefined {
  const folded = fold(segment);
  if (!prefix) return folded === name ? EXACT : undefined;
  return name.startsWith(folded) ? folded.length : undefined;
}

/** Whether a policy that lies there can hold this rule. What was stored before it was refused has no effect. */
function maySay(home: Scope, { resource, policy }: ResourceRule): boolean {
  if (ROOT_ONLY.has(resource)) return isRootScope(home);
  if (home.namespace === DEFAULT_SCOPE.namespace) return true;
  return !PARTITION_ONLY.has(resource) && !(resource === "node" && policy === "write");
}

function resourceRules(rules: readonly Rule[]): ResourceRule[] {
  return rules.filter((rule): rule is ResourceRule => !("kind" in rule));
}

function scopeRules(rules: readonly Rule[], kind: ScopeRule["kind"]): ScopeRule[] {
  return rules.filter((rule): rule is ScopeRule => "kind" in rule && rule.kind === kind);
}

/**
 * Questions that find every effect of changed rules on one holder. Rules are about names and beginnings of names, so all
 * names that the same rules are about are decided alike: one question stands for them. A rule that goes may uncover any
 * rule below it, in each layer; so the names of all rules of the holder are asked that a changed rule is about. Pure.
 */
import { fold } from "../../fold.ts";
import { actingPlaces, type ActingPlace } from "../../rights/rules/acting-rules.ts";
import { lookupSpelling } from "../../rights/rules/layer.ts";
import type { RightsQuestion } from "../../rights/rules/question.ts";
import {
  ACCESSES,
  SCALARS,
  type PolicyRules,
  type Resource,
  type ResourceRule,
  type Rule,
  type RuleResource,
  type ScopeRule,
} from "../../rights/rules/rule.ts";
import type { Steps } from "../../rights/rules/scanner.ts";
import { DEFAULT_SCOPE, type Scope } from "../../rights/scope.ts";

/** No rule has this character, and no name: only rules for beginnings are about a name with it. */
export const NOBODY = "\u{10FFFD}";

const ALL = { name: "", prefix: true };

/** A rule with the place in which it acts. */
export interface PlacedRule {
  readonly rule: ResourceRule;
  readonly partition: ActingPlace["partition"];
  readonly namespace: ActingPlace["namespace"];
  /** Blocks around the rule, as text: of two rules that act in one place, the one of the closer block has precedence. */
  readonly around: string;
}

/** Rules of parsed policies: one policy is looked at for each of its holders. */
const PLACED = new WeakMap<PolicyRules, readonly PlacedRule[]>();

/** The rules of a policy with their places. What an identity may read of services and nodes, it may read in all namespaces. */
export function placedRules(policy: PolicyRules): readonly PlacedRule[] {
  const known = PLACED.get(policy) ?? findPlaced(policy);
  PLACED.set(policy, known);
  return known;
}

function findPlaced(policy: PolicyRules): readonly PlacedRule[] {
  const top = policy.rules.filter((rule) => !("kind" in rule));
  const ofBlocks = [...rulesInBlocks(policy.rules, [])];
  return [
    ...placedIn({ ...policy, rules: top }, ""),
    ...ofBlocks.flatMap(({ rule, around }) => placedIn({ ...policy, rules: [rule] }, around)),
  ];
}

/** Each rule inside of blocks, alone in these, with the blocks as text. */
function* rulesInBlocks(
  rules: readonly Rule[],
  blocks: readonly ScopeRule[],
): Generator<{ rule: Rule; around: string }, void> {
  const around = JSON.stringify(blocks.map(({ kind, prefix, segment }) => [kind, prefix, fold(segment)]));
  const wrap = (rule: Rule): Rule => blocks.reduceRight((inner, block) => withOnly(block, [inner]), rule);
  for (const rule of rules) {
    if (!("kind" in rule)) {
      if (blocks.length > 0) yield { rule: wrap(rule), around };
      continue;
    }
    if (rule.policy !== undefined) yield { rule: wrap({ ...rule, rules: [] }), around };
    yield* rulesInBlocks(rule.rules, [...blocks, rule]);
  }
}

function withOnly({ policy: _policy, ...block }: ScopeRule, rules: readonly Rule[]): ScopeRule {
  return { ...block, rules: [...rules] };
}

function placedIn(policy: PolicyRules, around: string): PlacedRule[] {
  return actingPlaces(policy).flatMap(({ rules, partition, namespace }) =>
    rules.flatMap((rule) => {
      const placed = { rule, partition, namespace, around };
      const isEverywhere = policy.isSynthetic === true && ["service", "node"].includes(rule.resource);
      return isEverywhere ? [placed, { ...placed, namespace: ALL }] : [placed];
    }),
  );
}

/** Returns the rules that only one of two readings of a policy has. */
export function changedRules(before: readonly PolicyRules[], after: readonly PolicyRules[]): PlacedRule[] {
  const [old, next] = [keyed(before), keyed(after)];
  return [...old, ...next].filter(([key]) => old.has(key) !== next.has(key)).map(([, placed]) => placed);
}

function keyed(policies: readonly PolicyRules[]): Map<string, PlacedRule> {
  const found = new Map<string, PlacedRule>();
  for (const policy of policies) {
    for (const placed of placedRules(policy)) found.set(keyOfPlaced(policy, placed), placed);
  }
  return found;
}

/** All that a rule says, and where. */
export function keyOfPlaced(policy: PolicyRules, { rule, partition, namespace, around }: PlacedRule): string {
  const { at: _at, ...said } = rule;
  return JSON.stringify([partition, namespace, around, said, policy.isSynthetic === true]);
}

/** Names that some rule is about, and beginnings of names. */
class Names {
  readonly exact = new Set<string>();
  readonly prefixes = new Set<string>();

  add({ name, prefix }: { name: string; prefix: boolean }): void {
    (prefix ? this.prefixes : this.exact).add(name);
  }

  /** One name for each set of rules, below a beginning; or the one name. */
  below({ name, prefix }: { name: string; prefix: boolean }): string[] {
    if (!prefix) return [name];
    const isBelow = (each: string): boolean => each.startsWith(name);
    const inside = [...this.prefixes].filter(isBelow).map((each) => each + NOBODY);
    return [...new Set([name + NOBODY, ...inside, ...[...this.exact].filter(isBelow)])];
  }
}

/** The names in all rules of one holder, before and after. */
export class NamesInRules {
  readonly #partitions = new Names();
  readonly #namespaces = new Names();
  readonly #segments = new Map<RuleResource, Names>();
  #trees: readonly string[] | undefined;

  add(policy: PolicyRules): void {
    this.#partitions.add({ name: policy.home.partition, prefix: false });
    this.#namespaces.add({ name: policy.home.namespace, prefix: false });
    for (const placed of placedRules(policy)) this.addRule(placed);
  }

  addRule({ rule, partition, namespace }: Omit<PlacedRule, "around">): void {
    this.#partitions.add(partition);
    this.#namespaces.add(namespace);
    const named = { name: lookupSpelling(rule.resource, rule.segment), prefix: rule.prefix };
    if (rule.resource === "partition") this.#partitions.add(named);
    if (rule.resource === "namespace") this.#namespaces.add(named);
    this.#of(rule.resource).add(named);
    if (rule.resource === "key") this.#trees = undefined;
  }

  #of(resource: RuleResource): Names {
    let names = this.#segments.get(resource);
    if (names === undefined) this.#segments.set(resource, (names = new Names()));
    return names;
  }

  /** Questions that a changed rule may answer in another way. @param most no more scopes are asked about beyond so many */
  *questions({ rule, partition, namespace }: Omit<PlacedRule, "around">, most = Infinity): Steps<RightsQuestion[]> {
    const scopes = this.#partitions
      .below(partition)
      .flatMap((name) => this.#namespaces.below(namespace).map((inner) => ({ partition: name, namespace: inner })));
    const found: RightsQuestion[] = [];
    for (const scope of scopes) {
      if (found.length > most) break;
      // A caller that may read anything in a namespace sees it.
      found.push({ resource: "namespace", segment: scope.namespace, access: "read", scope });
      for (const [resource, segment] of this.#about(rule)) {
        for (const access of ACCESSES.get(resource) ?? []) {
          if (access !== "write-prefix") found.push({ resource, segment, access, scope });
        }
      }
      if (rule.resource === "key") {
        for (const segment of this.#treesOf(rule)) {
          found.push({ resource: "key", segment, access: "write-prefix", scope });
        }
      }
      yield;
    }
    return [...found, ...this.#aboutScopes(rule, scopes)];
  }

  /** Questions about a rule, the same in each scope. */
  #about({ resource, prefix, segment }: ResourceRule): [Resource, string][] {
    const named = { name: lookupSpelling(resource, segment), prefix };
    const about = (asked: Resource, names: readonly string[]) => names.map((name): [Resource, string] => [asked, name]);
    if (resource === "operator") return [...about("operator", [""]), ...about("mesh", [""]), ...about("peering", [""])];
    if (resource === "namespace" || resource === "partition") return [];
    if ((SCALARS as readonly string[]).includes(resource)) return about(resource, [""]);
    const names = this.#of(resource).below(named);
    if (resource === "service") return [...about("service", names), ...about("intention", [...names, "*"])];
    if (resource === "organization")
      return [...about("organization", names), ...about("workspace", this.#workspaces(named, true))];
    return about(resource, resource === "workspace" ? this.#workspaces(named, false) : names);
  }

  /** Workspaces, which rules of organizations are about too. @param isOwner whether the name is that of organizations */
  #workspaces(named: { name: string; prefix: boolean }, isOwner: boolean): string[] {
    const { exact, prefixes } = this.#of("workspace");
    const inside = (prefix: string): string =>
      prefix.includes("/") ? prefix + NOBODY : `${prefix}${NOBODY}/${NOBODY}`;
    const all = [
      ...exact,
      ...[...prefixes].map(inside),
      ...this.#of("organization")
        .below(ALL)
        .map((owner) => `${owner}/${NOBODY}`),
      ...(named.prefix ? [inside(named.name)] : [isOwner ? `${named.name}/${NOBODY}` : named.name]),
    ];
    return [...new Set(all)].filter((name) => {
      const part = isOwner ? name.slice(0, name.indexOf("/")) : name;
      return named.prefix ? part.startsWith(named.name) : part === named.name;
    });
  }

  #aboutScopes({ resource, prefix, segment }: ResourceRule, scopes: readonly Scope[]): RightsQuestion[] {
    if (!(["operator", "namespace", "partition"] as RuleResource[]).includes(resource)) return [];
    const named = resource === "operator" ? ALL : { name: lookupSpelling(resource, segment), prefix };
    const found: RightsQuestion[] = [];
    for (const access of ["read", "write"] as const) {
      if (resource !== "namespace") {
        for (const name of this.#partitions.below(named))
          found.push({ resource: "partition", segment: name, access, scope: DEFAULT_SCOPE });
      }
      if (resource === "partition") continue;
      const partitions = resource === "operator" ? this.#partitions.below(ALL) : scopes.map((each) => each.partition);
      for (const partition of new Set(partitions)) {
        for (const name of this.#namespaces.below(named))
          found.push({ resource: "namespace", segment: name, access, scope: { partition, namespace: "default" } });
      }
    }
    return found;
  }

  /** Beginnings of keys, one for each set of rules that are above and below. */
  #treesOf({ segment, prefix }: ResourceRule): string[] {
    const trees = (this.#trees ??= this.#allTrees());
    return trees.filter((tree) => segment.startsWith(tree) || (prefix && tree.startsWith(segment)));
  }

  #allTrees(): string[] {
    const { exact, prefixes } = this.#of("key");
    const sorted = [...new Set([...exact, ...prefixes])].sort();
    const found = new Set(["", NOBODY]);
    for (const [index, name] of sorted.entries()) {
      const following = sorted[index + 1] ?? "";
      let shared = 0;
      while (shared < name.length && name[shared] === following[shared]) shared++;
      for (const tree of [name, name + NOBODY, name.slice(0, -1), name.slice(0, shared)]) found.add(tree);
    }
    return [...found];
  }
}

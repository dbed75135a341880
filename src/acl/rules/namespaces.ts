/**
 * Which namespaces a set of policies may see, and in which it may read `acl`:
 * one by one, and as names for the query that lists them.
 */
import { DEFAULT_SCOPE, isScopeName, type Scope } from "../scope.ts";
import { ROOT_ONLY, type ActingRule, type ActingRules } from "./acting-rules.ts";
import type { Authorizer } from "./authorizer.ts";
import type { Explanation } from "./explained.ts";
import { explained } from "./explained.ts";
import { compileLayer, findSite, tableOf, type Grant, type Layer, type Site } from "./layer.ts";
import { covers, stronger, type Permission, type ResourceRule } from "./rule.ts";
import { allowedRanges, type Visibility } from "./visibility.ts";

/** What all scopes of one set of policies have in common. */
export interface RulesOfToken {
  direct: ActingRules;
  defaults: ActingRules;
  in(scope: Scope): Pick<Authorizer, "allows" | "explain">;
}

/**
 * Whether a namespace may be seen: by `operator`, by a block about it that says
 * so, or, where no block speaks of it, since a rule lets read anything in it.
 * What identities may read in all namespaces does not count.
 */
export function seesNamespace(rules: RulesOfToken, scope: Scope): boolean {
  return explainSight(rules, scope).allow;
}

/** The same with its reason. */
export function explainSight(rules: RulesOfToken, scope: Scope): Explanation {
  const byOperator = rules.in(DEFAULT_SCOPE).explain("operator", "", "read");
  if (byOperator.allow) return byOperator;
  const inPartition = rules.in({ partition: scope.partition, namespace: DEFAULT_SCOPE.namespace });
  const byBlock = inPartition.explain("namespace", scope.namespace, "read");
  if (byBlock.rule?.Resource === "namespace") return byBlock;
  return findReadable(rules, scope) ?? byOperator;
}

/** Names of namespaces of a partition for `seesNamespace`. */
export function seenNamespaces(rules: RulesOfToken, partition: string): Visibility {
  if (rules.in(DEFAULT_SCOPE).allows("operator", "", "read")) return { ranges: EVERYTHING, names: [], except: [] };
  return namespacesWhere(rules, partition, (scope) => seesWithoutOperator(rules, scope));
}

const EVERYTHING: Visibility["ranges"] = [{ from: "", to: undefined }];

function seesWithoutOperator(rules: RulesOfToken, scope: Scope): boolean {
  const inPartition = rules.in({ partition: scope.partition, namespace: DEFAULT_SCOPE.namespace });
  const { allow, rule } = inPartition.explain("namespace", scope.namespace, "read");
  if (rule?.Resource === "namespace") return allow;
  return readsPlainly(rules, scope) || findReadable(rules, scope) !== undefined;
}

/** What is so for most, found without compiling anything: the closest rules let read something, and none denies. */
function readsPlainly({ direct, defaults }: RulesOfToken, scope: Scope): boolean {
  for (const acting of [direct, defaults]) {
    for (const layer of acting.layersIn(scope)) {
      const inside = insideOnly(layer).flatMap((each) => each.rules);
      if (inside.length > 0) return inside.every(({ policy }) => policy !== "deny");
    }
  }
  return false;
}

/** Names of namespaces of a partition in which `acl` may be read. */
export function aclNamespaces(rules: RulesOfToken, partition: string): Visibility {
  return namespacesWhere(rules, partition, (scope) => {
    const permission = aclIn(rules.direct, scope) ?? aclIn(rules.defaults, scope);
    return permission !== undefined && covers(permission, "read");
  });
}

/** Without compiling anything: there may be thousands of namespaces to look at. */
function aclIn(rules: ActingRules, scope: Scope): Permission | undefined {
  for (const layer of rules.layersIn(scope)) {
    const permissions = layer.flatMap((acting) =>
      acting.rules.filter(({ resource }) => resource === "acl").map(({ policy }) => policy),
    );
    if (permissions.length > 0) return permissions.reduce(stronger);
  }
  return undefined;
}

/** Each namespace that a rule names is asked about by itself; between them one name stands for all. */
function namespacesWhere(
  { direct, defaults }: RulesOfToken,
  partition: string,
  holds: (scope: Scope) => boolean,
): Visibility {
  const about = [direct, defaults].map((rules) => rules.namespacesIn(partition));
  const result: Visibility = { ranges: [], names: [], except: [] };
  for (const name of new Set(about.flatMap(({ names }) => [...names].filter(isScopeName)))) {
    (holds({ partition, namespace: name }) ? result.names : result.except).push(name);
  }
  const prefixes = [...new Set(about.flatMap((each) => [...each.prefixes]))].filter(isBeginning).sort();
  const followed = prefixes.map((prefix) => [prefix, holds({ partition, namespace: prefix + UNNAMED })] as const);
  result.ranges = allowedRanges(followed, holds({ partition, namespace: UNNAMED }));
  return result;
}

/** Whether a name can begin so; none begins otherwise, and the order of names is one only among what can be names. */
function isBeginning(prefix: string): boolean {
  return /^[a-z0-9][a-z0-9-]*$/.test(prefix);
}

/** No namespace has it in its name, so no rule names it. */
const UNNAMED = "\0";

/** A rule that lets read anything in a namespace, unless a closer one denies just that. */
function findReadable(rules: RulesOfToken, scope: Scope): Explanation | undefined {
  const before: Layer[] = [];
  for (const decidedBy of ["direct", "default"] as const) {
    const acting = decidedBy === "direct" ? rules.direct : rules.defaults;
    for (const inside of acting.layersIn(scope).map(insideOnly)) {
      const layer = compileLayer(inside);
      const grant = readableIn(layer, before);
      if (grant !== undefined) return { allow: true, decidedBy, ...explained(grant) };
      before.push(layer);
    }
  }
  return undefined;
}

function insideOnly(layer: readonly ActingRule[]): ActingRule[] {
  return layer
    .filter(({ isImplicit }) => isImplicit !== true)
    .map((acting) => ({ ...acting, rules: acting.rules.filter(isInside) }));
}

/** Whether a rule is about what lies in a namespace. */
function isInside({ resource }: ResourceRule): boolean {
  return !ROOT_ONLY.has(resource) && resource !== "namespace" && resource !== "partition";
}

function readableIn(layer: Layer, before: readonly Layer[]): Grant | undefined {
  for (const [resource, { exact, prefixes }] of layer.tables) {
    const earlier = before.map((each) => tableOf(each, resource));
    for (const [prefix, site] of prefixes.all()) {
      const grant = readableBy(site);
      if (grant !== undefined && !earlier.some((table) => table.prefixes.find(prefix))) return grant;
    }
    for (const [segment, site] of exact) {
      const grant = readableBy(site);
      if (grant !== undefined && !earlier.some((table) => findSite(table, segment))) return grant;
    }
  }
  return undefined;
}

/** Of a service itself, or of who may call it. */
function readableBy({ policy, intentions }: Site): Grant | undefined {
  return [policy, intentions].find((grant) => grant !== undefined && covers(grant.permission, "read"));
}

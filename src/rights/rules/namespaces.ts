/**
 * Which namespaces a set of policies may see, and in which it may read `acl`:
 * one by one, and as names for the query that lists them.
 */
import { DEFAULT_SCOPE, homeOf, isScopeName, type Scope } from "../scope.ts";
import type { ActingRules } from "./acting-rules.ts";
import type { Authorizer, Decision } from "./authorizer.ts";
import { findSite, tableOf, type LayerGrant, type Layer, type Site } from "./layer.ts";
import { type Facts, NO_FACTS } from "./question.ts";
import { covers, type RuleResource } from "./rule.ts";
import { allowedRanges, type Visibility } from "./visibility.ts";

/** State that all scopes of one set of policies share. */
export interface RulesOfToken {
  direct: ActingRules;
  defaults: ActingRules;
  in(scope: Scope): Pick<Authorizer, "decide">;
}

/**
 * Decides whether a namespace may be seen: by `operator`, by a block about it, or, when no block is about it, by a
 * rule that allows to read anything in it. The implicit rules of identities, for all namespaces, are ignored.
 */
export function decideSight(rules: RulesOfToken, scope: Scope, facts: Facts): Decision {
  const byOperator = rules.in(DEFAULT_SCOPE).decide("operator", "", "read", facts);
  if (byOperator.allow) return byOperator;
  return decideByBlock(rules, scope, facts) ?? findReadable(rules, scope, { left: Infinity }) ?? byOperator;
}

/** Decision by a block about the namespace itself. */
function decideByBlock(rules: RulesOfToken, { partition, namespace }: Scope, facts: Facts): Decision | undefined {
  const found = rules.in(homeOf(partition)).decide("namespace", namespace, "read", facts);
  return found.grant?.rule.resource === "namespace" ? found : undefined;
}

/**
 * Maximum number of rules that one list examines. Only policies that deny to hundreds of namespaces, one by one, a
 * permission that they allow to all exceed it. The list then omits the rest, as names that may not be seen.
 */
const LIST_BUDGET = 50_000;

/** Names of namespaces of a partition that may be seen. @param showing gets the rules that show any */
export function seenNamespaces(rules: RulesOfToken, partition: string, showing?: Set<LayerGrant>): Visibility {
  const byOperator = rules.in(DEFAULT_SCOPE).decide("operator", "", "read", NO_FACTS);
  if (byOperator.allow) {
    if (byOperator.grant !== undefined) showing?.add(byOperator.grant);
    return { ranges: EVERYTHING, names: [], except: [] };
  }
  const budget = { left: LIST_BUDGET };
  return namespacesWhere(rules, partition, (scope) => {
    const found = decideByBlock(rules, scope, NO_FACTS) ?? findReadable(rules, scope, budget);
    if (found?.allow === true && found.grant !== undefined) showing?.add(found.grant);
    return found?.allow === true;
  });
}

const EVERYTHING: Visibility["ranges"] = [{ from: "", to: undefined }];

/** Names of namespaces of a partition in which `acl` may be read. @param showing gets the rules that show any */
export function aclNamespaces(rules: RulesOfToken, partition: string, showing?: Set<LayerGrant>): Visibility {
  return namespacesWhere(rules, partition, (scope) => {
    const grant = aclIn(rules.direct, scope) ?? aclIn(rules.defaults, scope);
    if (grant === undefined || !covers(grant.permission, "read")) return false;
    showing?.add(grant);
    return true;
  });
}

function aclIn(rules: ActingRules, scope: Scope): LayerGrant | undefined {
  for (const layer of rules.layersIn(scope)) {
    const site = findSite(tableOf(layer.inside(), "acl"), "");
    if (site !== undefined) return site.policy;
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

/** How many rules may still be looked at. */
interface Budget {
  left: number;
}

/** A rule that lets read anything in a namespace, unless a closer one denies just that. */
function findReadable(rules: RulesOfToken, scope: Scope, budget: Budget): Decision | undefined {
  const before: Layer[] = [];
  for (const decidedBy of ["direct", "default"] as const) {
    const acting = decidedBy === "direct" ? rules.direct : rules.defaults;
    for (const layer of acting.layersIn(scope).map((each) => each.inside())) {
      const grant = readableIn(layer, before, budget);
      if (grant !== undefined) return { allow: true, decidedBy, grant };
      before.push(layer);
    }
  }
  return undefined;
}

function readableIn(layer: Layer, before: readonly Layer[], budget: Budget): LayerGrant | undefined {
  for (const { resource, name, isPrefix, grant } of readableOf(layer)) {
    if (budget.left-- <= 0) return undefined;
    const isDecided = before.some((earlier) => {
      const table = tableOf(earlier, resource);
      return isPrefix ? table.prefixes.find(name) !== undefined : findSite(table, name) !== undefined;
    });
    if (!isDecided) return grant;
  }
  return undefined;
}

/** Something that a layer lets read. */
interface Readable {
  resource: RuleResource;
  name: string;
  isPrefix: boolean;
  grant: LayerGrant;
}

/** Kept for as long as the layer is: thousands of namespaces may share one. */
const readables = new WeakMap<Layer, Readable[]>();

function readableOf(layer: Layer): Readable[] {
  let found = readables.get(layer);
  if (found === undefined) {
    found = [...layer.tables].flatMap(([resource, { exact, prefixes }]) => [
      ...readablesOf(resource, true, prefixes.all()),
      ...readablesOf(resource, false, exact),
    ]);
    readables.set(layer, found);
  }
  return found;
}

function readablesOf(
  resource: RuleResource,
  isPrefix: boolean,
  sites: Iterable<readonly [name: string, site: Site]>,
): Readable[] {
  return Array.from(sites).flatMap(([name, site]) => {
    const grant = readableBy(site);
    return grant === undefined ? [] : [{ resource, name, isPrefix, grant }];
  });
}

/** Grant to read a service itself, or its intentions. */
function readableBy({ policy, intentions }: Site): LayerGrant | undefined {
  return [policy, intentions].find((grant) => grant !== undefined && covers(grant.permission, "read"));
}

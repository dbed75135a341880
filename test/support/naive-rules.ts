/** Rules as the documentation words them, to compare the real evaluation with. */
import { fold } from "../../src/acl/rules/fold.ts";
import { SCALARS, type Access, type Permission, type Resource, type RuleResource } from "../../src/acl/rules/rule.ts";
import type { Scope } from "../../src/acl/scope.ts";

/** A rule as the random sets hold it, before it is written down and parsed. */
export interface Plain {
  resource: RuleResource;
  prefix: boolean;
  segment: string;
  policy: Permission;
  intentions?: Permission;
  /** The blocks that it stands in. */
  partition?: Block;
  namespace?: Block;
}

export interface Block {
  prefix: boolean;
  segment: string;
}

export interface PlainPolicy {
  home: Scope;
  rules: Plain[];
}

export interface Round {
  /** Where it is asked. */
  scope: Scope;
  direct: PlainPolicy[];
  defaults: PlainPolicy[];
  defaultPolicy: "allow" | "deny";
}

/**
 * The rules as the documentation words them: no index, no merging ahead, every
 * rule looked at for every question. Slow and plain.
 */
export function allowedNaively(round: Round, resource: Resource, segment: string, access: Access): boolean {
  if (resource === "intention" && segment === "*") {
    const answers = serviceNames(round).map((name) => allowsName(round, resource, name, access));
    return access === "read" ? answers.includes(true) : !answers.includes(false);
  }
  const folded = resource === "organization" || resource === "workspace" ? fold(segment) : segment;
  return allowsName(round, resource, folded, access);
}

function allowsName(round: Round, resource: Resource, name: string, access: Access): boolean {
  for (const rules of [...layersOf(round.direct, round.scope), ...layersOf(round.defaults, round.scope)]) {
    const permission = decideNaively(rules, resource, name, access);
    if (permission === undefined) continue;
    if (access === "read" || access === "list") return permission !== "deny";
    return permission === "write";
  }
  return round.defaultPolicy === "allow" && !["acl", "organization", "workspace"].includes(resource);
}

/** The rules that act in a scope, those in the closest blocks first. */
function layersOf(policies: PlainPolicy[], scope: Scope): Plain[][] {
  const acting = policies.flatMap(({ home, rules }) =>
    rules.flatMap((rule) => {
      const closeness = closenessOf(rule, home, scope);
      return closeness === undefined ? [] : [{ closeness, rule: lower(rule) }];
    }),
  );
  const steps = [...new Set(acting.map(({ closeness }) => closeness))].toSorted((a, b) => b - a);
  return steps.map((step) => acting.filter(({ closeness }) => closeness === step).map(({ rule }) => rule));
}

const ROOT_KINDS = ["operator", "keyring", "organization", "workspace"];
const PARTITION_KINDS = ["agent", "event", "mesh", "peering", "query"];

function closenessOf(rule: Plain, home: Scope, scope: Scope): number | undefined {
  const { partition, namespace, resource } = rule;
  const isRoot = home.partition === "default" && home.namespace === "default";
  if (partition === undefined && namespace === undefined) {
    if (home.partition !== scope.partition || home.namespace !== scope.namespace) return undefined;
    if (ROOT_KINDS.includes(resource) && !isRoot) return undefined;
    const isTenant = home.namespace !== "default";
    if (isTenant && (PARTITION_KINDS.includes(resource) || (resource === "node" && rule.policy === "write"))) {
      return undefined;
    }
    return 9999;
  }
  if (home.namespace !== "default" || ROOT_KINDS.includes(resource)) return undefined;
  if (namespace !== undefined && PARTITION_KINDS.includes(resource)) return undefined;
  if (home.partition !== scope.partition && !(isRoot && partition !== undefined)) return undefined;
  const byPartition = partition === undefined ? 99 : matchOf(partition, scope.partition);
  const byNamespace = namespace === undefined ? isDefault(scope) : matchOf(namespace, scope.namespace);
  return byPartition === undefined || byNamespace === undefined ? undefined : byPartition * 100 + byNamespace;
}

function isDefault({ namespace }: Scope): number | undefined {
  return namespace === "default" ? 99 : undefined;
}

function matchOf({ prefix, segment }: Block, name: string): number | undefined {
  if (prefix) return name.startsWith(segment) ? segment.length : undefined;
  return name === segment ? 99 : undefined;
}

function lower(rule: Plain): Plain {
  if (!/^(organization|workspace)$/.test(rule.resource)) return rule;
  return { ...rule, segment: fold(rule.segment) };
}

function decideNaively(rules: Plain[], resource: Resource, name: string, access: Access): Permission | undefined {
  if (resource === "intention") return lookUp(rules, "service", name, intentionsAt);
  if (resource === "key" && access === "write-prefix") {
    const keys = rules.filter((rule) => rule.resource === "key" && rule.segment.startsWith(name));
    const below = keys.map((rule) => policyAt(keys, "key", rule.prefix, rule.segment));
    if (below.some((permission) => permission !== "write")) return "deny";
    return lookUpPrefix(rules, "key", name, policyAt);
  }
  if ((SCALARS as readonly string[]).includes(resource)) {
    const own = policyAt(rules, resource, false, "");
    return own ?? (/^(mesh|peering)$/.test(resource) ? policyAt(rules, "operator", false, "") : undefined);
  }
  const own = lookUp(rules, resource, name, policyAt);
  if (own !== undefined || resource !== "workspace" || !name.includes("/")) return own;
  return lookUp(rules, "organization", name.slice(0, name.indexOf("/")), policyAt);
}

type At = (rules: Plain[], resource: RuleResource, prefix: boolean, segment: string) => Permission | undefined;

function lookUp(rules: Plain[], resource: RuleResource, name: string, at: At): Permission | undefined {
  return at(rules, resource, false, name) ?? lookUpPrefix(rules, resource, name, at);
}

function lookUpPrefix(rules: Plain[], resource: RuleResource, name: string, at: At): Permission | undefined {
  for (let length = name.length; length >= 0; length--) {
    const found = at(rules, resource, true, name.slice(0, length));
    if (found !== undefined) return found;
  }
  return undefined;
}

function strongest(permissions: (Permission | undefined)[]): Permission | undefined {
  return (["deny", "write", "list", "read"] as const).find((permission) => permissions.includes(permission));
}

const policyAt: At = (rules, resource, prefix, segment) =>
  strongest(
    rules
      .filter((rule) => rule.resource === resource && rule.prefix === prefix && rule.segment === segment)
      .map((rule) => rule.policy),
  );

const intentionsAt: At = (rules, resource, prefix, segment) => {
  const here = rules.filter((rule) => rule.resource === resource && rule.prefix === prefix && rule.segment === segment);
  const said = strongest(here.map((rule) => rule.intentions));
  if (said !== undefined) return said;
  const policy = strongest(here.map((rule) => rule.policy));
  return policy === undefined || policy === "deny" ? policy : "read";
};

/** All names over the letters of the random segments, one longer than any of them, and one that no rule begins. */
function serviceNames(round: Round): string[] {
  const longest = Math.max(
    0,
    ...[...round.direct, ...round.defaults].flatMap(({ rules }) => rules.map(({ segment }) => segment.length)),
  );
  const names = [""];
  for (let from = 0, length = 0; length <= longest; length++) {
    const end = names.length;
    for (; from < end; from++) for (const letter of SERVICE_LETTERS) names.push(names[from] + letter);
  }
  return [...names, "no rule begins so"];
}

export const SERVICE_LETTERS = ["a", "B"];

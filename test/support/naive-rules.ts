/** Rules as the documentation words them, to compare the real evaluation with. */
import { fold } from "../../src/fold.ts";
import {
  SCALARS,
  type Access,
  type Permission,
  type Resource,
  type RuleResource,
} from "../../src/rights/rules/rule.ts";
import type { Scope } from "../../src/rights/scope.ts";

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
  /** Permission for the namespace or partition itself. */
  policy?: Permission;
}

export interface PlainPolicy {
  home: Scope;
  /** Whether it is made from an identity. */
  isSynthetic?: boolean;
  rules: Plain[];
}

export interface Round {
  /** Scope of the request. */
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
  const folded = FOLDED.test(resource) ? fold(segment) : segment;
  // Namespaces are spoken of in their partition, partitions in the one place from which others can be spoken of.
  if (resource === "namespace") return allowsName(inDefaultOf(round, round.scope.partition), resource, folded, access);
  if (resource === "partition") return allowsName(inDefaultOf(round, "default"), resource, folded, access);
  return allowsName(round, resource, folded, access);
}

function inDefaultOf(round: Round, partition: string): Round {
  return { ...round, scope: { partition, namespace: "default" } };
}

function allowsName(round: Round, resource: Resource, name: string, access: Access): boolean {
  const permission = firstAnswer(layersOf(round), resource, name, access);
  if (permission !== undefined) return ENOUGH[access].includes(permission);
  if (SCOPES.test(resource)) return allowsName(inDefaultOf(round, "default"), "operator", "", access);
  return round.defaultPolicy === "allow" && !["acl", "organization", "workspace"].includes(resource);
}

const ENOUGH: Record<Access, readonly Permission[]> = {
  read: ["read", "list", "write"],
  list: ["list", "write"],
  write: ["write"],
  "write-prefix": ["write"],
};

function firstAnswer(layers: Plain[][], resource: Resource, name: string, access: Access): Permission | undefined {
  return layers.map((rules) => decideNaively(rules, resource, name, access)).find((answer) => answer !== undefined);
}

/**
 * Whether a namespace may be seen: by operator; else as a block about it says;
 * else since some rule lets read something in it, were it only one name.
 */
export function seenNaively(round: Round, { partition, namespace }: Scope): boolean {
  const about = inDefaultOf(round, partition);
  if (allowedNaively(inDefaultOf(round, "default"), "operator", "", "read")) return true;
  const said = firstAnswer(layersOf(about), "namespace", namespace, "read");
  if (said !== undefined) return said !== "deny";
  const written = (policies: PlainPolicy[]) => policies.map((policy) => ({ ...policy, isSynthetic: false }));
  const { direct, defaults } = round;
  const layers = layersOf({
    ...round,
    direct: written(direct),
    defaults: written(defaults),
    scope: { partition, namespace },
  });
  const inside = layers.map((rules) =>
    rules.filter(({ resource }) => !SCOPES.test(resource) && ![...ROOT_KINDS, ...PARTITION_KINDS].includes(resource)),
  );
  return inside.flat().some(({ resource, prefix, segment }) => {
    // One name stands for all names with the prefix that no other rule matches.
    const name = prefix ? `${segment}\0` : segment;
    const asked = resource === "service" ? (["service", "intention"] as const) : [resource];
    return asked.some((each) => ![undefined, "deny"].includes(firstAnswer(inside, each, name, "read")));
  });
}

/** The rules that act in a scope: the token's own before the defaults, and of both those in the closest blocks first. */
function layersOf({ direct, defaults, scope }: Round): Plain[][] {
  return [direct, defaults].flatMap((policies) => {
    const acting = policies.flatMap((policy) => policy.rules.flatMap((rule) => actingIn(policy, rule, scope)));
    const steps = [...new Set(acting.map(({ closeness }) => closeness))].toSorted((a, b) => b - a);
    return steps.map((step) => acting.filter(({ closeness }) => closeness === step).map(({ rule }) => rule));
  });
}

function actingIn({ home, isSynthetic }: PlainPolicy, rule: Plain, scope: Scope): { closeness: number; rule: Plain }[] {
  const isOfCatalog = /^(service|node)$/.test(rule.resource) && rule.policy === "read";
  const everywhere = { ...rule, namespace: { prefix: true, segment: "" } };
  const alsoImplied =
    isSynthetic === true && isOfCatalog && rule.namespace === undefined && rule.partition === undefined;
  const implied = alsoImplied ? [{ rule: everywhere, from: { ...home, namespace: "default" } }] : [];
  const own = saidBy(rule, home).map((each) => ({ rule: each, from: home }));
  return [...own, ...implied].flatMap(({ rule: each, from }) => {
    const closeness = closenessOf(each, from, scope);
    return closeness === undefined ? [] : [{ closeness, rule: lower(each) }];
  });
}

/** A rule, and what the blocks around it say of the namespace or partition itself, as if it stood alone. */
function saidBy(rule: Plain, home: Scope): Plain[] {
  const { partition, namespace } = rule;
  const ofNamespace = namespace?.policy && { ...namespace, policy: namespace.policy, resource: "namespace" as const };
  const ofPartition = partition?.policy && { ...partition, policy: partition.policy, resource: "partition" as const };
  return [
    rule,
    ...(ofNamespace ? [{ ...ofNamespace, ...(partition && { partition }) }] : []),
    ...(ofPartition ? [ofPartition] : []),
  ].map((each) => (each.resource === "partition" ? ofOwnOnly(each, home.partition) : each));
}

/** Limits a rule about several partitions: a policy outside the default partition covers only its own partition. */
function ofOwnOnly(rule: Plain, own: string): Plain {
  if (own === "default" || matchOf(rule, own) === undefined) return rule;
  return { ...rule, prefix: false, segment: own };
}

const ROOT_KINDS = ["operator", "keyring", "organization", "workspace"];
const PARTITION_KINDS = ["agent", "event", "mesh", "peering", "query"];
const SCOPES = /^(namespace|partition)$/;
const FOLDED = /^(namespace|organization|partition|workspace)$/;

function closenessOf(rule: Plain, home: Scope, scope: Scope): number | undefined {
  const { partition, namespace, resource } = rule;
  const isRoot = home.partition === "default" && home.namespace === "default";
  if (SCOPES.test(resource) && (home.namespace !== "default" || namespace !== undefined)) return undefined;
  if (resource === "partition") return closenessOfPartition(rule, home, scope);
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

function closenessOfPartition({ partition, prefix, segment }: Plain, home: Scope, scope: Scope): number | undefined {
  const isAboutOther = home.partition !== "default" && (prefix || segment !== home.partition);
  const isAsked = scope.partition === "default" && scope.namespace === "default";
  return partition !== undefined || isAboutOther || !isAsked ? undefined : 9999;
}

function isDefault({ namespace }: Scope): number | undefined {
  return namespace === "default" ? 99 : undefined;
}

function matchOf({ prefix, segment }: Block, name: string): number | undefined {
  if (prefix) return name.startsWith(fold(segment)) ? segment.length : undefined;
  return name === fold(segment) ? 99 : undefined;
}

function lower(rule: Plain): Plain {
  return FOLDED.test(rule.resource) ? { ...rule, segment: fold(rule.segment) } : rule;
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

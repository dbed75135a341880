/**
 * One layer of rules: those of a token's own policies, or those of the defaults
 * behind them. It answers a question, or leaves it undecided to the next layer.
 */
import {
  type NamedPolicy,
  type PolicyRules,
  covers,
  impliedIntentions,
  outweighs,
  type Access,
  type Permission,
  type Resource,
  type ResourceRule,
  type RuleResource,
} from "./rule.ts";
import { atOnce } from "../../turns.ts";
import { fold } from "../../fold.ts";
import { PrefixTable } from "./prefix-table.ts";
import type { Steps } from "./scanner.ts";

/** Permission of a layer for a segment, with the rule that contains it. */
export interface LayerGrant {
  readonly rule: { readonly resource: RuleResource; readonly prefix: boolean; readonly segment: string };
  readonly permission: Permission;
  /** Whether it was not written in lower case. */
  readonly isLoose?: boolean;
  /** Policies that grant this permission, without the policies whose weaker rule it overrides. */
  readonly holders: readonly NamedPolicy[];
}

/** The merged rules for one segment, or for one prefix. */
export interface Site {
  readonly policy: LayerGrant;
  /** Only for services. */
  readonly intentions: LayerGrant | undefined;
}

/** The rules of one resource. */
export interface RuleTable {
  readonly exact: ReadonlyMap<string, Site>;
  readonly prefixes: PrefixTable<Site>;
}

const NO_RULES: RuleTable = { exact: new Map(), prefixes: new PrefixTable([]) };

export interface Layer {
  readonly tables: ReadonlyMap<RuleResource, RuleTable>;
  /** Rules of keys with less than write, exact and prefix ones alike, sorted by segment. */
  readonly weakKeys: readonly LayerGrant[];
  /** Estimate of the memory that it takes. */
  readonly bytes: number;
}

/** Resources whose segments are the same in any case. */
const FOLDED: ReadonlySet<Resource> = new Set<Resource>(["namespace", "organization", "partition", "workspace"]);

/** The spelling that a segment is looked up in. */
export function lookupSpelling(resource: Resource, segment: string): string {
  return FOLDED.has(resource) ? fold(segment) : segment;
}

interface DraftTable {
  exact: Map<string, Site>;
  prefix: Map<string, Site>;
}

/** Number of rules between two pauses. */
const RULES_BETWEEN = 256;
/** Memory of one site besides its segment, in bytes; measured by `bench/decisions.ts`. */
const SITE_BYTES = 220;
/** Memory that a further policy with an equal rule adds, in bytes. */
const MERGED_BYTES = 16;

/** Merges the rules of all policies: per resource, form and segment; policy and intentions each for itself. */
export function compileLayer(policies: readonly PolicyRules[]): Layer {
  return atOnce(compileLayerInSteps(policies));
}

/** Merges as `compileLayer` does, as work that can pause. */
export function* compileLayerInSteps(policies: readonly PolicyRules[]): Steps<Layer> {
  const drafts = new Map<RuleResource, DraftTable>();
  let bytes = 0;
  for (const { id, name, links, rules, block } of policies) {
    // One list for all rules that this policy alone gives.
    const holder: NamedPolicy = { id, name, links, ...(block && { block }) };
    const holders = [holder];
    yield;
    for (const [index, rule] of rules.entries()) {
      if (index % RULES_BETWEEN === RULES_BETWEEN - 1) yield;
      if ("kind" in rule) continue;
      let draft = drafts.get(rule.resource);
      if (draft === undefined) drafts.set(rule.resource, (draft = { exact: new Map(), prefix: new Map() }));
      const sites = rule.prefix ? draft.prefix : draft.exact;
      const segment = lookupSpelling(rule.resource, rule.segment);
      const before = sites.get(segment);
      bytes += before === undefined ? SITE_BYTES + segment.length : MERGED_BYTES;
      const own = rule.at === undefined ? holders : [{ ...holder, at: rule.at }];
      sites.set(segment, mergeSite(before, rule, segment, own));
    }
  }
  const tables = new Map<RuleResource, RuleTable>();
  for (const [resource, { exact, prefix }] of drafts) {
    if (resource === "service") impliedOf(exact, prefix);
    yield;
    tables.set(resource, { exact, prefixes: new PrefixTable(prefix) });
  }
  return { tables, weakKeys: weakOf(drafts.get("key")), bytes };
}

function mergeSite(
  before: Site | undefined,
  rule: ResourceRule,
  segment: string,
  holders: readonly NamedPolicy[],
): Site {
  const about = before?.policy.rule ?? { resource: rule.resource, prefix: rule.prefix, segment };
  const grant = (permission: Permission, isLoose: boolean): LayerGrant => ({
    rule: about,
    permission,
    isLoose,
    holders,
  });
  const { policy, intentions, loose } = rule;
  return {
    policy: mergeGrant(before?.policy, grant(policy, loose?.policy === true)),
    intentions:
      intentions === undefined
        ? before?.intentions
        : mergeGrant(before?.intentions, grant(intentions, loose?.intentions === true)),
  };
}

function mergeGrant(before: LayerGrant | undefined, added: LayerGrant): LayerGrant {
  if (before === undefined) return added;
  if (outweighs(added, before)) return added;
  return outweighs(before, added) ? before : { ...before, holders: joined(before.holders, added.holders) };
}

/** A policy that says the same twice is named once. Policies come one after the other, so only the last can be it. */
function joined(before: readonly NamedPolicy[], added: readonly NamedPolicy[]): readonly NamedPolicy[] {
  return before.at(-1) === added[0] ? before : [...before, ...added];
}

/** Derives intentions from the merged policy of a service when no rule contains intentions. */
function impliedOf(...tables: Map<string, Site>[]): void {
  for (const sites of tables) {
    for (const [segment, { policy, intentions }] of sites) {
      const permission = impliedIntentions(policy);
      const implied = permission === policy.permission ? policy : { ...policy, permission };
      sites.set(segment, { policy, intentions: intentions ?? implied });
    }
  }
}

function weakOf(keys: DraftTable | undefined): LayerGrant[] {
  if (keys === undefined) return [];
  return [...keys.exact.values(), ...keys.prefix.values()]
    .map((site) => site.policy)
    .filter((grant) => !covers(grant.permission, "write"))
    .sort((a, b) => (a.rule.segment < b.rule.segment ? -1 : 1));
}

/** The rules of one resource; empty when the layer has none. */
export function tableOf(layer: Layer, resource: RuleResource): RuleTable {
  return layer.tables.get(resource) ?? NO_RULES;
}

/** The exact rule for a segment if there is one, else that of the longest prefix. */
export function findSite({ exact, prefixes }: RuleTable, segment: string): Site | undefined {
  return exact.get(segment) ?? prefixes.find(segment);
}

/**
 * Returns the grant by which this layer decides; undefined when none of its rules is about the segment.
 *
 * @param segment in the spelling of `lookupSpelling`
 */
export function grantIn(layer: Layer, resource: Resource, segment: string, access: Access): LayerGrant | undefined {
  switch (resource) {
    case "acl":
    case "keyring":
    case "operator":
      return findGrant(layer, resource, "");
    case "mesh":
    case "peering":
      return findGrant(layer, resource, "") ?? findGrant(layer, "operator", "");
    case "workspace":
      return findGrant(layer, resource, segment) ?? decideByOwner(layer, segment);
    case "intention": {
      const services = layer.tables.get("service");
      return services === undefined ? undefined : findSite(services, segment)?.intentions;
    }
    case "key":
      return access === "write-prefix" ? decideTree(layer, segment) : findGrant(layer, resource, segment);
    default:
      return findGrant(layer, resource, segment);
  }
}

function findGrant(layer: Layer, resource: RuleResource, segment: string): LayerGrant | undefined {
  const table = layer.tables.get(resource);
  return table === undefined ? undefined : findSite(table, segment)?.policy;
}

/** A workspace without a rule of its own follows its organization. */
function decideByOwner(layer: Layer, segment: string): LayerGrant | undefined {
  const slash = segment.indexOf("/");
  return slash < 0 ? undefined : findGrant(layer, "organization", segment.slice(0, slash));
}

/** All keys below a prefix at once: a rule with less than write below it refuses, else the covering prefix decides. */
function decideTree(layer: Layer, prefix: string): LayerGrant | undefined {
  return firstWeakBelow(layer.weakKeys, prefix) ?? tableOf(layer, "key").prefixes.find(prefix)?.policy;
}

function firstWeakBelow(weak: readonly LayerGrant[], prefix: string): LayerGrant | undefined {
  let low = 0;
  let high = weak.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((weak[middle]?.rule.segment ?? "") < prefix) low = middle + 1;
    else high = middle;
  }
  const first = weak[low];
  return first?.rule.segment.startsWith(prefix) === true ? first : undefined;
}

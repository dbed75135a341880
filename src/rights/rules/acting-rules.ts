/**
 * Which rules act where. The rules of a policy act in its own namespace; from
 * the namespace `default` blocks reach others of the same partition, and from
 * the default partition blocks reach other partitions. What identities may
 * read of services and nodes they may read in all namespaces of their partition.
 */
import type { PolicyRules, ResourceRule, Rule, RuleBlock, RuleResource, ScopeRule } from "./rule.ts";
import { compileLayer, compileLayerInSteps, type Layer } from "./layer.ts";
import type { Steps } from "./scanner.ts";
import { DEFAULT_SCOPE, isRootScope, type Scope } from "../scope.ts";
import { fold } from "../../fold.ts";

/** Kinds that only policies of the `default` namespace of the `default` partition can speak about. */
export const ROOT_ONLY: ReadonlySet<string> = new Set<RuleResource>([
  "keyring",
  "operator",
  "organization",
  "workspace",
]);

/** Kinds of a partition as a whole, about which policies of its other namespaces cannot speak. */
export const PARTITION_ONLY: ReadonlySet<string> = new Set<RuleResource>([
  "agent",
  "event",
  "mesh",
  "peering",
  "query",
]);

/**
 * The rules of a set of policies, by where they act. A place is a name or all
 * names that begin with a text, first of partitions and in each of namespaces.
 */
export interface ActingRules {
  /**
   * Returns the rules that act in a scope, in layers: the closest first. When no rule of a layer is about a question,
   * the next layer decides. An exact block has precedence over a prefix, and a longer prefix over a shorter one.
   */
  layersIn(scope: Scope): ActingLayer[];
  /** Layers of so many rules that they should be compiled beforehand, wherever they act. */
  longLayers(): ActingLayer[];
  /** Scopes with the same key have the same layers. */
  keyOf(scope: Scope): string;
  /** The namespaces of a partition that any rule is about in particular. */
  namespacesIn(partition: string): { names: ReadonlySet<string>; prefixes: ReadonlySet<string> };
  /** Rules that act anywhere but in the scope where all lies that says nothing else. */
  readonly elsewhere: number;
}

/** The rules that act in one place. Many scopes share it, so what is compiled of it is kept. */
export interface ActingLayer {
  readonly acting: readonly ActingRule[];
  /** All of them, compiled. */
  compiled(): Layer;
  /** Compiles it beforehand, as work that can pause. */
  prepare(): Steps<void>;
  /** Rules about the contents of a namespace, without the implicit rules of identities (`isImplicit`). */
  inside(): Layer;
}

/** Rules of one policy that act in one place. */
export interface ActingRule extends PolicyRules {
  readonly rules: readonly ResourceRule[];
  /** Whether an identity adds the rule: it may read everywhere, though no rule of its policy contains that. */
  isImplicit?: boolean;
  /** The one partition that its place is about, where the place says more. */
  onlyIn?: string | undefined;
}

type Add = (
  partition: string,
  namespace: string,
  rules: readonly ResourceRule[],
  limits?: Pick<ActingRule, "isImplicit" | "onlyIn" | "block">,
) => void;

/** Rules that are compiled where they are first asked for. More take longer than a turn of the event loop should. */
const LONG = 1000;

/** Sorts rules by where they act; looking them up takes as long as the names are, however many there are. */
export function* indexActingRules(policies: readonly PolicyRules[]): Steps<ActingRules> {
  /** By place of the partition, then by place of the namespace. */
  const places = new Map<string, Map<string, ActingRule[]>>();
  let elsewhere = 0;
  let isLimited = false;
  for (const policy of policies) {
    const add: Add = (partition, namespace, rules, limits) => {
      let namespaces = places.get(partition);
      if (namespaces === undefined) places.set(partition, (namespaces = new Map()));
      // A block without rules is about its namespace all the same.
      let found = namespaces.get(namespace);
      if (found === undefined) namespaces.set(namespace, (found = []));
      if (rules.length === 0) return;
      const entry: ActingRule = { ...policy, rules, ...limits };
      isLimited ||= entry.onlyIn !== undefined;
      found.push(entry);
      if (partition !== ROOT_PLACE || namespace !== ROOT_PLACE) elsewhere += rules.length;
    };
    addPolicy(policy, add);
    yield;
  }
  const layers = new Map<readonly ActingRule[], ActingLayer>();
  const layerOf = (acting: readonly ActingRule[], partition: string): ActingLayer | undefined => {
    // Only policies of other partitions than the default one limit what is said there, and they are few.
    const here = isLimited ? acting.filter(({ onlyIn }) => (onlyIn ?? partition) === partition) : acting;
    if (here.length === 0) return undefined;
    let layer = layers.get(acting);
    if (layer === undefined || here.length !== acting.length) layer = makeLayer(here);
    if (here.length === acting.length) layers.set(acting, layer);
    return layer;
  };
  return {
    elsewhere,
    layersIn: ({ partition, namespace }) =>
      around(places, partition)
        .flatMap(([, namespaces]) => around(namespaces, namespace))
        .flatMap(([, acting]) => layerOf(acting, partition) ?? []),
    longLayers() {
      if (elsewhere <= LONG) return [];
      const long = [...places].flatMap(([place, namespaces]) =>
        [...namespaces.values()]
          .filter((acting) => acting.reduce((sum, { rules }) => sum + rules.length, 0) > LONG)
          .map((acting) => layerOf(acting, place.slice(1))),
      );
      return long.filter((layer) => layer !== undefined);
    },
    keyOf({ partition, namespace }) {
      const found = around(places, partition).flatMap(([place, namespaces]) =>
        around(namespaces, namespace).map(([inner]) => `${place}/${inner}`),
      );
      return [isLimited ? partition : "", ...found].join();
    },
    namespacesIn(partition) {
      const all = around(places, partition).flatMap(([, namespaces]) => [...namespaces.keys()]);
      const named = (sign: string): Set<string> =>
        new Set(all.filter((place) => place.startsWith(sign)).map((place) => place.slice(1)));
      return { names: named(EXACT), prefixes: named(PREFIX) };
    },
  };
}

function makeLayer(acting: readonly ActingRule[]): ActingLayer {
  let all: Layer | undefined;
  let inside: Layer | undefined;
  return {
    acting,
    compiled: () => (all ??= compileLayer(acting)),
    *prepare() {
      all ??= yield* compileLayerInSteps(acting);
    },
    inside: () => (inside ??= compileLayer(insideOnly(acting))),
  };
}

function insideOnly(acting: readonly ActingRule[]): ActingRule[] {
  return acting
    .filter(({ isImplicit }) => isImplicit !== true)
    .map((each) => ({ ...each, rules: each.rules.filter(isInside) }));
}

/** Whether a rule is about what lies in a namespace, and not in a partition or the server as a whole. */
function isInside({ resource }: ResourceRule): boolean {
  const isElsewhere = ROOT_ONLY.has(resource) || PARTITION_ONLY.has(resource);
  return !isElsewhere && resource !== "namespace" && resource !== "partition";
}

/** How a place begins in the index: a name, or a prefix of names. No name holds either. */
const EXACT = "=";
const PREFIX = "^";
const ROOT_PLACE = EXACT + DEFAULT_SCOPE.namespace;

/** Values about a name, each with its place: the exact name first, then the longest prefix. */
function around<T>(places: ReadonlyMap<string, T>, name: string): [place: string, about: T][] {
  const found: [string, T][] = [];
  const add = (place: string): void => {
    const about = places.get(place);
    if (about !== undefined) found.push([place, about]);
  };
  add(EXACT + name);
  for (let length = name.length; length >= 0; length--) add(PREFIX + name.slice(0, length));
  return found;
}

function addPolicy({ home, rules, isSynthetic }: PolicyRules, add: Add): void {
  const partition = EXACT + home.partition;
  const own = resourceRules(rules).filter((rule) => maySay(home, rule));
  add(partition, EXACT + home.namespace, own);
  if (isSynthetic === true) add(partition, PREFIX, own.filter(isReadOfCatalog), { isImplicit: true });
  // Only from `default` does a policy reach other namespaces, and only from its partition other partitions.
  if (home.namespace !== DEFAULT_SCOPE.namespace) return;
  addNamespaces(rules, partition, add);
  for (const block of scopeRules(rules, "partition")) {
    const isRoot = isRootScope(home);
    if (!isRoot && !isAbout(block, home.partition)) continue;
    const place = placeOf(block);
    const limits = { onlyIn: isRoot ? undefined : home.partition };
    const addInside: Add = (partitionPlace, namespace, inner, { block: within } = {}) =>
      add(partitionPlace, namespace, inner, { ...limits, block: within ?? blockOf(block) });
    addInside(place, ROOT_PLACE, resourceRules(block.rules));
    addNamespaces(block.rules, place, addInside, block);
    // Rules about partitions are looked up in one place. A policy outside the root can name its own partition only.
    const about = isRoot ? block : { ...block, prefix: false, segment: home.partition };
    add(ROOT_PLACE, ROOT_PLACE, ruleAbout("partition", about));
  }
}

/** @param outer the partition block that contains them */
function addNamespaces(rules: readonly Rule[], partition: string, add: Add, outer?: ScopeRule): void {
  for (const block of scopeRules(rules, "namespace")) {
    add(partition, placeOf(block), resourceRules(block.rules), { block: blockOf(block, outer) });
    add(partition, ROOT_PLACE, ruleAbout("namespace", block));
  }
}

function blockOf({ kind, prefix, segment }: ScopeRule, outer?: ScopeRule): RuleBlock {
  const partition = outer && { prefix: outer.prefix, segment: outer.segment };
  return { kind, prefix, segment, ...(partition && { partition }) };
}

/** Place in which rules of a policy act: names, or all names that begin with a prefix. */
export interface ActingPlace {
  partition: Named;
  namespace: Named;
  rules: readonly ResourceRule[];
}

/** A name, or all names that begin with it. */
export interface Named {
  name: string;
  prefix: boolean;
}

/** All rules of a policy by where they act. @param withImplicit whether with what identities add and no rule contains */
export function actingPlaces(policy: PolicyRules, withImplicit = false): ActingPlace[] {
  const places: ActingPlace[] = [];
  const named = (place: string): Named => ({ name: place.slice(1), prefix: place.startsWith(PREFIX) });
  addPolicy(policy, (partition, namespace, rules, limits) => {
    if ((limits?.isImplicit === true && !withImplicit) || rules.length === 0) return;
    const inside = limits?.onlyIn === undefined ? named(partition) : { name: limits.onlyIn, prefix: false };
    places.push({ partition: inside, namespace: named(namespace), rules });
  });
  return places;
}

/** Whether a block is about a name. */
function isAbout({ prefix, segment }: ScopeRule, name: string): boolean {
  return prefix ? name.startsWith(fold(segment)) : name === fold(segment);
}

function placeOf({ prefix, segment }: ScopeRule): string {
  return (prefix ? PREFIX : EXACT) + fold(segment);
}

/** Rule that a block contains about the namespace or partition itself. */
function ruleAbout(
  resource: "namespace" | "partition",
  { prefix, segment, policy, loose, at }: Pick<ScopeRule, "prefix" | "segment" | "policy" | "loose" | "at">,
): ResourceRule[] {
  if (policy === undefined) return [];
  return [{ resource, prefix, segment, policy, ...(loose && { loose }), ...(at !== undefined && { at }) }];
}

function isReadOfCatalog({ resource, policy }: ResourceRule): boolean {
  return (resource === "service" || resource === "node") && policy === "read";
}

/**
 * Checks whether a policy in that scope can contain this rule. A rule that was stored before the check existed has no
 * effect.
 */
export function maySay(home: Scope, { resource, policy }: ResourceRule): boolean {
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

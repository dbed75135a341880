/**
 * Decides what a set of policies allows. Pure: compiled once from rules, then
 * asked; every question takes two look-ups in each layer, however many rules there are.
 *
 * A question goes to the token's own policies (layer `direct`). Where none of
 * their rules is about it, it goes to the defaults of the namespace, and then to
 * the default policy of the server, which never grants `acl`, `organization` or `workspace`.
 */
import { atOnce } from "../../turns.ts";
import { DEFAULT_SCOPE, type Scope } from "../scope.ts";
import { indexActingRules } from "./acting-rules.ts";
import type { Authorizer, Decision, ShownList } from "./authorizer.ts";
import { fold } from "../../fold.ts";
import { grantIn, lookupSpelling, tableOf, type Layer } from "./layer.ts";
import { type Facts, NO_FACTS } from "./question.ts";
import { type PolicyRules, covers, type Access, type Resource } from "./rule.ts";
import { aclNamespaces, decideSight, seenNamespaces, type RulesOfToken } from "./namespaces.ts";
import type { Steps } from "./scanner.ts";
import { visibleNames, type Visibility } from "./visibility.ts";
import { workspaceSight } from "./workspace-sight.ts";
import { grantsShowing } from "./shown.ts";

export interface AuthorizerInput {
  readonly direct: readonly PolicyRules[];
  readonly defaults: readonly PolicyRules[];
  readonly defaultPolicy: "allow" | "deny";
}

/** Memory of an authorizer without rules, in bytes. */
const BASE_BYTES = 2048;

/** Resources that need a rule: the default policy never grants them. */
const NEVER_BY_DEFAULT: ReadonlySet<Resource> = new Set<Resource>(["acl", "organization", "workspace"]);

/**
 * Compiles the policies of a token into an authorizer of the default scope.
 * Policies may come in any order, each once.
 */
export function compileAuthorizer(input: AuthorizerInput): Authorizer {
  return atOnce(compileInSteps(input));
}

/** The same as work that can pause. */
export function* compileInSteps({ direct, defaults, defaultPolicy }: AuthorizerInput): Steps<Authorizer> {
  const input: Compiled = {
    direct: yield* indexActingRules(direct),
    defaults: yield* indexActingRules(defaults),
    defaultPolicy,
    in: inScope,
    visible: rememberedBy((partition) => seenNamespaces(input, partition)),
    withAcl: rememberedBy((partition) => aclNamespaces(input, partition)),
  };
  const byScope = new Map<string, Authorizer>();
  const byLayers = new Map<string, Authorizer>();
  let layersBytes = 0;

  function inScope(scope: Scope): Authorizer {
    if (scope === DEFAULT_SCOPE) return root;
    const name = `${scope.partition}/${scope.namespace}`;
    let authorizer = byScope.get(name);
    if (authorizer === undefined) {
      authorizer = byItsLayers(scope);
      keep(byScope, name, authorizer, MAX_SCOPES);
    }
    return authorizer;
  }

  function byItsLayers(scope: Scope): Authorizer {
    const key = `${input.direct.keyOf(scope)} ${input.defaults.keyOf(scope)}`;
    let authorizer = byLayers.get(key);
    if (authorizer === undefined) {
      authorizer = compileIn(input, scope);
      layersBytes += authorizer.bytes;
      if (layersBytes > MAX_LAYERS_BYTES) {
        byLayers.clear();
        byScope.clear();
        layersBytes = authorizer.bytes;
      }
      byLayers.set(key, authorizer);
    }
    return authorizer;
  }

  const layers = [...input.direct.layersIn(DEFAULT_SCOPE), ...input.defaults.layersIn(DEFAULT_SCOPE)];
  for (const layer of [...layers, ...input.direct.longLayers(), ...input.defaults.longLayers()]) yield* layer.prepare();
  const here = compileIn(input, DEFAULT_SCOPE);
  // The rules that are compiled later for other places need about as much memory. Many tokens share each such set.
  const kept = input.direct.elsewhere + input.defaults.elsewhere;
  const root = { ...here, bytes: here.bytes + KEPT_RULE_BYTES * kept };
  return root;
}

/** Approximate memory of one rule that is kept as parsed, in bytes. */
const KEPT_RULE_BYTES = 400;
/** Maximum number of scopes whose authorizers are kept for one set of policies. Callers name the scopes. */
const MAX_SCOPES = 64;
/**
 * Maximum memory that one set of policies keeps besides its default scope. Rules can be compiled again for many places.
 */
const MAX_LAYERS_BYTES = 512 * 1024;
/** Maximum number of partitions whose visible names are kept: each can contain thousands. */
const MAX_PARTITIONS = 16;

function keep<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  if (map.size >= most) map.clear();
  map.set(key, value);
}

/** State that all scopes share. */
interface Compiled extends RulesOfToken {
  defaultPolicy: "allow" | "deny";
  in(scope: Scope): Authorizer;
  visible(partition: string): Visibility;
  withAcl(partition: string): Visibility;
}

const ALLOWED_BY_DEFAULT: Decision = { allow: true, decidedBy: "default-policy" };
const DENIED_BY_DEFAULT: Decision = { allow: false, decidedBy: "default-policy" };

function compileIn(input: Compiled, scope: Scope): Authorizer {
  const { defaultPolicy } = input;
  const first = input.direct.layersIn(scope).map((layer) => layer.compiled());
  const second = input.defaults.layersIn(scope).map((layer) => layer.compiled());
  const layers = [...first, ...second];
  const bytes = layers.reduce((sum, layer) => sum + layer.bytes, 0);

  /** The first layer that says anything decides. Facts reach each decision and are read by none. */
  function decideBy(resource: Resource, name: string, access: Access, facts: Facts): Decision {
    for (let index = 0; index < layers.length; index++) {
      const layer = layers[index];
      const grant = layer && grantIn(layer, resource, name, access);
      if (grant === undefined) continue;
      return { allow: covers(grant.permission, access), decidedBy: index < first.length ? "direct" : "default", grant };
    }
    if (resource === "namespace" || resource === "partition")
      return input.in(DEFAULT_SCOPE).decide("operator", "", access, facts);
    return defaultPolicy === "allow" && !NEVER_BY_DEFAULT.has(resource) ? ALLOWED_BY_DEFAULT : DENIED_BY_DEFAULT;
  }

  const anyIntention = rememberedBy((access: Access) => {
    const names = sampleServices(layers);
    // One that may be read, or one that may not be written, decides; else a name without a rule of its own.
    return names.find((name) => decideBy("intention", name, access, NO_FACTS).allow === (access === "read")) ?? UNRULED;
  });
  const showing = rememberedBy((key: string) => grantsShowing(input, layers, JSON.parse(key) as ShownList));
  const nameOf = (resource: Resource, segment: string, access: Access): string =>
    resource === "intention" && segment === "*" ? anyIntention(access) : lookupSpelling(resource, segment);

  return {
    in: input.in,
    bytes: BASE_BYTES + bytes,
    decide: (resource, segment, access, facts) => decideBy(resource, nameOf(resource, segment, access), access, facts),
    visibleOrganizations: () =>
      visibleNames(
        layers.map((layer) => ({ layer, otherwise: undefined })),
        "organization",
        "",
      ),
    visibleWorkspaces(organization, access = "read") {
      const name = fold(organization);
      const withOwner = layers.map((layer) => ({
        layer,
        otherwise: grantIn(layer, "organization", name, access)?.permission,
      }));
      return visibleNames(withOwner, "workspace", `${name}/`, access);
    },
    workspaceSight: (only) =>
      workspaceSight(
        layers,
        (segment) => decideBy("workspace", segment, "read", NO_FACTS).allow,
        UNRULED,
        only && fold(only),
      ),
    decideSight: (asked, facts) => decideSight(input, asked, facts),
    rulesShowing: (list) => showing(keyOfList(list)),
    visibleNamespaces: input.visible,
    aclNamespaces: input.withAcl,
  };
}

/** Names of organizations are the same in any case. */
function keyOfList(list: ShownList): string {
  return JSON.stringify(list.of === "workspaces" ? { ...list, organization: fold(list.organization) } : list);
}

/** No rule can hold NUL, so no rule is about this name but those for every name. */
const UNRULED = "\0";

/** For each rule about services a name that it decides, where it decides any. */
function sampleServices(layers: readonly Layer[]): string[] {
  return layers.flatMap((layer) => {
    const { exact, prefixes } = tableOf(layer, "service");
    return [...exact.keys(), ...Array.from(prefixes.below(""), ([prefix]) => prefix + UNRULED)];
  });
}

/** Remembers what was found: there may be thousands of names to look through. */
function rememberedBy<K, V>(find: (key: K) => V): (key: K) => V {
  const found = new Map<K, V>();
  return (key) => {
    const before = found.get(key);
    if (before !== undefined) return before;
    const value = find(key);
    keep(found, key, value, MAX_PARTITIONS);
    return value;
  };
}

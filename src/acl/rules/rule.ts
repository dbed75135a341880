/** What a rule is: the closed lists of resources and permissions, and the order between permissions. */
import type { Scope } from "../scope.ts";

export type Permission = "deny" | "read" | "list" | "write";

/** What is asked for. `list` and `write-prefix` are asked of keys only. */
export type Access = "read" | "list" | "write" | "write-prefix";

/** Resources that have no segment: one rule decides on all of it. */
export const SCALARS = ["acl", "keyring", "mesh", "operator", "peering"] as const;

/** Resources whose rules name one segment (`node "web-1"`) or all that begin with a text (`node_prefix "web-"`). */
export const LABELLED = [
  "agent",
  "event",
  "key",
  "node",
  "organization",
  "query",
  "service",
  "session",
  "workspace",
] as const;

export type ScalarResource = (typeof SCALARS)[number];
export type LabelledResource = (typeof LABELLED)[number];

/** What a block can be about: the namespace or the partition itself, by its name. */
export const SCOPES = ["namespace", "partition"] as const;

/** What a rule can be about. */
export type RuleResource = ScalarResource | LabelledResource | (typeof SCOPES)[number];

/** What can be asked for: `intention` has no rules of its own, those of `service` decide. */
export type Resource = RuleResource | "intention";

/** Permissions of a rule that were not written in lower case. */
export interface Loose {
  readonly policy?: true;
  readonly intentions?: true;
}

export interface ResourceRule {
  readonly resource: RuleResource;
  /** Whether it is for every segment that begins with `segment`. */
  readonly prefix: boolean;
  /** As written; empty for resources without segments. */
  readonly segment: string;
  readonly policy: Permission;
  /** Of services only; without it intentions follow `policy`. */
  readonly intentions?: Permission;
  /** Which of the two was not written in lower case, and so gives way; see `outweighs`. */
  readonly loose?: Loose;
  /** Where it begins in its text, as an index: at its label where it has one. Only where that was asked for. */
  readonly at?: number;
}

/** A `namespace` or `partition` block: what it says of the thing itself, and the rules that act in it. */
export interface ScopeRule {
  readonly kind: "namespace" | "partition";
  readonly prefix: boolean;
  readonly segment: string;
  readonly policy?: Permission;
  readonly intentions?: Permission;
  readonly loose?: Loose;
  readonly rules: readonly Rule[];
  /** As of other rules. */
  readonly at?: number;
}

export type Rule = ResourceRule | ScopeRule;

/** How many rules these are, those inside blocks and the blocks themselves included. */
export function countRules(rules: readonly Rule[]): number {
  return rules.reduce((sum, rule) => sum + 1 + ("kind" in rule ? countRules(rule.rules) : 0), 0);
}

const READ_WRITE: readonly Access[] = ["read", "write"];

/** What may be asked of each resource; a `Map`, so that no text from outside finds anything else. */
export const ACCESSES: ReadonlyMap<string, readonly Access[]> = new Map<Resource, readonly Access[]>([
  ...[...SCALARS, ...LABELLED, ...SCOPES, "intention" as const].map((resource) => [resource, READ_WRITE] as const),
  ["key", ["read", "list", "write", "write-prefix"]],
]);

/** Whether this is a resource that can be asked for. Exact: `Acl` is none. */
export function isResource(text: string): text is Resource {
  return ACCESSES.has(text);
}

const STRENGTH: Readonly<Record<Permission, number>> = { read: 0, list: 1, write: 2, deny: 3 };

/** Which of two permissions for the same segment counts: deny over write over list over read. */
export function stronger(a: Permission, b: Permission): Permission {
  return STRENGTH[a] >= STRENGTH[b] ? a : b;
}

/** A permission as it is weighed against another one for the same segment. */
export interface Said {
  readonly permission: Permission;
  /** Whether it was not written in lower case. */
  readonly isLoose?: boolean | undefined;
}

/**
 * Which of two counts. One in lower case counts as `stronger` says, and before every one that is not; of those the least
 * counts, so that no spelling gives more than clients of the language know it to give. `deny` counts in any case.
 */
export function outweighs(a: Said, b: Said): boolean {
  return weight(a) > weight(b);
}

function weight({ permission, isLoose = false }: Said): number {
  const strength = STRENGTH[permission];
  return isLoose && permission !== "deny" ? -1 - strength : strength;
}

/** What a block says, as members of its rule. */
export function said(
  policy: Said | undefined,
  intentions: Said | undefined,
): Partial<Pick<ResourceRule, "policy" | "intentions" | "loose">> {
  const loose: Loose = {
    ...(policy?.isLoose === true && { policy: true }),
    ...(intentions?.isLoose === true && { intentions: true }),
  };
  return {
    ...(policy && { policy: policy.permission }),
    ...(intentions && { intentions: intentions.permission }),
    ...(Object.keys(loose).length > 0 && { loose }),
  };
}

/** Whether a permission gives an access. Who may read keys may not list them by that. */
export function covers(permission: Permission, access: Access): boolean {
  if (permission === "write") return true;
  return access === "read" ? permission !== "deny" : access === "list" && permission === "list";
}

/** What a service's `policy` says about intentions when the rule does not: never write, and nothing where it is not in lower case. */
export function impliedIntentions({ permission, isLoose = false }: Said): Permission {
  return permission === "deny" || isLoose ? "deny" : "read";
}

/** How a policy came to a token. */
export type PolicyLink =
  | { readonly kind: "direct" }
  | { readonly kind: "role"; readonly id: string; readonly name: string }
  /** Made from a service or node identity or a templated policy of this name. */
  | { readonly kind: "identity"; readonly name: string }
  /** A default of the namespace; by a role of the defaults when there is one. */
  | {
      readonly kind: "default";
      readonly namespace: string;
      readonly role?: { readonly id: string; readonly name: string };
    };

/** A policy as it is named in an explanation. */
export interface Holder {
  readonly id: string;
  readonly name: string;
  readonly links: readonly PolicyLink[];
  /** Where in its text the rule begins; only where rules keep that. */
  readonly at?: number;
}

export interface PolicyRules extends Holder {
  readonly rules: readonly Rule[];
  /** Where it lies, which decides where its rules act; see `acting-rules.ts`. */
  readonly home: Scope;
  /** Made from an identity or a template: what it may read of the catalog it may read in the whole partition. */
  readonly isSynthetic?: boolean;
}

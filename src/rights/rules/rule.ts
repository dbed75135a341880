/** Rules as they were read, and the order between permissions. The lists of resources are in `packages/model`. */
import {
  ACCESSES,
  LABELLED,
  SCALARS,
  SCOPES,
  type Access,
  type LabelledResource,
  type Permission,
  type Resource,
  type RuleResource,
  type ScalarResource,
} from "../../../packages/model/rule-kinds.ts";
import type { Scope } from "../scope.ts";

export {
  ACCESSES,
  LABELLED,
  SCALARS,
  SCOPES,
  type Access,
  type LabelledResource,
  type Permission,
  type Resource,
  type RuleResource,
  type ScalarResource,
};

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
  /** Only for services. Without it intentions follow `policy`. */
  readonly intentions?: Permission;
  /** Permissions that were not written in lower case: they yield to others; see `outweighs`. */
  readonly loose?: Loose;
  /** Position in its text, as an index: of its label if it has one. Set only when the parser is asked for positions. */
  readonly at?: number;
}

/** A `namespace` or `partition` block: its permission for the thing itself, and the rules that act in it. */
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

/** Checks whether a text names a resource that a caller can ask about. Exact: `Acl` does not. */
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

/** Returns the values of a block as members of its rule. */
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

/** Checks whether a permission grants an access. Permission to read keys does not include permission to list them. */
export function covers(permission: Permission, access: Access): boolean {
  if (permission === "write") return true;
  return access === "read" ? permission !== "deny" : access === "list" && permission === "list";
}

/**
 * Intentions that a service's `policy` implies when the rule has none: never write, and `deny` when not in lower case.
 */
export function impliedIntentions({ permission, isLoose = false }: Said): Permission {
  return permission === "deny" || isLoose ? "deny" : "read";
}

/** Way by which a token has a policy. */
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

/** A block of a policy that contains a rule, as written. */
export interface RuleBlock {
  readonly kind: "namespace" | "partition";
  readonly prefix: boolean;
  readonly segment: string;
  /** The `partition` block around a `namespace` block. */
  readonly partition?: { readonly prefix: boolean; readonly segment: string };
}

/** A policy as it is named in an explanation. */
export interface NamedPolicy {
  readonly id: string;
  readonly name: string;
  readonly links: readonly PolicyLink[];
  /** Position of the rule in its text. Only when rules keep it. */
  readonly at?: number;
  /** The block that contains the rule; undefined for rules outside of blocks. */
  readonly block?: RuleBlock;
}

export interface PolicyRules extends NamedPolicy {
  readonly rules: readonly Rule[];
  /** Scope of the policy. It decides in which places the rules act; see `acting-rules.ts`. */
  readonly home: Scope;
  /** Whether an identity or a template made it: its `read` rules of the catalog then apply in the whole partition. */
  readonly isSynthetic?: boolean;
}

import type { Grant } from "./layer.ts";
import type { PolicyLink } from "./policy-rules.ts";
import type { Permission, RuleResource } from "./rule.ts";

/** What was decided, and by which rule: what an answer and its explanation are both read from. */
export interface Decision {
  readonly allow: boolean;
  /** `default` are the defaults of the namespace. */
  readonly decidedBy: "direct" | "default" | "default-policy";
  /** The rule; undefined where none is about the question. */
  readonly grant?: Grant;
}

/** Why a question is answered as it is; the spelling of the wire. */
export interface Explanation {
  allow: boolean;
  decidedBy: "direct" | "default" | "default-policy";
  /** The rule that decides: `mesh` may be decided by `operator`, `intention` by `service`, a workspace by its organization. */
  rule?: { Resource: RuleResource; Segment: string; Prefix?: true; Policy: Permission };
  /** Every policy that holds that rule. */
  policies?: { ID: string; Name: string; Links: readonly PolicyLink[] }[];
}

/** A decision in the spelling of the wire: the rule that decided and the policies that hold it. */
export function explained({ allow, decidedBy, grant }: Decision): Explanation {
  if (grant === undefined) return { allow, decidedBy };
  const { rule, permission, holders } = grant;
  const { resource, prefix, segment } = rule;
  return {
    allow,
    decidedBy,
    rule: { Resource: resource, Segment: segment, ...(prefix && { Prefix: true }), Policy: permission },
    policies: holders.map(({ id, name, links }) => ({ ID: id, Name: name, Links: links })),
  };
}

import type { Grant } from "./layer.ts";
import type { PolicyLink } from "./policy-rules.ts";
import type { Permission, RuleResource } from "./rule.ts";

/** Why a question is answered as it is; the spelling of the wire. */
export interface Explanation {
  allow: boolean;
  decidedBy: "direct" | "default" | "default-policy";
  /** The rule that decides: `mesh` may be decided by `operator`, `intention` by `service`, a workspace by its organization. */
  rule?: { Resource: RuleResource; Segment: string; Prefix?: true; Policy: Permission };
  /** Every policy that holds that rule. */
  policies?: { ID: string; Name: string; Links: readonly PolicyLink[] }[];
}

/** The rule that decided and the policies that hold it, in the spelling of the wire. */
export function explained({ rule, permission, holders }: Grant): Pick<Explanation, "rule" | "policies"> {
  const { resource, prefix, segment } = rule;
  return {
    rule: { Resource: resource, Segment: segment, ...(prefix && { Prefix: true }), Policy: permission },
    policies: holders.map(({ id, name, links }) => ({ ID: id, Name: name, Links: links })),
  };
}

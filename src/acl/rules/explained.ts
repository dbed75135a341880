import type { Explanation } from "./authorizer.ts";
import type { Grant } from "./layer.ts";

/** The rule that decided and the policies that hold it, in the spelling of the wire. */
export function explained({ rule, permission, holders }: Grant): Pick<Explanation, "rule" | "policies"> {
  const { resource, prefix, segment } = rule;
  return {
    rule: { Resource: resource, Segment: segment, ...(prefix && { Prefix: true }), Policy: permission },
    policies: holders.map(({ id, name, links }) => ({ ID: id, Name: name, Links: links })),
  };
}

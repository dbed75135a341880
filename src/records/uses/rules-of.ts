/** Which rules of policies a use is counted for. */
import type { LayerGrant } from "../../rights/rules/layer.ts";
import type { PermissionUse } from "../../rights/uses.ts";
import type { UsedRule } from "./row.ts";

/** Rules by which an access was allowed: of each policy that contains an equal one. */
export function rulesOf(by: PermissionUse["by"], asked: PermissionUse["resource"]): UsedRule[] {
  const all: readonly LayerGrant[] = by === undefined ? [] : isMany(by) ? by : [by];
  if (by === undefined) return [defaultRule(asked)];
  return all.flatMap(({ rule, permission, holders }) =>
    holders.map(({ id, block }) => {
      const { resource, prefix, segment } = rule;
      return { policyId: id, resource, prefix, segment, permission, ...(block && { block }) };
    }),
  );
}

function isMany(by: LayerGrant | readonly LayerGrant[]): by is readonly LayerGrant[] {
  return Array.isArray(by);
}

/** The default policy, as the rule that it amounts to. */
function defaultRule(asked: PermissionUse["resource"]): UsedRule {
  const resource = asked === "intention" ? "service" : asked;
  return { policyId: "", resource, prefix: true, segment: "", permission: "write" };
}

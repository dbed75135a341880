import type { Grants } from "./grants.ts";
import { addSizes, type RuleSize } from "./rule-limit.ts";
import { findTemplate, NODE, SERVICE, sizeOfTemplate, type Template } from "./templated-policies/templates.ts";

/** What identities and templated policies come to as rules. */
export function sizeOfIdentities(grants: Omit<Grants, "policies">): RuleSize {
  const templates: (Template | undefined)[] = [
    ...grants.serviceIdentities.map(() => SERVICE),
    ...grants.nodeIdentities.map(() => NODE),
    ...grants.templatedPolicies.map(({ templateName }) => findTemplate(templateName)),
  ];
  return addSizes(templates.flatMap((each) => (each === undefined ? [] : [sizeOfTemplate(each)])));
}

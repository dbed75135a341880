/** Warns of content for other datacenters alone, which never applies on this server. */
import type { Grants } from "../grants.ts";
import { shorten } from "../../rights/rules/scanner.ts";
import type { LintFinding } from "./finding.ts";

/** Warning for content of these datacenters; none when they are all or contain this one. @param what noun in the message */
export function foreignDatacenters(
  datacenters: readonly string[],
  own: string,
  what: string,
  member: string,
): LintFinding[] {
  if (datacenters.length === 0 || datacenters.includes(own)) return [];
  const named = datacenters.slice(0, 5).map((name) => JSON.stringify(shorten(name)));
  const more = datacenters.length > named.length ? ` and ${datacenters.length - named.length} more` : "";
  const message = `${what} applies only in ${named.join(", ")}${more}, not in this datacenter, ${JSON.stringify(own)}`;
  return [{ code: "foreign-datacenter", message, member }];
}

/** The same for the identities and templated policies of a token or a role. @param own datacenter of this server */
export function foreignIdentities(grants: Omit<Grants, "policies">, own: string): LintFinding[] {
  const { serviceIdentities, nodeIdentities, templatedPolicies } = grants;
  return [
    ...serviceIdentities.flatMap(({ serviceName, datacenters }) =>
      foreignDatacenters(datacenters, own, `the service identity ${JSON.stringify(serviceName)}`, "ServiceIdentities"),
    ),
    ...nodeIdentities.flatMap(({ nodeName, datacenter }) =>
      foreignDatacenters([datacenter], own, `the node identity ${JSON.stringify(nodeName)}`, "NodeIdentities"),
    ),
    ...templatedPolicies.flatMap(({ templateName, datacenters }) =>
      foreignDatacenters(datacenters, own, `the templated policy ${JSON.stringify(templateName)}`, "TemplatedPolicies"),
    ),
  ];
}

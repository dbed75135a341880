/**
 * Renders the parts that answers of policies, roles and tokens share. It uses no schema: reading threads load it too.
 */
import type { Grants } from "../grants.ts";
import type { NamedLink } from "./links.ts";
import { findTemplate } from "../templated-policies/templates.ts";

/** Links as answers show them. */
export function renderLinks(links: readonly NamedLink[]): { ID: string; Name: string }[] {
  return links.map(({ id, name }) => ({ ID: id, Name: name }));
}

/** Identities as answers show them; empty lists are left out. */
export function renderIdentities({ serviceIdentities, nodeIdentities, templatedPolicies }: Omit<Grants, "policies">) {
  return {
    ServiceIdentities: orUndefined(
      serviceIdentities.map(({ serviceName, datacenters }) => ({
        ServiceName: serviceName,
        Datacenters: orUndefined(datacenters),
      })),
    ),
    NodeIdentities: orUndefined(
      nodeIdentities.map(({ nodeName, datacenter }) => ({ NodeName: nodeName, Datacenter: datacenter })),
    ),
    TemplatedPolicies: orUndefined(
      templatedPolicies.map(({ templateName, variableName, datacenters }) => ({
        TemplateID: findTemplate(templateName)?.id,
        TemplateName: templateName,
        TemplateVariables: variableName === undefined ? undefined : { name: variableName },
        Datacenters: orUndefined(datacenters),
      })),
    ),
  };
}

/** Most lists are left out when they are empty. */
export function orUndefined<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

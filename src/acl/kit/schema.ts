/** Wire shapes of bodies that policies, roles and tokens share. */
import { Type, type Static } from "typebox";
import { boundedList } from "../../http/v1/body-schema.ts";
import type { GrantsInput, GrantLink } from "../grants.ts";

const optionalText = Type.Optional(Type.String());

/** Scope of an object. The conventions of the family read it before the route does. */
export const SCOPE_MEMBERS = { Namespace: optionalText, Partition: optionalText };

export const linksSchema = Type.Array(Type.Object({ ID: optionalText, Name: optionalText }, { title: "LinkBody" }));

/** Bytes of one list of datacenters, as JSON. */
const DATACENTERS_BYTES = 2 * 1024;

export const datacentersSchema = boundedList(Type.String(), DATACENTERS_BYTES);

/** Bytes of all identities of one kind, as JSON: 128 of the longest names, and room for their datacenters. */
const IDENTITIES_BYTES = 64 * 1024;

/** Grants of tokens and roles. */
export const GRANT_MEMBERS = {
  Policies: Type.Optional(linksSchema),
  ServiceIdentities: Type.Optional(
    boundedList(
      Type.Object(
        { ServiceName: optionalText, Datacenters: Type.Optional(datacentersSchema) },
        { title: "ServiceIdentityBody" },
      ),
      IDENTITIES_BYTES,
    ),
  ),
  NodeIdentities: Type.Optional(
    boundedList(
      Type.Object({ NodeName: optionalText, Datacenter: optionalText }, { title: "NodeIdentityBody" }),
      IDENTITIES_BYTES,
    ),
  ),
  TemplatedPolicies: Type.Optional(
    boundedList(
      Type.Object(
        {
          TemplateID: optionalText,
          TemplateName: optionalText,
          TemplateVariables: Type.Optional(Type.Object({ Name: optionalText })),
          Datacenters: Type.Optional(datacentersSchema),
        },
        { title: "TemplatedPolicyGrantBody" },
      ),
      IDENTITIES_BYTES,
    ),
  ),
};

const grantsSchema = Type.Object(GRANT_MEMBERS);
type GrantsBody = Static<typeof grantsSchema>;

/** Links of a list in the request; an empty ID or name counts as absent. */
export function linksFrom(links: Static<typeof linksSchema> | null | undefined): GrantLink[] {
  return (links ?? []).map(({ ID, Name }) => ({
    ...(ID === undefined || ID === "" ? {} : { id: ID }),
    ...(Name === undefined || Name === "" ? {} : { name: Name }),
  }));
}

/** Returns the grants in a body. */
export function grantsFrom(body: GrantsBody): GrantsInput {
  return {
    policies: linksFrom(body.Policies),
    serviceIdentities: (body.ServiceIdentities ?? []).map(({ ServiceName = "", Datacenters = [] }) => ({
      serviceName: ServiceName,
      datacenters: Datacenters,
    })),
    nodeIdentities: (body.NodeIdentities ?? []).map(({ NodeName = "", Datacenter = "" }) => ({
      nodeName: NodeName,
      datacenter: Datacenter,
    })),
    templatedPolicies: (body.TemplatedPolicies ?? []).map(
      ({ TemplateName = "", TemplateVariables, Datacenters = [] }) => ({
        templateName: TemplateName,
        variableName: TemplateVariables && (TemplateVariables.Name ?? ""),
        datacenters: Datacenters,
      }),
    ),
  };
}

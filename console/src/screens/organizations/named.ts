import type { ItemOf } from "@tessera-server/client";
import type { NamedResource } from "../../kit/resource.ts";
import { screenNames } from "../../texts/names.ts";

export type OrganizationRow = ItemOf<"listOrganizations">;

/** How organizations are read and called. */
export const ORGANIZATION: NamedResource<OrganizationRow> = {
  noun: "organizations",
  singular: screenNames.organizations.organization,
  plural: screenNames.organizations.organizations,
  read: "readOrganization",
  list: "listOrganizations",
  parameter: "organization_name",
  title: ({ attributes }) => attributes.name,
};

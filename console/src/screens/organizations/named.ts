import type { ItemOf } from "@tessera-server/client";
import type { NamedResource } from "../../kit/resource.ts";

export type OrganizationRow = ItemOf<"listOrganizations">;

/** How organizations are read and called. */
export const ORGANIZATION: NamedResource<OrganizationRow> = {
  noun: "organizations",
  singular: "organization",
  plural: "Organizations",
  read: "readOrganization",
  list: "listOrganizations",
  parameter: "organization_name",
  title: ({ attributes }) => attributes.name,
};

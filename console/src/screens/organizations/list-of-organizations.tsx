/** The organizations that may be seen. */
import { inOrganization } from "../../base/address.ts";
import { textColumn } from "../../kit/cells.tsx";
import { A } from "../../kit/link.tsx";
import { v2Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { Time } from "../../kit/time.tsx";
import type { OrganizationRow } from "./named.ts";

const PATH: NonNullable<List<OrganizationRow>["path"]> = ({ id }) => inOrganization(id, "settings");

export const ORGANIZATION_LIST: List<OrganizationRow> = {
  noun: "organizations",
  singular: "organization",
  plural: "Organizations",
  about: "Each has workspaces, projects and tags of its own.",
  belongsTo: "organization",
  whole: { resource: "organization", access: "read" },
  source: (place) => v2Source(place.client, "listOrganizations", {}),
  id: ({ id }) => id,
  name: ({ id }) => id,
  path: PATH,
  columns: [
    {
      id: "name",
      title: "Name",
      width: "minmax(160px, 1fr)",
      isNarrow: true,
      cell: (row, place) => (
        <A to={PATH(row, place)} fw={550} truncate tabIndex={-1}>
          {row.id}
        </A>
      ),
    },
    textColumn("Email", ({ attributes }) => attributes.email, { width: "minmax(160px, 1fr)" }),
    {
      id: "goto",
      title: "In it",
      width: "minmax(150px, 1fr)",
      isNarrow: true,
      cell: ({ id }) => (
        <>
          <A to={inOrganization(id, "tags")} aria-label={`Tags of ${id}`}>
            Tags
          </A>
          {" · "}
          <A to={inOrganization(id, "workspaces")} aria-label={`Workspaces of ${id}`}>
            Workspaces
          </A>
        </>
      ),
    },
    {
      id: "created",
      title: "Created",
      width: "150px",
      cell: ({ attributes }) => <Time value={attributes["created-at"]} />,
    },
    textColumn("ID", ({ attributes }) => attributes["external-id"], { width: "190px", isHidden: true }),
  ],
  filters: [
    { name: "q[name]", title: "The name holds", placeholder: "acme" },
    { name: "q[email]", title: "The email holds", placeholder: "@acme.example" },
  ],
  create: { path: "organizations/new", right: { resource: "organization", access: "write" } },
  empty: "Organizations own workspaces, projects and tags. Terraform names one in its cloud block.",
};

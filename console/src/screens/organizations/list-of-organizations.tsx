/** The organizations that may be seen. */
import { inOrganization } from "../../base/address.ts";
import { textColumn } from "../../kit/cells.tsx";
import { A } from "../../kit/link.tsx";
import { v2Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { Time } from "../../kit/time.tsx";
import type { OrganizationRow } from "./named.ts";
import * as texts from "../../texts/organizations.ts";
import { screenNames } from "../../texts/names.ts";

const PATH: NonNullable<List<OrganizationRow>["path"]> = ({ id }) => inOrganization(id, "settings");

export const ORGANIZATION_LIST: List<OrganizationRow> = {
  noun: "organizations",
  singular: screenNames.organizations.organization,
  plural: screenNames.organizations.organizations,
  about: texts.listHint,
  belongsTo: "organization",
  whole: { resource: "organization", access: "read" },
  source: (place) => v2Source(place.client, "listOrganizations", {}),
  id: ({ id }) => id,
  name: ({ id }) => id,
  path: PATH,
  columns: [
    {
      id: "name",
      title: texts.name,
      width: "minmax(160px, 1fr)",
      isNarrow: true,
      cell: (row, place) => (
        <A to={PATH(row, place)} fw={550} truncate tabIndex={-1}>
          {row.id}
        </A>
      ),
    },
    textColumn(texts.email, ({ attributes }) => attributes.email, { width: "minmax(160px, 1fr)" }),
    {
      id: "goto",
      title: texts.open,
      width: "minmax(150px, 1fr)",
      isNarrow: true,
      cell: ({ id }) => (
        <>
          <A to={inOrganization(id, "tags")} aria-label={texts.tagsOf(id)}>
            {texts.tags}
          </A>
          {" · "}
          <A to={inOrganization(id, "workspaces")} aria-label={texts.workspacesOf(id)}>
            {texts.workspaces}
          </A>
        </>
      ),
    },
    {
      id: "created",
      title: texts.created,
      width: "150px",
      cell: ({ attributes }) => <Time value={attributes["created-at"]} />,
    },
    textColumn(texts.id, ({ attributes }) => attributes["external-id"], { width: "190px", isHidden: true }),
  ],
  filters: [
    { name: "q[name]", title: texts.nameContains, placeholder: texts.nameExample },
    { name: "q[email]", title: texts.emailContains, placeholder: texts.emailContainsExample },
  ],
  create: { path: "organizations/new", right: { resource: "organization", access: "write" } },
  empty: texts.emptyHint,
};

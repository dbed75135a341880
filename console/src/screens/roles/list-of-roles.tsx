/** The list of roles. */
import { descriptionColumn, idColumn, indexColumn, namespaceColumn, rowPath, titleColumn } from "../../kit/cells.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { localOf } from "../../kit/kind.ts";
import { LinkName } from "../../kit/link-name.tsx";
import { Links, linkValues } from "../../kit/links.tsx";
import { BY_NAME, v1Source } from "../../kit/list-source.ts";
import { later } from "../../kit/later.tsx";
import type { List } from "../../kit/list.ts";
import { ROLE, type RoleRow } from "./named.ts";
import * as texts from "../../texts/roles.ts";
import { screenNames } from "../../texts/names.ts";

/** Loaded only when a row is selected. */
const Bulk = later(async () => (await import("./bulk.tsx")).BulkRoles);
const Panel = later(async () => (await import("./panel.tsx")).RolePanel);

const PATH = rowPath<RoleRow>({ noun: ROLE.noun, key: ({ ID }) => ID });

/** Names of the grants of a role, by the members that contain them. */
const GIVEN = {
  Policies: texts.grantsPolicies,
  ServiceIdentities: texts.grantsServices,
  NodeIdentities: texts.grantsNodes,
  TemplatedPolicies: texts.grantsTemplates,
};

export const ROLE_LIST: List<RoleRow> = {
  noun: "roles",
  singular: screenNames.roles.singular,
  plural: screenNames.roles.plural,
  about: texts.about,
  belongsTo: "scope",
  source: (place) => v1Source(place.client, "listRoles", localOf<RoleRow>("ID", "Name", "Description")),
  id: ({ ID }) => ID,
  name: ({ Name }) => Name,
  path: PATH,
  jump: BY_NAME,
  columns: [
    titleColumn<RoleRow>({ path: PATH, text: ({ Name }) => Name }),
    descriptionColumn<RoleRow>(),
    {
      id: "policies",
      title: texts.policies,
      width: "minmax(140px, 1.6fr)",
      filter: { by: "policy", values: ({ Policies }) => linkValues(Policies) },
      cell: ({ Policies }) => <Links links={Policies} noun="policies" most={2} />,
    },
    idColumn<RoleRow>(),
    namespaceColumn<RoleRow>(),
    indexColumn<RoleRow>(),
  ],
  filters: [
    {
      name: "policy",
      title: texts.policy,
      placeholder: texts.policyId,
      shown: (id) => <LinkName noun="policies" id={id} />,
    },
    {
      name: "gives",
      title: texts.grants,
      choices: choicesOf({ ...GIVEN, nothing: texts.grantsNothing }),
      fits: (row, what) =>
        what === "nothing" ? Object.keys(GIVEN).every((member) => !has(row, member)) : has(row, what),
    },
  ],
  panel: (row) => <Panel row={row} />,
  bulk: (selection) => <Bulk selection={selection} />,
  bulkRight: { resource: "acl", access: "write" },
  create: { path: "roles/new", right: { resource: "acl", access: "write" } },
  empty: texts.emptyHint,
};

function has(row: RoleRow, member: string): boolean {
  const value = (row as Readonly<Record<string, unknown>>)[member];
  return Array.isArray(value) && value.length > 0;
}

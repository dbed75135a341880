/** The list of roles. */
import { descriptionColumn, idColumn, indexColumn, namespaceColumn, rowPath, titleColumn } from "../../kit/cells.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { localOf } from "../../kit/kind.ts";
import { Links } from "../../kit/links.tsx";
import { BY_NAME, v1Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { ROLE, type RoleRow } from "./named.ts";

const PATH = rowPath<RoleRow>({ noun: ROLE.noun, key: ({ ID }) => ID });

/** Names of the grants of a role, by the members that contain them. */
const GIVEN = {
  Policies: "policies",
  ServiceIdentities: "service identities",
  NodeIdentities: "node identities",
  TemplatedPolicies: "templated policies",
};

export const ROLE_LIST: List<RoleRow> = {
  noun: "roles",
  singular: "role",
  plural: "Roles",
  about: "What several tokens have in common: what a role gains, all who hold it gain.",
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
      title: "Policies",
      width: "minmax(140px, 1.6fr)",
      cell: ({ Policies }) => <Links links={Policies} noun="policies" most={2} />,
    },
    idColumn<RoleRow>(),
    namespaceColumn<RoleRow>(),
    indexColumn<RoleRow>(),
  ],
  filters: [
    { name: "policy", title: "Policy", placeholder: "Its ID" },
    {
      name: "gives",
      title: "Gives",
      choices: choicesOf({ ...GIVEN, nothing: "nothing" }),
      fits: (row, what) =>
        what === "nothing" ? Object.keys(GIVEN).every((member) => !has(row, member)) : has(row, what),
    },
  ],
  create: { path: "roles/new", right: { resource: "acl", access: "write" } },
  empty: "A role joins policies under a name. Give it to tokens, and to who logs in, in place of many policies.",
};

function has(row: RoleRow, member: string): boolean {
  const value = (row as Readonly<Record<string, unknown>>)[member];
  return Array.isArray(value) && value.length > 0;
}

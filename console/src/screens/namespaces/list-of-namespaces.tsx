/** The list of namespaces. */
import { byLeaving, descriptionColumn, indexColumn, Leaving, titleColumn } from "../../kit/cells.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { localOf } from "../../kit/kind.ts";
import { Links } from "../../kit/links.tsx";
import { BY_NAME, v1Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import type { NamespaceRow } from "./named.ts";
import * as texts from "../../texts/namespaces.ts";
import { screenNames } from "../../texts/names.ts";

const PATH: NonNullable<List<NamespaceRow>["path"]> = ({ Name }, place) => place.path("namespaces", Name);

export const NAMESPACE_LIST: List<NamespaceRow> = {
  noun: "namespaces",
  singular: screenNames.namespaces.singular,
  plural: screenNames.namespaces.plural,
  about: texts.about,
  belongsTo: "scope",
  source: (place) => v1Source(place.client, "listNamespaces", localOf<NamespaceRow>("Name", "Description")),
  id: ({ Name }) => Name,
  name: ({ Name }) => Name,
  path: PATH,
  jump: BY_NAME,
  columns: [
    titleColumn<NamespaceRow>({
      path: PATH,
      text: ({ Name }) => Name,
      marks: ({ DeletedAt }) => DeletedAt !== undefined && <Leaving />,
    }),
    descriptionColumn<NamespaceRow>(),
    {
      id: "policies",
      title: texts.defaultPolicies,
      width: "minmax(120px, 1fr)",
      cell: ({ ACLs }) => <Links links={ACLs?.PolicyDefaults} noun="policies" most={2} />,
    },
    {
      id: "roles",
      title: texts.defaultRoles,
      width: "minmax(120px, 1fr)",
      cell: ({ ACLs }) => <Links links={ACLs?.RoleDefaults} noun="roles" most={2} />,
    },
    indexColumn<NamespaceRow>(),
  ],
  filters: [
    byLeaving<NamespaceRow>(),
    {
      name: "defaults",
      title: texts.defaultsFilter,
      choices: choicesOf({ some: texts.defaultsSome, none: texts.defaultsNone }),
      fits: ({ ACLs }, which) =>
        (ACLs?.PolicyDefaults ?? []).length + (ACLs?.RoleDefaults ?? []).length > 0 === (which === "some"),
    },
  ],
  create: { path: "namespaces/new", right: { resource: "operator", access: "write" } },
  empty: texts.emptyHint,
};

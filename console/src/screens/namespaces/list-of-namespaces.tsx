/** The list of namespaces. */
import { byLeaving, descriptionColumn, indexColumn, Leaving, titleColumn } from "../../kit/cells.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { localOf } from "../../kit/kind.ts";
import { Links } from "../../kit/links.tsx";
import { BY_NAME, v1Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import type { NamespaceRow } from "./named.ts";

const PATH: NonNullable<List<NamespaceRow>["path"]> = ({ Name }, place) => place.path("namespaces", Name);

export const NAMESPACE_LIST: List<NamespaceRow> = {
  noun: "namespaces",
  singular: "namespace",
  plural: "Namespaces",
  about: "Each has its own tokens, policies, roles and ways to log in.",
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
      title: "Policies of all",
      width: "minmax(120px, 1fr)",
      cell: ({ ACLs }) => <Links links={ACLs?.PolicyDefaults} noun="policies" most={2} />,
    },
    {
      id: "roles",
      title: "Roles of all",
      width: "minmax(120px, 1fr)",
      cell: ({ ACLs }) => <Links links={ACLs?.RoleDefaults} noun="roles" most={2} />,
    },
    indexColumn<NamespaceRow>(),
  ],
  filters: [
    byLeaving<NamespaceRow>(),
    {
      name: "defaults",
      title: "Gives all of its tokens",
      choices: choicesOf({ some: "policies or roles", none: "nothing" }),
      fits: ({ ACLs }, which) =>
        (ACLs?.PolicyDefaults ?? []).length + (ACLs?.RoleDefaults ?? []).length > 0 === (which === "some"),
    },
  ],
  create: { path: "namespaces/new", right: { resource: "operator", access: "write" } },
  empty: "With namespaces teams look after their own tokens and policies, and see nothing of each other.",
};

/** The list of policies. */
import type { ItemOf } from "@tessera-server/client";
import {
  BuiltIn,
  descriptionColumn,
  idColumn,
  indexColumn,
  isBuiltIn,
  namespaceColumn,
  rowPath,
  textColumn,
  titleColumn,
} from "../../kit/cells.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { localOf } from "../../kit/kind.ts";
import { BY_NAME, v1Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";

export type PolicyRow = ItemOf<"listPolicies">;

const PATH = rowPath<PolicyRow>({ noun: "policies", key: ({ ID }) => ID });

export const POLICY_LIST: List<PolicyRow> = {
  noun: "policies",
  singular: "policy",
  plural: "Policies",
  about: "A policy holds rules; tokens and roles that have it may do what they allow.",
  belongsTo: "scope",
  source: (place) => v1Source(place.client, "listPolicies", localOf<PolicyRow>("ID", "Name", "Description")),
  id: ({ ID }) => ID,
  name: ({ Name }) => Name,
  path: PATH,
  jump: BY_NAME,
  columns: [
    titleColumn<PolicyRow>({ path: PATH, text: ({ Name }) => Name, marks: (row) => isBuiltIn(row) && <BuiltIn /> }),
    descriptionColumn<PolicyRow>(),
    textColumn<PolicyRow>("Datacenters", ({ Datacenters }) => Datacenters?.join(", ") ?? "all", { isHidden: true }),
    idColumn<PolicyRow>(),
    namespaceColumn<PolicyRow>(),
    indexColumn<PolicyRow>(),
  ],
  filters: [
    {
      name: "kind",
      title: "Kind",
      choices: choicesOf({ "built-in": "built in", own: "our own" }),
      fits: (row, kind) => isBuiltIn(row) === (kind === "built-in"),
    },
    {
      name: "datacenters",
      title: "Counts in",
      choices: choicesOf({ all: "all datacenters", some: "some datacenters" }),
      fits: ({ Datacenters }, which) => (Datacenters ?? []).length > 0 === (which === "some"),
    },
  ],
  create: { path: "policies/new", right: { resource: "acl", access: "write" } },
  empty: "Write down once what some kind of people or programs may do, and give it to all of them.",
};

/** The list of policies. */
import { Badge, Group, Text } from "@mantine/core";
import type { ItemOf } from "@tessera-server/client";
import { placeOfObject } from "../../app/place.ts";
import { CopyButton } from "../../kit/copy.tsx";
import { A } from "../../kit/link.tsx";
import { BY_NAME, v1Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";

export type PolicyRow = ItemOf<"listPolicies">;

const PATH: NonNullable<List<PolicyRow>["path"]> = (row, place) => placeOfObject(place, row).path("policies", row.ID);

export const POLICY_LIST: List<PolicyRow> = {
  noun: "policies",
  singular: "policy",
  plural: "Policies",
  about: "A policy holds rules; tokens and roles that have it may do what they allow.",
  belongsTo: "scope",
  source: (place) =>
    v1Source(place.client, "listPolicies", {
      text: ({ ID, Name, Description }) => [ID, Name, Description].join("\n"),
      value: (row, field) => (field === "Name" ? row.Name : row.Description),
    }),
  id: ({ ID }) => ID,
  name: ({ Name }) => Name,
  path: PATH,
  jump: BY_NAME,
  columns: [
    {
      id: "name",
      title: "Name",
      sort: "Name",
      width: "minmax(140px, 1.2fr)",
      isNarrow: true,
      cell: (row, place) => (
        <Group gap={6} wrap="nowrap">
          <A to={PATH(row, place)} fw={550} truncate tabIndex={-1}>
            {row.Name}
          </A>
          {row.ID.startsWith("00000000-0000-0000-0000-") && <Badge flex="none">built in</Badge>}
        </Group>
      ),
    },
    {
      id: "description",
      title: "Description",
      sort: "Description",
      width: "minmax(140px, 2fr)",
      isNarrow: true,
      cell: ({ Description }) => Description,
    },
    {
      id: "id",
      title: "ID",
      width: "120px",
      cell: ({ ID }) => (
        <Group gap={2} wrap="nowrap">
          <Text span className="mono" title={ID}>
            {ID.slice(0, 8)}
          </Text>
          <CopyButton value={ID} what="the ID" />
        </Group>
      ),
    },
    {
      id: "namespace",
      title: "Namespace",
      width: "120px",
      isHidden: true,
      cell: ({ Namespace }) => Namespace ?? "default",
    },
  ],
  create: { path: "policies/new", right: { resource: "acl", access: "write" } },
  empty: "Write down once what some kind of people or programs may do, and give it to all of them.",
};

/** The list of binding rules. */
import { Badge, Group, Text } from "@mantine/core";
import { placeOfObject } from "../../base/place.ts";
import { idColumn, indexColumn, namespaceColumn, rowPath, titleColumn } from "../../kit/cells.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { localOf } from "../../kit/kind.ts";
import { A } from "../../kit/link.tsx";
import { v1Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { BIND_TYPES, titleOf, type BindingRuleRow } from "./named.ts";

const PATH = rowPath<BindingRuleRow>({ noun: "binding-rules", key: ({ ID }) => ID });

export const BINDING_RULE_LIST: List<BindingRuleRow> = {
  noun: "binding-rules",
  singular: "binding rule",
  plural: "Binding rules",
  about: "What whoever logs in by an auth method gets, by what the method proves of them.",
  belongsTo: "scope",
  source: (place) =>
    v1Source(
      place.client,
      "listBindingRules",
      localOf<BindingRuleRow>("ID", "Description", "AuthMethod", "BindName", "Selector"),
    ),
  id: ({ ID }) => ID,
  name: titleOf,
  path: PATH,
  jump: { fields: ["", "Description"] },
  columns: [
    titleColumn<BindingRuleRow>({ title: "Description", sort: "Description", path: PATH, text: titleOf }),
    {
      id: "method",
      title: "Auth method",
      width: "minmax(120px, 0.8fr)",
      cell: (row, place) => (
        <A to={placeOfObject(place, row).path("auth-methods", row.AuthMethod)} truncate>
          {row.AuthMethod}
        </A>
      ),
    },
    {
      id: "selector",
      title: "For whom",
      width: "minmax(160px, 1.6fr)",
      cell: ({ Selector = "" }) =>
        Selector === "" ? (
          <Text span inherit c="dimmed">
            everybody
          </Text>
        ) : (
          <Text span className="mono" truncate title={Selector}>
            {Selector}
          </Text>
        ),
    },
    {
      id: "gives",
      title: "Gives",
      width: "minmax(160px, 1.2fr)",
      isNarrow: true,
      cell: ({ BindType, BindName }) => (
        <Group gap={6} wrap="nowrap">
          <Badge flex="none">{BIND_TYPES[BindType]}</Badge>
          <Text span inherit truncate title={BindName}>
            {BindName}
          </Text>
        </Group>
      ),
    },
    { ...idColumn<BindingRuleRow>(), isHidden: true },
    namespaceColumn<BindingRuleRow>(),
    indexColumn<BindingRuleRow>(),
  ],
  filters: [
    { name: "authmethod", title: "Auth method", placeholder: "Its name" },
    { name: "type", title: "Gives", choices: choicesOf(BIND_TYPES), fits: ({ BindType }, type) => BindType === type },
    {
      name: "for",
      title: "For whom",
      choices: choicesOf({ everybody: "everybody", some: "who is selected" }),
      fits: ({ Selector }, whom) => ((Selector ?? "") === "") === (whom === "everybody"),
    },
  ],
  create: { path: "binding-rules/new", right: { resource: "acl", access: "write" } },
  empty: "Without a binding rule nobody gets anything by logging in. A rule says who gets which role.",
};

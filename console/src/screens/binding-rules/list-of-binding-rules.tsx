/** The list of binding rules. */
import { Badge, Group, Text } from "@mantine/core";
import { placeOfObject } from "../../base/place.ts";
import { idColumn, indexColumn, namespaceColumn, rowPath, titleColumn } from "../../kit/cells.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { localOf } from "../../kit/kind.ts";
import { A } from "../../kit/link.tsx";
import { v1Source } from "../../kit/list-source.ts";
import { later } from "../../kit/later.tsx";
import type { List } from "../../kit/list.ts";
import { BIND_TYPES, titleOf, type BindingRuleRow } from "./named.ts";
import * as texts from "../../texts/binding-rules.ts";
import { screenNames } from "../../texts/names.ts";

/** Loaded only when a row is selected. */
const Bulk = later(async () => (await import("./bulk.tsx")).BulkBindingRules);
const Panel = later(async () => (await import("./panel.tsx")).BindingRulePanel);

const PATH = rowPath<BindingRuleRow>({ noun: "binding-rules", key: ({ ID }) => ID });

export const BINDING_RULE_LIST: List<BindingRuleRow> = {
  noun: "binding-rules",
  singular: screenNames.bindingRules.singular,
  plural: screenNames.bindingRules.plural,
  about: texts.about,
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
    titleColumn<BindingRuleRow>({ title: texts.description, sort: "Description", path: PATH, text: titleOf }),
    {
      id: "method",
      title: texts.authMethod,
      width: "minmax(120px, 0.8fr)",
      filter: { by: "authmethod", values: ({ AuthMethod }) => [{ value: AuthMethod }] },
      cell: (row, place) => (
        <A to={placeOfObject(place, row).path("auth-methods", row.AuthMethod)} truncate>
          {row.AuthMethod}
        </A>
      ),
    },
    {
      id: "selector",
      title: texts.selector,
      width: "minmax(160px, 1.6fr)",
      filter: { by: "for", values: ({ Selector = "" }) => [{ value: Selector === "" ? "everybody" : "some" }] },
      cell: ({ Selector = "" }) =>
        Selector === "" ? (
          <Text span inherit c="dimmed">
            {texts.everyLogin}
          </Text>
        ) : (
          <Text span className="mono" truncate title={Selector}>
            {Selector}
          </Text>
        ),
    },
    {
      id: "gives",
      title: texts.grants,
      width: "minmax(160px, 1.2fr)",
      isNarrow: true,
      filter: { by: "type", values: ({ BindType }) => [{ value: BindType }] },
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
    { name: "authmethod", title: texts.authMethod, placeholder: texts.methodName },
    {
      name: "type",
      title: texts.grants,
      choices: choicesOf(BIND_TYPES),
      fits: ({ BindType }, type) => BindType === type,
    },
    {
      name: "for",
      title: texts.selector,
      choices: choicesOf({ everybody: texts.everyLogin, some: texts.withSelector }),
      fits: ({ Selector }, whom) => ((Selector ?? "") === "") === (whom === "everybody"),
    },
  ],
  panel: (row) => <Panel row={row} />,
  bulk: (selection) => <Bulk selection={selection} />,
  bulkRight: { resource: "acl", access: "write" },
  create: { path: "binding-rules/new", right: { resource: "acl", access: "write" } },
  empty: texts.emptyHint,
};

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
import { Icon } from "../../kit/icons.tsx";
import { LinkButton } from "../../kit/link.tsx";
import { localOf } from "../../kit/kind.ts";
import { BY_NAME, v1Source } from "../../kit/list-source.ts";
import { later } from "../../kit/later.tsx";
import type { List } from "../../kit/list.ts";
import * as texts from "../../texts/policies.ts";
import { screenNames } from "../../texts/names.ts";

export type PolicyRow = ItemOf<"listPolicies">;

/** Loaded only when a row is selected. */
const Bulk = later(async () => (await import("./bulk.tsx")).BulkPolicies);
const Panel = later(async () => (await import("./panel.tsx")).PolicyPanel);

const PATH = rowPath<PolicyRow>({ noun: "policies", key: ({ ID }) => ID });

export const POLICY_LIST: List<PolicyRow> = {
  noun: "policies",
  singular: screenNames.policies.singular,
  plural: screenNames.policies.plural,
  about: texts.about,
  belongsTo: "scope",
  source: (place) => v1Source(place.client, "listPolicies", localOf<PolicyRow>("ID", "Name", "Description")),
  id: ({ ID }) => ID,
  name: ({ Name }) => Name,
  path: PATH,
  jump: BY_NAME,
  columns: [
    titleColumn<PolicyRow>({ path: PATH, text: ({ Name }) => Name, marks: (row) => isBuiltIn(row) && <BuiltIn /> }),
    descriptionColumn<PolicyRow>(),
    textColumn<PolicyRow>(texts.datacenters, ({ Datacenters }) => Datacenters?.join(", ") ?? texts.all, {
      isHidden: true,
      filter: {
        by: "datacenters",
        values: ({ Datacenters }) => [{ value: (Datacenters ?? []).length > 0 ? "some" : "all" }],
      },
    }),
    idColumn<PolicyRow>(),
    namespaceColumn<PolicyRow>(),
    indexColumn<PolicyRow>(),
  ],
  filters: [
    {
      name: "kind",
      title: texts.typeLabel,
      choices: choicesOf({ "built-in": texts.builtIn, own: texts.custom }),
      fits: (row, kind) => isBuiltIn(row) === (kind === "built-in"),
    },
    {
      name: "datacenters",
      title: texts.datacentersFilter,
      choices: choicesOf({ all: texts.datacentersAll, some: texts.datacentersSome }),
      fits: ({ Datacenters }, which) => (Datacenters ?? []).length > 0 === (which === "some"),
    },
  ],
  panel: (row) => <Panel row={row} />,
  bulk: (selection) => <Bulk selection={selection} />,
  bulkRight: { resource: "acl", access: "write" },
  tools: (place) => (
    <LinkButton
      to={place.path("templated-policies")}
      variant="default"
      leftSection={<Icon name="template" size={14} />}
    >
      {screenNames.templatedPolicies.plural}
    </LinkButton>
  ),
  create: { path: "policies/new", right: { resource: "acl", access: "write" } },
  empty: texts.emptyHint,
};

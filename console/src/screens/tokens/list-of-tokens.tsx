/** The list of tokens: its columns, filters and where it comes from. */
import { Group, Text } from "@mantine/core";
import { placeOfObject } from "../../base/place.ts";
import { CopyButton } from "../../kit/copy.tsx";
import { A } from "../../kit/link.tsx";
import { LinkName } from "../../kit/link-name.tsx";
import { Links, linkValues } from "../../kit/links.tsx";
import { v1Source, type Local } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { Time } from "../../kit/time.tsx";
import { Expiry, TokenMarks } from "./marks.tsx";
import { TokenAges } from "./ages.tsx";
import { TokenTools } from "./tools.tsx";
import { titleOf, type TokenRow } from "./queries.ts";
import { later } from "../../kit/later.tsx";
import * as texts from "../../texts/tokens.ts";
import { screenNames } from "../../texts/names.ts";

/** Not before something is selected. */
const BulkTokens = later(async () => (await import("./bulk.tsx")).BulkTokens);
const Panel = later(async () => (await import("./panel.tsx")).TokenPanel);

const LOCAL: Local<TokenRow> = {
  text: ({ AccessorID, Description, AuthMethod, Policies, Roles }) =>
    [AccessorID, Description, AuthMethod, ...[...(Policies ?? []), ...(Roles ?? [])].map(({ Name }) => Name)].join(
      "\n",
    ),
  value: (row, field) => {
    const value = (row as Readonly<Record<string, unknown>>)[field];
    return typeof value === "string" || typeof value === "number" ? value : undefined;
  },
};

const PATH: NonNullable<List<TokenRow>["path"]> = (row, place) =>
  placeOfObject(place, row).path("tokens", row.AccessorID);

const AGES = [
  { value: "7d", label: texts.week },
  { value: "30d", label: texts.month },
  { value: "90d", label: texts.quarter },
  { value: "365d", label: texts.year },
];

export const TOKEN_LIST: List<TokenRow> = {
  noun: "tokens",
  singular: texts.singular,
  plural: screenNames.tokens.plural,
  about: texts.about,
  belongsTo: "scope",
  source: (place) => v1Source(place.client, "listTokens", LOCAL),
  id: ({ AccessorID }) => AccessorID,
  name: titleOf,
  path: PATH,
  jump: { fields: ["", "Description", "AuthMethod", "CreateTime", "LastUsed"] },
  columns: [
    {
      id: "description",
      title: texts.description,
      sort: "Description",
      width: "minmax(160px, 2.4fr)",
      isNarrow: true,
      cell: (row, place) => (
        <Group gap={6} wrap="nowrap">
          <A to={PATH(row, place)} fw={550} truncate c={row.Description === "" ? "dimmed" : ""} tabIndex={-1}>
            {row.Description === "" ? texts.noDescription : row.Description}
          </A>
          <TokenMarks token={row} />
        </Group>
      ),
    },
    {
      id: "accessor",
      title: texts.accessorId,
      width: "120px",
      cell: ({ AccessorID }) => (
        <Group gap={2} wrap="nowrap">
          <Text span className="mono" title={AccessorID}>
            {AccessorID.slice(0, 8)}
          </Text>
          <CopyButton value={AccessorID} what={texts.accessorId} />
        </Group>
      ),
    },
    {
      id: "policies",
      title: texts.policies,
      width: "minmax(120px, 1.6fr)",
      filter: { by: "policy", values: ({ Policies }) => linkValues(Policies) },
      cell: ({ Policies }) => <Links links={Policies} noun="policies" most={2} />,
    },
    {
      id: "roles",
      title: texts.roles,
      width: "minmax(100px, 1.2fr)",
      filter: { by: "role", values: ({ Roles }) => linkValues(Roles) },
      cell: ({ Roles }) => <Links links={Roles} noun="roles" most={2} />,
    },
    {
      id: "method",
      title: texts.authMethod,
      sort: "AuthMethod",
      width: "minmax(90px, 0.8fr)",
      isHidden: true,
      filter: { by: "authmethod", values: ({ AuthMethod = "" }) => (AuthMethod === "" ? [] : [{ value: AuthMethod }]) },
      cell: ({ AuthMethod }) =>
        AuthMethod ?? (
          <Text span inherit c="dimmed">
            –
          </Text>
        ),
    },
    {
      id: "used",
      title: texts.lastUsed,
      sort: "LastUsed",
      width: "110px",
      isNarrow: true,
      filter: { by: "used", values: ({ LastUsed }) => [{ value: LastUsed === undefined ? "never" : "ever" }] },
      cell: ({ LastUsed }) => <Time value={LastUsed} none={texts.never} />,
    },
    {
      id: "expires",
      title: texts.expires,
      sort: "ExpirationTime",
      width: "110px",
      filter: {
        by: "expires",
        values: ({ ExpirationTime }) => (ExpirationTime === undefined ? [{ value: "never" }] : []),
      },
      cell: (row) => <Expiry token={row} />,
    },
    {
      id: "created",
      title: texts.created,
      sort: "CreateTime",
      width: "120px",
      isHidden: true,
      cell: ({ CreateTime }) => <Time value={CreateTime} />,
    },
    {
      id: "namespace",
      title: texts.namespace,
      width: "120px",
      isHidden: true,
      cell: ({ Namespace }) => Namespace ?? "default",
    },
  ],
  filters: [
    {
      name: "unused-for",
      title: texts.unusedFor,
      choices: [{ value: "1d", label: texts.day }, ...AGES],
    },
    { name: "used-within", title: texts.usedWithin, choices: [{ value: "1d", label: texts.day }, ...AGES] },
    {
      name: "used",
      title: texts.used,
      choices: [
        { value: "ever", label: texts.ever },
        { value: "never", label: texts.never },
      ],
    },
    {
      name: "expires-before",
      title: texts.expiresWithin,
      choices: [{ value: "1h", label: texts.hour }, { value: "24h", label: texts.day }, ...AGES],
    },
    { name: "expires-after", title: texts.expiresAfter, choices: [{ value: "1d", label: texts.day }, ...AGES] },
    { name: "expires", title: texts.expires, choices: [{ value: "never", label: texts.never }] },
    { name: "authmethod", title: texts.authMethod, placeholder: texts.name },
    { name: "servicename", title: texts.serviceIdentity, placeholder: texts.serviceName },
    {
      name: "policy",
      title: texts.policy,
      placeholder: texts.id,
      shown: (id) => <LinkName noun="policies" id={id} />,
    },
    { name: "role", title: texts.role, placeholder: texts.id, shown: (id) => <LinkName noun="roles" id={id} /> },
  ],
  tools: (place) => <TokenTools place={place} />,
  charts: (place, search, change) => <TokenAges place={place} search={search} change={change} />,
  create: { path: "tokens/new", right: { resource: "acl", access: "write" } },
  bulk: (selection) => <BulkTokens selection={selection} />,
  bulkRight: { resource: "acl", access: "write" },
  panel: (row) => <Panel row={row} />,
  empty: texts.emptyHint,
};

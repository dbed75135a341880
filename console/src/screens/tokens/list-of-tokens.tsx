/** The list of tokens: its columns, filters and where it comes from. */
import { Group, Text } from "@mantine/core";
import { placeOfObject } from "../../base/place.ts";
import { CopyButton } from "../../kit/copy.tsx";
import { A } from "../../kit/link.tsx";
import { Links } from "../../kit/links.tsx";
import { v1Source, type Local } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { Time } from "../../kit/time.tsx";
import { Expiry, TokenMarks } from "./marks.tsx";
import { TokenTools } from "./tools.tsx";
import { titleOf, type TokenRow } from "./queries.ts";
import { later } from "../../kit/later.tsx";

/** Not before something is selected. */
const BulkDelete = later(async () => (await import("./bulk-delete.tsx")).BulkDelete);

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

export const TOKEN_LIST: List<TokenRow> = {
  noun: "tokens",
  singular: "token",
  plural: "Tokens",
  about: "Whoever calls this server does so with one. What a token may do comes from its policies and roles.",
  belongsTo: "scope",
  source: (place) => v1Source(place.client, "listTokens", LOCAL),
  id: ({ AccessorID }) => AccessorID,
  name: titleOf,
  path: PATH,
  jump: { fields: ["", "Description", "AuthMethod", "CreateTime", "LastUsed"] },
  columns: [
    {
      id: "description",
      title: "Description",
      sort: "Description",
      width: "minmax(160px, 2.4fr)",
      isNarrow: true,
      cell: (row, place) => (
        <Group gap={6} wrap="nowrap">
          <A to={PATH(row, place)} fw={550} truncate c={row.Description === "" ? "dimmed" : ""} tabIndex={-1}>
            {row.Description === "" ? "No description" : row.Description}
          </A>
          <TokenMarks token={row} />
        </Group>
      ),
    },
    {
      id: "accessor",
      title: "AccessorID",
      width: "120px",
      cell: ({ AccessorID }) => (
        <Group gap={2} wrap="nowrap">
          <Text span className="mono" title={AccessorID}>
            {AccessorID.slice(0, 8)}
          </Text>
          <CopyButton value={AccessorID} what="the AccessorID" />
        </Group>
      ),
    },
    {
      id: "policies",
      title: "Policies",
      width: "minmax(120px, 1.6fr)",
      cell: ({ Policies }) => <Links links={Policies} noun="policies" most={2} />,
    },
    {
      id: "roles",
      title: "Roles",
      width: "minmax(100px, 1.2fr)",
      cell: ({ Roles }) => <Links links={Roles} noun="roles" most={2} />,
    },
    {
      id: "method",
      title: "Auth method",
      sort: "AuthMethod",
      width: "minmax(90px, 0.8fr)",
      isHidden: true,
      cell: ({ AuthMethod }) =>
        AuthMethod ?? (
          <Text span inherit c="dimmed">
            –
          </Text>
        ),
    },
    {
      id: "used",
      title: "Last used",
      sort: "LastUsed",
      width: "110px",
      isNarrow: true,
      cell: ({ LastUsed }) => <Time value={LastUsed} none="never" />,
    },
    { id: "expires", title: "Expires", sort: "ExpirationTime", width: "110px", cell: (row) => <Expiry token={row} /> },
    {
      id: "created",
      title: "Created",
      sort: "CreateTime",
      width: "120px",
      isHidden: true,
      cell: ({ CreateTime }) => <Time value={CreateTime} />,
    },
    {
      id: "namespace",
      title: "Namespace",
      width: "120px",
      isHidden: true,
      cell: ({ Namespace }) => Namespace ?? "default",
    },
  ],
  filters: [
    {
      name: "unused-for",
      title: "Unused for",
      choices: [
        { value: "7d", label: "a week" },
        { value: "30d", label: "30 days" },
        { value: "90d", label: "90 days" },
        { value: "365d", label: "a year" },
      ],
    },
    {
      name: "expires-before",
      title: "Expires within",
      choices: [
        { value: "1h", label: "an hour" },
        { value: "24h", label: "a day" },
        { value: "7d", label: "a week" },
        { value: "30d", label: "30 days" },
      ],
    },
    { name: "expires", title: "Expires", choices: [{ value: "never", label: "never" }] },
    { name: "authmethod", title: "Auth method", placeholder: "Its name" },
    { name: "servicename", title: "Service identity", placeholder: "Name of the service" },
    { name: "policy", title: "Policy", placeholder: "Its ID" },
    { name: "role", title: "Role", placeholder: "Its ID" },
  ],
  tools: (place) => <TokenTools place={place} />,
  create: { path: "tokens/new", right: { resource: "acl", access: "write" } },
  bulk: (selection) => <BulkDelete selection={selection} />,
  empty: "A token lets a person or a program call this server. Make one for each of them, with as little as it needs.",
};

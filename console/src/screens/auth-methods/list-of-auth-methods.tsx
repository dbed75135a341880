/** The list of auth methods. */
import { Badge } from "@mantine/core";
import { descriptionColumn, indexColumn, namespaceColumn, rowPath, textColumn, titleColumn } from "../../kit/cells.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { localOf } from "../../kit/kind.ts";
import { BY_NAME, v1Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { TYPES, type AuthMethodRow } from "./named.ts";

const PATH = rowPath<AuthMethodRow>({ noun: "auth-methods", key: ({ Name }) => Name });

export const AUTH_METHOD_LIST: List<AuthMethodRow> = {
  noun: "auth-methods",
  singular: "auth method",
  plural: "Auth methods",
  about: "Who vouches for people and programs that log in. Binding rules say what they get.",
  belongsTo: "scope",
  source: (place) =>
    v1Source(place.client, "listAuthMethods", localOf<AuthMethodRow>("Name", "DisplayName", "Description", "Type")),
  id: ({ Name, Namespace = "" }) => `${Namespace} ${Name}`,
  name: ({ Name }) => Name,
  path: PATH,
  jump: BY_NAME,
  columns: [
    titleColumn<AuthMethodRow>({ path: PATH, text: ({ Name }) => Name }),
    {
      id: "type",
      title: "Type",
      width: "84px",
      isNarrow: true,
      cell: ({ Type }) => <Badge>{TYPES[Type]}</Badge>,
    },
    textColumn<AuthMethodRow>("Display name", ({ DisplayName }) => DisplayName),
    { ...descriptionColumn<AuthMethodRow>(), isNarrow: false },
    textColumn<AuthMethodRow>("Tokens live", ({ MaxTokenTTL }) => MaxTokenTTL ?? "until log-out", { width: "120px" }),
    textColumn<AuthMethodRow>("Locality", ({ TokenLocality }) => TokenLocality || "local", { isHidden: true }),
    namespaceColumn<AuthMethodRow>(),
    indexColumn<AuthMethodRow>(),
  ],
  filters: [
    { name: "type", title: "Type", choices: choicesOf(TYPES), fits: ({ Type }, type) => Type === type },
    {
      name: "locality",
      title: "Its tokens are",
      choices: choicesOf({ local: "local", global: "global" }),
      fits: ({ TokenLocality }, locality) => (TokenLocality || "local") === locality,
    },
    {
      name: "lifetime",
      title: "Its tokens live",
      choices: choicesOf({ limited: "for a time", unlimited: "until log-out" }),
      fits: ({ MaxTokenTTL }, lifetime) => ((MaxTokenTTL ?? "") === "") === (lifetime === "unlimited"),
    },
  ],
  create: { path: "auth-methods/new", right: { resource: "acl", access: "write" } },
  empty:
    "With an auth method people sign in by your identity provider, and programs by what their platform says of them.",
};

/** The list of auth methods. */
import { Badge } from "@mantine/core";
import { descriptionColumn, indexColumn, namespaceColumn, rowPath, textColumn, titleColumn } from "../../kit/cells.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { localOf } from "../../kit/kind.ts";
import { BY_NAME, v1Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { TYPES, type AuthMethodRow } from "./named.ts";
import * as texts from "../../texts/auth-methods.ts";
import { screenNames } from "../../texts/names.ts";

const PATH = rowPath<AuthMethodRow>({ noun: "auth-methods", key: ({ Name }) => Name });

export const AUTH_METHOD_LIST: List<AuthMethodRow> = {
  noun: "auth-methods",
  singular: screenNames.authMethods.singular,
  plural: screenNames.authMethods.plural,
  about: texts.about,
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
      title: texts.typeLabel,
      width: "84px",
      isNarrow: true,
      filter: { by: "type", values: ({ Type }) => [{ value: Type }] },
      cell: ({ Type }) => <Badge>{TYPES[Type]}</Badge>,
    },
    textColumn<AuthMethodRow>(texts.displayName, ({ DisplayName }) => DisplayName),
    { ...descriptionColumn<AuthMethodRow>(), isNarrow: false },
    textColumn<AuthMethodRow>(texts.ttl, ({ MaxTokenTTL }) => MaxTokenTTL ?? texts.ttlDefault, {
      id: "tokens-live",
      filter: {
        by: "lifetime",
        values: ({ MaxTokenTTL = "" }) => [{ value: MaxTokenTTL === "" ? "unlimited" : "limited" }],
      },
      width: "120px",
    }),
    textColumn<AuthMethodRow>(texts.locality, ({ TokenLocality }) => TokenLocality || texts.local, {
      id: "locality",
      filter: { by: "locality", values: ({ TokenLocality }) => [{ value: TokenLocality || "local" }] },
      isHidden: true,
    }),
    namespaceColumn<AuthMethodRow>(),
    indexColumn<AuthMethodRow>(),
  ],
  filters: [
    { name: "type", title: texts.typeLabel, choices: choicesOf(TYPES), fits: ({ Type }, type) => Type === type },
    {
      name: "locality",
      title: texts.locality,
      choices: choicesOf({ local: texts.local, global: texts.global }),
      fits: ({ TokenLocality }, locality) => (TokenLocality || "local") === locality,
    },
    {
      name: "lifetime",
      title: texts.ttl,
      choices: choicesOf({ limited: texts.ttlSet, unlimited: texts.ttlDefault }),
      fits: ({ MaxTokenTTL }, lifetime) => ((MaxTokenTTL ?? "") === "") === (lifetime === "unlimited"),
    },
  ],
  create: { path: "auth-methods/new", right: { resource: "acl", access: "write" } },
  empty: texts.emptyHint,
};

/** Keys that an organization has reserved. */
import { choicesOf } from "../../kit/filter.ts";
import { A } from "../../kit/link.tsx";
import { smallSource, v2Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { Time } from "../../kit/time.tsx";
import type { ReservedKeyRow } from "./named.ts";
import { winnerOf } from "./words.ts";
import { visible } from "../../kit/visible.ts";
import * as texts from "../../texts/reserved-tag-keys.ts";
import { screenNames } from "../../texts/names.ts";

const PATH: NonNullable<List<ReservedKeyRow>["path"]> = ({ id }, place) => place.path("reserved-tag-keys", id);

export const RESERVED_KEY_LIST: List<ReservedKeyRow> = {
  noun: "reserved-tag-keys",
  singular: screenNames.reservedTagKeys.reservedKey,
  plural: screenNames.reservedTagKeys.reservedKeys,
  about: texts.listHint,
  belongsTo: "organization",
  source: (place) =>
    smallSource<ReservedKeyRow>(
      v2Source(place.client, "listReservedTagKeys", { organization_name: place.organization ?? "" }),
      {
        text: ({ attributes }) => attributes.key,
        value: ({ attributes }, field) => (field === "key" ? attributes.key : attributes["updated-at"]),
      },
    ),
  id: ({ id }) => id,
  name: ({ attributes }) => attributes.key,
  path: PATH,
  columns: [
    {
      id: "key",
      title: texts.key,
      sort: "key",
      width: "minmax(140px, 1fr)",
      isNarrow: true,
      cell: (row, place) => (
        <A to={PATH(row, place)} fw={550} truncate tabIndex={-1}>
          <bdi>{visible(row.attributes.key)}</bdi>
        </A>
      ),
    },
    {
      id: "counts",
      title: texts.precedence,
      width: "minmax(160px, 1.6fr)",
      isNarrow: true,
      filter: {
        by: "counts",
        values: ({ attributes }) => [{ value: attributes["disable-overrides"] ? "project" : "workspace" }],
      },
      cell: ({ attributes }) => winnerOf(attributes["disable-overrides"]),
    },
    {
      id: "changed",
      title: texts.changed,
      sort: "updated-at",
      width: "150px",
      cell: ({ attributes }) => <Time value={attributes["updated-at"]} />,
    },
  ],
  filters: [
    {
      name: "counts",
      title: texts.precedence,
      choices: choicesOf({ project: winnerOf(true), workspace: winnerOf(false) }),
      fits: ({ attributes }, which) => attributes["disable-overrides"] === (which === "project"),
    },
  ],
  create: { path: "reserved-tag-keys/new", right: { resource: "organization", access: "write" } },
  empty: texts.emptyHint,
};

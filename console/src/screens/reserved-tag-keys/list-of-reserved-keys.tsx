/** Keys that an organization has reserved. */
import { choicesOf } from "../../kit/filter.ts";
import { A } from "../../kit/link.tsx";
import { smallSource, v2Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { Time } from "../../kit/time.tsx";
import type { ReservedKeyRow } from "./named.ts";
import { winnerOf } from "./words.ts";
import { visible } from "../../kit/visible.ts";

const PATH: NonNullable<List<ReservedKeyRow>["path"]> = ({ id }, place) => place.path("reserved-tag-keys", id);

export const RESERVED_KEY_LIST: List<ReservedKeyRow> = {
  noun: "reserved-tag-keys",
  singular: "reserved key",
  plural: "Reserved keys",
  about: "Keys of which the organization says whose value counts: the project’s, or the workspace’s.",
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
      title: "Key",
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
      title: "What counts",
      width: "minmax(160px, 1.6fr)",
      isNarrow: true,
      cell: ({ attributes }) => winnerOf(attributes["disable-overrides"]),
    },
    {
      id: "changed",
      title: "Changed",
      sort: "updated-at",
      width: "150px",
      cell: ({ attributes }) => <Time value={attributes["updated-at"]} />,
    },
  ],
  filters: [
    {
      name: "counts",
      title: "What counts",
      choices: choicesOf({ project: winnerOf(true), workspace: winnerOf(false) }),
      fits: ({ attributes }, which) => attributes["disable-overrides"] === (which === "project"),
    },
  ],
  create: { path: "reserved-tag-keys/new", right: { resource: "organization", access: "write" } },
  empty: "Reserve a key when its value is the project’s to choose, such as a cost centre that no workspace may change.",
};

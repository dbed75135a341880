/** The webhooks of an organization, and how their deliveries go. */
import { A } from "../../kit/link.tsx";
import { textColumn } from "../../kit/cells.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { smallSource, v2Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { Time } from "../../kit/time.tsx";
import type { WebhookRow } from "./named.ts";
import { StateMark, stateOf, STATES } from "./state.tsx";
import { visible } from "../../kit/visible.ts";
import * as texts from "../../texts/tag-webhooks.ts";
import { screenNames } from "../../texts/names.ts";

const PATH: NonNullable<List<WebhookRow>["path"]> = ({ id }, place) => place.path("tag-webhooks", id);

export const WEBHOOK_LIST: List<WebhookRow> = {
  noun: "tag-webhooks",
  singular: screenNames.tagWebhooks.webhook,
  plural: screenNames.tagWebhooks.webhooks,
  about: texts.listHint,
  belongsTo: "organization",
  source: (place) =>
    smallSource<WebhookRow>(
      v2Source(place.client, "listTagWebhooks", { organization_name: place.organization ?? "" }),
      {
        text: ({ attributes }) => `${attributes.name}\n${attributes.url}`,
        value: ({ attributes }, field) => (field === "behind" ? attributes.delivery.behind : attributes.name),
      },
    ),
  id: ({ id }) => id,
  name: ({ attributes }) => attributes.name,
  path: PATH,
  columns: [
    {
      id: "name",
      title: texts.name,
      sort: "name",
      width: "minmax(140px, 1fr)",
      isNarrow: true,
      cell: (row, place) => (
        <A to={PATH(row, place)} fw={550} truncate tabIndex={-1}>
          <bdi>{visible(row.attributes.name)}</bdi>
        </A>
      ),
    },
    textColumn(texts.url, ({ attributes }) => attributes.url, { width: "minmax(180px, 2fr)" }),
    {
      id: "state",
      title: texts.status,
      width: "120px",
      isNarrow: true,
      filter: { by: "state", values: ({ attributes }) => [{ value: stateOf(attributes) }] },
      cell: ({ attributes }) => <StateMark attributes={attributes} />,
    },
    {
      id: "behind",
      title: texts.pending,
      sort: "behind",
      width: "90px",
      align: "end",
      cell: ({ attributes }) => attributes.delivery.behind.toLocaleString(),
    },
    {
      id: "asked",
      title: texts.lastDelivery,
      width: "150px",
      cell: ({ attributes }) => <Time value={attributes.delivery["delivered-at"] ?? undefined} none={texts.never} />,
    },
  ],
  filters: [
    {
      name: "state",
      title: texts.status,
      choices: choicesOf(STATES),
      fits: ({ attributes }, state) => stateOf(attributes) === state,
    },
  ],
  create: { path: "tag-webhooks/new", right: { resource: "organization", access: "write" } },
  empty: texts.emptyHint,
};

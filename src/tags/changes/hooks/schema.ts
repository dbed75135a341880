/** Shapes of webhooks on the wire. */
import { Type } from "typebox";
import { CHANGE_ACTIONS, CHANGE_KINDS, REPORTED } from "../record.ts";
import { documentOf, nullable, optional, pageOf, pageQuery, resourceBody } from "../../../http/jsonapi/schema.ts";
import { renderWebhook } from "./render.ts";
import { MOST_COUNTED } from "./store.ts";

const name = Type.String({ minLength: 1, maxLength: 255, description: "Display name; need not be unique." });
const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "URL (https or http) that receives the records.",
});

const ACTIONS = [...CHANGE_ACTIONS, REPORTED];

const settings = Type.Object(
  {
    enabled: optional(
      Type.Boolean(),
      "Whether deliveries are enabled. A disabled webhook continues later where it stopped. Default: true.",
    ),
    token: optional(
      Type.String({ maxLength: 1024 }),
      "Signing secret. Null or empty: deliveries are not signed. Never returned.",
    ),
    kinds: optional(
      Type.Array(Type.Enum([...CHANGE_KINDS]), { maxItems: CHANGE_KINDS.length }),
      "Kinds of objects whose events are delivered; empty or null: all.",
    ),
    actions: optional(
      Type.Array(Type.Enum(ACTIONS), { maxItems: ACTIONS.length }),
      `Actions that are delivered; empty or null: all but ${REPORTED}, the weekly report of tag policies.`,
    ),
  },
  { title: "TagWebhookSettings" },
);

export const createBody = resourceBody(
  "tag-webhooks",
  { attributes: Type.Intersect([Type.Object({ name, url }), settings]) },
  { attributes: { name: "inventory", url: "https://hooks.example.com/tags", token: "a secret", kinds: ["workspace"] } },
);

export const updateBody = resourceBody(
  "tag-webhooks",
  {
    attributes: Type.Optional(
      Type.Intersect([Type.Object({ name: Type.Optional(name), url: Type.Optional(url) }), settings]),
    ),
  },
  { attributes: { enabled: false } },
);

export const listQuery = Type.Object(pageQuery);

const EXAMPLE = renderWebhook({
  id: "wh-Ab3kXyZ12mNoPqRs",
  organizationId: "org-Ab3kXyZ12mNoPqRs",
  name: "inventory",
  url: "https://hooks.example.com/tags",
  enabled: 1,
  tokenSealed: "sealed",
  kinds: '["workspace"]',
  actions: "[]",
  createdAt: "2026-01-02T03:04:05.678Z",
  updatedAt: "2026-01-02T03:04:05.678Z",
  position: 0,
  failures: 0,
  retryAt: 0,
  failingSince: "",
  deliveredAt: "2026-01-02T03:05:05.678Z",
  deliveryStatus: "204",
  skippedAt: "",
  behind: 0,
});

const maybeTime = (description: string) => nullable(Type.String({ format: "date-time" }), description);
const SAID = {
  attributes: {
    "has-token": "Whether deliveries are signed.",
    actions: Type.Array(Type.String()),
    delivery: {
      "delivered-at": maybeTime("Time of the last delivery attempt."),
      status: nullable(Type.String(), "Status of the response, or the reason of the failure."),
      failures: "Failures since the last success.",
      "failing-since": maybeTime("Time of the first of these failures."),
      "retry-at": maybeTime("Time of the next retry after a failure."),
      behind: `Number of pending records, counted up to ${MOST_COUNTED}.`,
      "skipped-at": maybeTime("Last time at which expired records were skipped."),
    },
  },
};

export const webhookDocument = documentOf("The webhook.", EXAMPLE, SAID);

export const verifiedDocument = Type.Object(
  {
    data: webhookDocument.properties.data,
    meta: Type.Object({ status: Type.String({ description: "Status of the response of the target." }) }),
  },
  {
    description: "Webhook, with the response of its target.",
    examples: [{ data: EXAMPLE, meta: { status: "204" } }],
  },
);

export const webhookList = pageOf("Page of webhooks, oldest first.", EXAMPLE, SAID);

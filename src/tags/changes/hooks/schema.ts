/** Shapes of webhooks on the wire. */
import { Type } from "typebox";
import { CHANGE_ACTIONS, CHANGE_KINDS } from "../record.ts";
import { documentOf, nullable, optional, pageOf, pageQuery, resourceBody } from "../../../http/jsonapi/schema.ts";
import { renderWebhook } from "./render.ts";
import { MOST_COUNTED } from "./store.ts";

const name = Type.String({ minLength: 1, maxLength: 255, description: "For people; need not be unique." });
const url = Type.String({ minLength: 1, maxLength: 2048, description: "Where records are posted to: https or http." });

const settings = Type.Object(
  {
    enabled: optional(Type.Boolean(), "True unless it is given. One that is not goes on later where it stopped."),
    token: optional(Type.String({ maxLength: 1024 }), "The secret that signs; null or empty for none. Never shown."),
    kinds: optional(
      Type.Array(Type.Enum([...CHANGE_KINDS]), { maxItems: CHANGE_KINDS.length }),
      "Kinds of objects that are told of; empty or null for all.",
    ),
    actions: optional(
      Type.Array(Type.Enum([...CHANGE_ACTIONS]), { maxItems: CHANGE_ACTIONS.length }),
      "What was done to them; empty or null for all.",
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
      "delivered-at": maybeTime("When the target was last asked."),
      status: nullable(Type.String(), "The status of its answer, or why there was none."),
      failures: "Since the last success.",
      "failing-since": maybeTime("When the first of them was."),
      "retry-at": maybeTime("When it is asked again after a failure."),
      behind: `Records that it has not been told, up to ${MOST_COUNTED}.`,
      "skipped-at": maybeTime("When records were last passed over that were not kept any more."),
    },
  },
};

export const webhookDocument = documentOf("The webhook.", EXAMPLE, SAID);

export const verifiedDocument = Type.Object(
  {
    data: webhookDocument.properties.data,
    meta: Type.Object({ status: Type.String({ description: "The status of the target's answer." }) }),
  },
  {
    description: "The webhook, and how its target answered.",
    examples: [{ data: EXAMPLE, meta: { status: "204" } }],
  },
);

export const webhookList = pageOf("A page of webhooks in the order of their making.", EXAMPLE, SAID);

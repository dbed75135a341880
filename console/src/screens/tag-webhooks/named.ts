import type { ItemOf } from "@tessera-server/client";
import type { NamedResource } from "../../kit/resource.ts";
import { screenNames } from "../../texts/names.ts";

export type WebhookRow = ItemOf<"listTagWebhooks">;

/** How webhooks are read and called. */
export const WEBHOOK: NamedResource<WebhookRow> = {
  noun: "tag-webhooks",
  singular: screenNames.tagWebhooks.webhook,
  plural: screenNames.tagWebhooks.webhooks,
  read: "readTagWebhook",
  list: "listTagWebhooks",
  parameter: "webhook_id",
  title: ({ attributes }) => attributes.name,
};

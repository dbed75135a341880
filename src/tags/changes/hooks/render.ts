import type { ShownWebhook } from "./service.ts";

/** A webhook as a resource; its secret is never shown. */
export function renderWebhook(webhook: ShownWebhook) {
  const orNull = (text: string) => (text === "" ? null : text);
  return {
    id: webhook.id,
    type: "tag-webhooks",
    attributes: {
      name: webhook.name,
      url: webhook.url,
      enabled: webhook.enabled === 1,
      "has-token": webhook.tokenSealed !== "",
      kinds: JSON.parse(webhook.kinds) as string[],
      actions: JSON.parse(webhook.actions) as string[],
      "created-at": webhook.createdAt,
      "updated-at": webhook.updatedAt,
      delivery: {
        "delivered-at": orNull(webhook.deliveredAt),
        status: orNull(webhook.deliveryStatus),
        failures: webhook.failures,
        "failing-since": orNull(webhook.failingSince),
        "retry-at": webhook.retryAt === 0 ? null : new Date(webhook.retryAt).toISOString(),
        behind: webhook.behind,
        "skipped-at": orNull(webhook.skippedAt),
      },
    },
    links: { self: `/api/v2/tag-webhooks/${webhook.id}` },
  };
}

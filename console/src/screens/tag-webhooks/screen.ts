import type { Screen } from "../../kit/screen.ts";
import { resourcePages } from "../../kit/resource-pages.ts";
import { WEBHOOK } from "./named.ts";
import { screenNames } from "../../texts/names.ts";

/** Screen of webhooks, which receive the changes to tags. */
export const TAG_WEBHOOKS: Screen = {
  noun: "tag-webhooks",
  title: screenNames.tagWebhooks.webhooks,
  summary: screenNames.tagWebhooks.summary,
  icon: "link",
  place: "organization",
  group: "Tags",
  right: { resource: "organization", access: "write" },
  pages: resourcePages(WEBHOOK, async () => (await import("./list-of-webhooks.tsx")).WEBHOOK_LIST, {
    list: async () => (await import("./list.tsx")).WebhookList,
    create: async () => (await import("./create.tsx")).WebhookCreate,
    object: async () => (await import("./pages.tsx")).WebhookObject,
    edit: async () => (await import("./pages.tsx")).WebhookEdit,
  }),
  actions: [
    {
      title: screenNames.tagWebhooks.newWebhook,
      path: "tag-webhooks/new",
      right: { resource: "organization", access: "write" },
    },
  ],
};

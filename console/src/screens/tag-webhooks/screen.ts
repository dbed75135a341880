import type { Screen } from "../../kit/screen.ts";
import { resourcePages } from "../../kit/resource-pages.ts";
import { WEBHOOK } from "./named.ts";

/** Screen of webhooks, which receive the changes to tags. */
export const TAG_WEBHOOKS: Screen = {
  noun: "tag-webhooks",
  title: "Webhooks",
  summary: "Who is told of changes to tags",
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
  actions: [{ title: "New webhook", path: "tag-webhooks/new", right: { resource: "organization", access: "write" } }],
};

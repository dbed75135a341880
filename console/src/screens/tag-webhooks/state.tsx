/** How a webhook's deliveries go, in a word. */
import { Badge } from "@mantine/core";
import type { WebhookRow } from "./named.ts";

/** The mark. */
export function StateMark({ attributes: { enabled, delivery } }: { attributes: WebhookRow["attributes"] }) {
  if (!enabled) return <Badge c="dimmed">off</Badge>;
  if (delivery.failures > 0) return <Badge c="var(--mantine-color-error)">failing</Badge>;
  return <Badge c="var(--added-text)">{delivery["delivered-at"] === null ? "waiting" : "working"}</Badge>;
}

/** How a webhook's deliveries go, in a word. */
import { Badge } from "@mantine/core";
import type { WebhookRow } from "./named.ts";
import * as texts from "../../texts/tag-webhooks.ts";

const COLORS = {
  off: "dimmed",
  failing: "var(--mantine-color-error)",
  waiting: "var(--added-text)",
  working: "var(--added-text)",
};

/** Labels of the states. */
export const STATES: Readonly<Record<keyof typeof COLORS, string>> = {
  working: texts.statusWorking,
  waiting: texts.statusWaiting,
  failing: texts.statusFailing,
  off: texts.statusOff,
};

/** The word. */
export function stateOf({ enabled, delivery }: WebhookRow["attributes"]): keyof typeof COLORS {
  if (!enabled) return "off";
  if (delivery.failures > 0) return "failing";
  return delivery["delivered-at"] === null ? "waiting" : "working";
}

/** The mark. */
export function StateMark({ attributes }: { attributes: WebhookRow["attributes"] }) {
  const state = stateOf(attributes);
  return <Badge c={COLORS[state]}>{STATES[state]}</Badge>;
}

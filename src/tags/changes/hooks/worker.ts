/**
 * The deliveries of all webhooks, which one node makes at a time. Each webhook has a lane of its own, so that a target that
 * is slow holds up nobody else's; lanes end after a while, so that all get one.
 */
import { AppError } from "../../../errors.ts";
import type { MetricRegistry } from "../../../metrics.ts";
import { createPool, type PoolHolder } from "../../../shared-pool.ts";
import { newHolder, takeLease, type Lease } from "../../../storage/feed/lease.ts";
import { type Background, startBackground } from "../../../storage/operator/removal.ts";
import { deliverNext, isDue, type DeliveryServices } from "./delivery.ts";
import { listPending } from "./store.ts";

/** A lane waits for a target for 10 s at most. */
const LANE_MS = 20_000;
/** The lease lasts for 6 s. */
const RENEW_MS = 1500;
const EVERY_MS = 500;

/** How the deliveries of this process are. */
export interface DeliveryProgress {
  /** Seconds since the oldest record that a webhook of the database has still to be told, retries included. */
  behindSeconds: number;
  /** Webhooks of the database with records that they have still to be told, and those whose last delivery failed. */
  pending: number;
  failing: number;
  /** Requests of this process that a target took, and those that failed. */
  delivered: number;
  failed: number;
}

/** While nothing has begun. */
export const NO_DELIVERIES: DeliveryProgress = { behindSeconds: 0, pending: 0, failing: 0, delivered: 0, failed: 0 };

export interface Deliveries extends Background {
  progress(): DeliveryProgress;
}

/** Starts the work. @param onError told of a failure that is none of a target; the work is tried again */
export function startDeliveries(services: DeliveryServices, onError: (error: unknown) => void): Deliveries {
  const { db, now } = services;
  const holder = newHolder();
  const stopping = new AbortController();
  const lanes = new Map<string, Promise<void>>();
  const places = createPool("webhookLanes");
  const progress = { ...NO_DELIVERIES };
  let lease: Lease | undefined;
  let renewed = -Infinity;

  async function work(): Promise<void> {
    const found = await listPending(db.long);
    const oldest = Math.min(now(), ...found.map(({ since }) => Date.parse(since) || now()));
    progress.behindSeconds = Math.round((now() - oldest) / 1000);
    progress.pending = found.length;
    progress.failing = found.filter(({ failures }) => failures > 0).length;
    const due = found.filter((webhook) => isDue(webhook, now()) && !lanes.has(webhook.id));
    if (due.length === 0 && lanes.size === 0) return;
    if (performance.now() - renewed > RENEW_MS) {
      lease = await takeLease(db, "tag-webhooks", holder);
      renewed = performance.now();
    }
    if (lease === undefined) return;
    for (const { id, organizationId } of inTurn(due, places.heldBy)) {
      const owner = { name: organizationId };
      if (places.take(owner) === undefined) lanes.set(id, run(id, owner));
    }
  }

  async function run(id: string, owner: PoolHolder): Promise<void> {
    const { signal } = stopping;
    const end = performance.now() + LANE_MS;
    try {
      for (let goesOn = true; goesOn && !signal.aborted && lease !== undefined && performance.now() < end;) {
        const next = await deliverNext(services, lease, id, signal);
        goesOn = next.goesOn;
        if (next.outcome !== undefined) progress[next.outcome.ok ? "delivered" : "failed"] += 1;
      }
    } catch (error) {
      // Another node has taken over, and delivers it again.
      if (!(error instanceof AppError && error.code === "conflict")) onError(error);
    } finally {
      lanes.delete(id);
      places.give(owner);
    }
  }

  const background = startBackground(work, onError, EVERY_MS);
  return {
    progress: () => ({ ...progress }),
    async stop() {
      stopping.abort();
      await background.stop();
      await Promise.all(lanes.values());
    },
  };
}

/** Puts first those of organizations that have the fewest lanes, one of each at a time. @param held how many one has */
export function inTurn<W extends { organizationId: string }>(
  due: readonly W[],
  held: (organization: string) => number,
): W[] {
  const counts = new Map<string, number>();
  const placed = due.map((webhook) => {
    const { organizationId } = webhook;
    const before = counts.get(organizationId) ?? held(organizationId);
    counts.set(organizationId, before + 1);
    return { webhook, before };
  });
  return placed.toSorted((one, other) => one.before - other.before).map(({ webhook }) => webhook);
}

/** Totals only: who has which webhook is not for who reads metrics. */
export function measureDeliveries({ gauge }: Pick<MetricRegistry, "gauge">, read: () => DeliveryProgress): void {
  gauge(
    "tessera_webhooks_behind_seconds",
    "Age of the oldest record that waits for a webhook",
    () => read().behindSeconds,
  );
  gauge("tessera_webhooks_pending", "Number of webhooks with waiting records", () => read().pending);
  gauge(
    "tessera_webhooks_failing",
    "Number of webhooks with waiting records whose last delivery failed",
    () => read().failing,
  );
  gauge(
    "tessera_webhook_deliveries_taken",
    "Number of successful webhook deliveries of this process",
    () => read().delivered,
  );
  gauge(
    "tessera_webhook_deliveries_failed",
    "Number of failed webhook deliveries of this process",
    () => read().failed,
  );
}

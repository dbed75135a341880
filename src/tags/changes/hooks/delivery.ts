/**
 * Delivers the next records of one webhook in their order, from the stored place. The place moves on when the target
 * has accepted them. Each record is delivered at least once, even if the process ends in between.
 */
import { readChangePage } from "../pages.ts";
import type { Database } from "../../../storage/database.ts";
import { untilDurable } from "../../../storage/writes/durable.ts";
import type { Lease } from "../../../storage/feed/lease.ts";
import { type AskFor } from "../../../outbound/targets.ts";
import { sendTo, type DeliveryOutcome } from "./send.ts";
import { findWebhook, updateDelivery, type Webhook } from "./store.ts";
import { isWanted } from "./wanted.ts";

export interface DeliveryServices {
  db: Database;
  askFor: AskFor;
  /** Milliseconds since the epoch, by the database's clock. */
  now: () => number;
}

/** Records of one request. */
export const MOST_EVENTS = 100;

const FIRST_RETRY_MS = 2000;
const LAST_RETRY_MS = 60 * 60 * 1000;

/**
 * Delivers what comes next to a webhook.
 *
 * @returns what came of it; undefined when nothing had to be sent
 * @throws AppError `conflict` when another node has taken over
 */
export async function deliverNext(
  { db, askFor, now }: DeliveryServices,
  lease: Lease,
  id: string,
  signal: AbortSignal,
): Promise<{ outcome: DeliveryOutcome | undefined; goesOn: boolean }> {
  const webhook = await findWebhook(db, id);
  const page = webhook && (await readChangePage(db.long, webhook.organizationId, webhook.position));
  if (webhook?.enabled !== 1 || page === undefined) return { outcome: undefined, goesOn: false };
  const isSkipped = page.floor > webhook.position;
  const batch = page.changes.slice(0, MOST_EVENTS);
  const wanted = batch.filter((change) => isWanted(webhook, change));
  // As with any answer: what is told has happened, whatever happens to the machine.
  await untilDurable(db);
  const outcome =
    wanted.length === 0 ? undefined : await sendTo(db, askFor(webhook.organizationId), webhook, wanted, signal);
  // Nobody knows what became of it: it is sent again.
  if (signal.aborted) return { outcome: undefined, goesOn: false };
  const time = now();
  const skipped = isSkipped ? { position: page.floor, skippedAt: new Date(time).toISOString() } : {};
  const after = { ...webhook, ...skipped, ...(outcome === undefined ? {} : deliveryState(webhook, outcome, time)) };
  const isTaken = outcome?.ok !== false;
  const position = isTaken ? Math.max(after.position, batch.at(-1)?.position ?? 0) : after.position;
  await db.inTransaction(lease, async (tx) => {
    tx.unrecorded("how far a webhook is");
    updateDelivery(tx, { ...after, position });
  });
  return { outcome, goesOn: isTaken && !(page.isLast && batch.length === page.changes.length) };
}

/** Returns the state of a webhook after a request: the result, and the time of the next request. */
function deliveryState(
  { failures, failingSince }: Webhook,
  { ok, status }: DeliveryOutcome,
  now: number,
): Partial<Webhook> {
  const deliveredAt = new Date(now).toISOString();
  const last = { deliveredAt, deliveryStatus: status };
  if (ok) return { ...last, failures: 0, failingSince: "", retryAt: 0 };
  return {
    ...last,
    failures: failures + 1,
    failingSince: failingSince === "" ? deliveredAt : failingSince,
    retryAt: now + retryAfter(failures),
  };
}

/**
 * Returns whether the next request of a webhook is due. A time further off than any retry was noted while the clock was ahead.
 *
 * @param now milliseconds since the epoch
 */
export function isDue({ retryAt }: Pick<Webhook, "retryAt">, now: number): boolean {
  return retryAt <= now || retryAt > now + LAST_RETRY_MS;
}

/** Twice as long each time, up to an hour, less up to half at random: those that failed together do not come back together. */
export function retryAfter(failures: number, random = Math.random()): number {
  const longest = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 30));
  return Math.round(longest * (1 - random / 2));
}

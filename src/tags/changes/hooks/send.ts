/** One request to a webhook's target. */
import { createHmac } from "node:crypto";
import { changeResource } from "../as-json.ts";
import type { StoredChange } from "../store.ts";
import { OutboundError, type Ask } from "../../../outbound/outbound.ts";
import type { Database } from "../../../storage/database.ts";
import { placeIn } from "../../../storage/keys/sealed-columns.ts";
import { openStored } from "../../../storage/keys/sealed.ts";
import type { OwnedWebhook } from "./store.ts";

/** Returns the place for which the secret of a webhook is sealed. */
export function tokenPlace(id: string): string {
  return placeIn("tag_webhooks", id);
}

/** Response of a target, or the reason for a missing one, in few words. `ok` when it accepted the records. */
export interface DeliveryOutcome {
  ok: boolean;
  status: string;
}

/**
 * Posts records to a webhook's target, signed with its secret where it has one.
 *
 * @throws StorageDamaged when the secret cannot be opened
 */
export async function sendTo(
  { keyring }: Pick<Database, "keyring">,
  ask: Ask,
  { id, url, organizationName, tokenSealed }: OwnedWebhook,
  changes: readonly StoredChange[],
  signal?: AbortSignal,
): Promise<DeliveryOutcome> {
  const events = changes.map((change) => ({ id: String(change.position), ...changeResource(change) }));
  const body = JSON.stringify({ webhook: id, organization: organizationName, events });
  const token = tokenSealed === "" ? undefined : await openStored(keyring, tokenSealed, tokenPlace(id));
  const headers = {
    "content-type": "application/json",
    ...(token === undefined ? {} : { "x-tfe-notification-signature": signatureOf(body, token) }),
  };
  try {
    const { status } = await ask({ method: "POST", url, headers, body, signal });
    return { ok: status >= 200 && status < 300, status: String(status) };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { ok: false, status: error.message };
  }
}

/** HMAC-SHA-512 of the bytes of a body, in hex. */
function signatureOf(body: string, token: string): string {
  return createHmac("sha512", token).update(body).digest("hex");
}

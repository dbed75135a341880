/** One request to a webhook's target. */
import { createHmac } from "node:crypto";
import { changeResource } from "../changes/render.ts";
import type { StoredChange } from "../changes/store.ts";
import { createAsk } from "../outbound/exchange.ts";
import { createLookups } from "../outbound/lookups.ts";
import { parseCidr } from "../outbound/cidr.ts";
import { OutboundError, type Ask } from "../outbound/outbound.ts";
import { createResolve } from "../outbound/resolver.ts";
import { createTrust } from "../outbound/trust.ts";
import type { Database } from "../storage/database.ts";
import { placeIn } from "../storage/keys/sealed-columns.ts";
import { openStored } from "../storage/sealed.ts";
import type { OwnedWebhook } from "./store.ts";

/** Gives what asks for an organization: its names are looked up beside those of others. */
export type AskFor = (organization: string) => Ask;

/** What the configuration says of connections that others ask for. */
export interface TargetConfig {
  /** IP addresses and networks in CIDR notation. */
  outboundAllow?: readonly string[];
  /** IP addresses, with a port where it is not 53. */
  nameServers?: readonly string[];
}

/** Makes it: only public addresses may be connected to, and those that the configuration allows. */
export function createTargets({ outboundAllow = [], nameServers = [] }: TargetConfig): AskFor {
  const allow = outboundAllow.map(parseCidr);
  const lookups = createLookups(createResolve({ servers: nameServers }));
  const trust = createTrust();
  return (organization) => {
    const resolve = lookups.of({ partition: "organizations", namespace: organization });
    return createAsk({ allow, mayUsePrivate: false, resolve, trust });
  };
}

/** Where the secret of a webhook is sealed for. */
export function tokenPlace(id: string): string {
  return placeIn("tag_webhooks", id);
}

/** What a target has answered, or why it has not, in few words; `ok` when it took it. */
export interface Outcome {
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
): Promise<Outcome> {
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

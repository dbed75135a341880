/** The tables of what was changed, and of who is told; part of `tables.ts`. */
import { createHash } from "node:crypto";
import { hidden, integer, masked, secret, text } from "./column.ts";

export const CHANGE_TABLES = {
  /** One row for each change of one object of an organization. See `changes/record.ts`. */
  changes: {
    organization_id: text,
    /** Place in the order of commits; see `changes/position.ts`. */
    position: integer,
    at: text,
    /** AccessorID of the token, and ID of the request, that made the change. */
    accessor_id: text,
    request_id: text,
    /** ID of the job that made the change; empty for none. */
    job_id: text,
    kind: text,
    object_id: text,
    /** Name of the object at that time. */
    name: text,
    action: text,
    /** State before and after the change, as JSON. */
    details: text,
  },
  /** Position up to which the records of an organization have been removed. */
  change_floors: { organization_id: text, position: integer },
  /** Addresses that receive the records of an organization, and the progress of delivery. See `tag-webhooks/`. */
  tag_webhooks: {
    id: text,
    organization_id: text,
    name: text,
    /** Target of the deliveries. Its path or query is a secret with many services. */
    url: masked(text, maskUrl),
    enabled: integer,
    /** The secret that signs, sealed; empty for none. See `keyring.ts`. */
    token_sealed: secret(text),
    /** JSON lists of the requested kinds and actions; empty for all. */
    kinds: text,
    actions: text,
    created_at: text,
    updated_at: hidden(text),
    /** Position of the last record that was delivered or skipped. */
    position: hidden(integer),
    /** Failures since the last success. */
    failures: hidden(integer),
    /** Time of the next attempt, in milliseconds since the epoch; 0 for immediately. */
    retry_at: hidden(integer),
    /** Time of the first of these failures; empty while there is none. */
    failing_since: hidden(text),
    /** Time and result of the last attempt; empty before the first. */
    delivered_at: hidden(text),
    delivery_status: hidden(text),
    /** Time at which records that were no longer kept were last skipped; empty for never. */
    skipped_at: hidden(text),
  },
};

/** Masks a webhook URL: returns its origin, and a digest that distinguishes URLs of one origin. */
function maskUrl(address: string): string {
  const url = URL.parse(address);
  if (url === null) return `sha256:${digestOf(address)}`;
  const isBare = url.pathname === "/" && url.search === "" && url.hash === "";
  return isBare ? url.origin : `${url.origin}/… sha256:${digestOf(address)}`;
}

function digestOf(address: string): string {
  return createHash("sha256").update(address).digest("hex").slice(0, 16);
}

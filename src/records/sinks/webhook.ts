/** A server that is sent the lines of audit records, as `--audit-webhook` names it. */
import { createHmac, hash } from "node:crypto";
import { OutboundError, type Ask, type OutboundResponse } from "../../outbound/outbound.ts";
import { type AuditSink, SinkFailure } from "./sink.ts";

/** The header with the signature of a body: `sha256=` and HMAC-SHA-256 of its bytes under the secret, in hex. */
export const SIGNATURE_HEADER = "x-tessera-signature";

/** It is not waited for longer than that, whatever it says. */
const LONGEST_WAIT_MS = 60 * 60 * 1000;

export interface WebhookOptions {
  url: string;
  /** Without it nothing is signed. */
  secret: string | undefined;
  /** Sends requests to where it is allowed. */
  ask: Ask;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** There is one for the database, whichever node feeds it. */
export function createWebhookSink({ url, secret, ask, now }: WebhookOptions): AuditSink {
  return {
    // The URL may contain a secret, and the name is stored.
    name: `webhook ${hash("sha256", url, "base64url")}`,
    async deliver(lines, signal) {
      const body = `${lines.join("\n")}\n`;
      const signature = secret === undefined ? {} : { [SIGNATURE_HEADER]: signatureOf(body, secret) };
      const headers = { "content-type": "application/x-ndjson", ...signature };
      const { status, headers: answered } = await send(ask, { method: "POST", url, headers, body, signal });
      if (status >= 200 && status < 300) return;
      throw new SinkFailure(`the sink returned status ${status}`, waitOf(answered["retry-after"], now()));
    },
    close: () => Promise.resolve(),
  };
}

async function send(ask: Ask, request: Parameters<Ask>[0]): Promise<OutboundResponse> {
  try {
    return await ask(request);
  } catch (error) {
    if (error instanceof OutboundError) throw new SinkFailure(error.message);
    throw error;
  }
}

function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** Reads `Retry-After`, which contains seconds or a date. Returns milliseconds; 0 for any other text. */
function waitOf(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Math.min(LONGEST_WAIT_MS, Math.max(0, wait || 0));
}

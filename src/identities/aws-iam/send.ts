import { setTimeout as sleep } from "node:timers/promises";
import { OutboundError, type Ask, type OutboundRequest, type OutboundResponse } from "../../outbound/outbound.ts";
import { IdentityError, ProviderError } from "../errors.ts";
import { isThrottling, type Service } from "./answers.ts";

/** How requests are sent. */
export interface SendOptions {
  readonly ask: Ask;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How often a request is sent again when no answer comes, or one that says it is the fault of the server. */
  readonly retries: number;
}

const FIRST_PAUSE_MILLISECONDS = 100;
/** Somebody waits for the login: nothing is sent again when this has passed. */
const PATIENCE_MILLISECONDS = 15_000;

/**
 * Sends a signed request.
 *
 * @returns the body of the answer to a request that was not refused
 * @throws IdentityError when it is refused, ProviderError when there is no answer
 */
export async function sendSigned(service: Service, request: OutboundRequest, sending: SendOptions): Promise<string> {
  const name = service.toUpperCase();
  const { status, body } = await sendAgain(request, sending);
  if (status === 200) return body;
  const isOurFault = status >= 400 && status < 500 && status !== 429 && !isThrottling(body, service);
  if (isOurFault) throw new IdentityError(`${name} rejected the signed request (status ${status})`);
  throw new ProviderError(`${name} failed (status ${status})`);
}

async function sendAgain(request: OutboundRequest, { ask, now, retries }: SendOptions): Promise<OutboundResponse> {
  const start = now();
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= retries || now() - start >= PATIENCE_MILLISECONDS;
    try {
      const response = await ask(request);
      if (response.status < 500 || isLast) return response;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      if (isLast) throw new ProviderError(error.message, { cause: error });
    }
    await sleep(FIRST_PAUSE_MILLISECONDS * 2 ** attempt);
  }
}

import { exchange, type Limits } from "./exchange.ts";
import type { Ask } from "./outbound.ts";
import type { Permission } from "./reach.ts";
import type { Resolve } from "./resolver.ts";
import { parseTarget } from "./target.ts";
import type { Trust } from "./trust.ts";

export interface AskOptions extends Permission {
  /** Finds the addresses of names, for whoever asks; see `lookups.ts`. */
  resolve: Resolve;
  /** Whose certificates count, for whoever asks. */
  trust: Trust;
  /** How long it may take until a connection stands, look-up and TLS included. */
  connectMilliseconds?: number;
  /** How long a request may take as a whole. */
  totalMilliseconds?: number;
}

const CONNECT_MILLISECONDS = 5000;
const TOTAL_MILLISECONDS = 10_000;

/**
 * Makes a function that asks servers which others name, within bounds:
 *
 * - It connects only to addresses that are permitted. A name is looked up once, so what is checked is what is connected to.
 * - Certificates are always verified, and so is the name in them. No proxy is used, and no redirect followed.
 * - A connection must stand within 5 s, and the whole answer be there within 10 s and in 1 MiB.
 * - Every request has a connection of its own, which is gone when the answer is there.
 *
 * Errors are OutboundErrors that name the host and repeat nothing that was read.
 */
export function createAsk({ allow, mayUsePrivate, resolve, trust, ...times }: AskOptions): Ask {
  const limits: Limits = {
    permission: { allow, mayUsePrivate },
    resolve,
    trust,
    connectMilliseconds: times.connectMilliseconds ?? CONNECT_MILLISECONDS,
    totalMilliseconds: times.totalMilliseconds ?? TOTAL_MILLISECONDS,
  };
  return async (request) => exchange(parseTarget(request.url), request, limits);
}

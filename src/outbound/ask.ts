import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { exchange, type Limits } from "./exchange.ts";
import { createLookups } from "./lookups.ts";
import type { Ask } from "./outbound.ts";
import type { Permission } from "./reach.ts";
import { parseTarget } from "./target.ts";

export interface AskOptions extends Permission {
  /** Finds the addresses of names; the system's unless it is given. */
  resolve?: LookupFunction;
  /** How long it may take until a connection stands, look-up and TLS included. */
  connectMilliseconds?: number;
  /** How long a request may take as a whole. */
  totalMilliseconds?: number;
}

const CONNECT_MILLISECONDS = 5000;
const TOTAL_MILLISECONDS = 10_000;

/** As many as there are threads in the pool that they run in, unless its size was changed. */
const MAX_LOOKUPS = 4;
/** The pool is the process's, so is what bounds its use. */
const systemLookups = createLookups(lookup, MAX_LOOKUPS);

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
export function createAsk({ allow, mayUsePrivate, resolve, ...times }: AskOptions): Ask {
  const limits: Limits = {
    permission: { allow, mayUsePrivate },
    lookups: resolve === undefined ? systemLookups : createLookups(resolve, MAX_LOOKUPS),
    connectMilliseconds: times.connectMilliseconds ?? CONNECT_MILLISECONDS,
    totalMilliseconds: times.totalMilliseconds ?? TOTAL_MILLISECONDS,
  };
  return async (request) => exchange(parseTarget(request.url), request, limits);
}

/** Counts the requests of each caller, where `--rate-limit` asks for that, and tells it how many it has left. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AppError } from "../../errors.ts";
import { networkOf } from "../../limits/network.ts";
import {
  type Quota,
  RateLimited,
  type CountedBy,
  type RateLimits,
  type RequestKind,
} from "../../limits/rate-limits.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { decodedPath } from "../route-table.ts";

declare module "fastify" {
  interface FastifyInstance {
    rates: {
      /**
       * Counts a request that names no token, or one that nobody has.
       *
       * @returns why it is refused; undefined while it is not
       */
      countStranger(request: FastifyRequest): RateLimited | undefined;
    };
  }
  interface FastifyRequest {
    /** The buckets that it was counted in. */
    quotas: readonly Quota[] | undefined;
  }
}

export interface RateLimitSettings {
  limits: RateLimits | undefined;
  /** Whether tokens with the policy `global-management` are not counted. */
  exemptsManagement: boolean;
}

/** The window of every policy, in seconds. */
const WINDOW = 60;
/** Clients ask it before anything else, to learn what the server is; it costs nothing. */
const PING = "/api/v2/ping";

/**
 * Paths of counted requests: both families, and the sign-in at the console, which is a login and a write like theirs.
 */
const COUNTED = ["/v1/", "/access/v1/", "/api/v2/", "/ui/session"] as const;

/** Gives a server the place where requests are counted; they are not until `countRequests`. */
export function addRates(app: FastifyInstance): void {
  app.decorateRequest("quotas");
  app.decorate("rates", { countStranger: () => undefined });
}

/** Has the requests of both families counted. To be called before their routes are registered. */
export function countRequests(
  app: FastifyInstance,
  { limits, exemptsManagement }: RateLimitSettings,
  { gauge, gauges }: Pick<Metrics, "gauge" | "gauges">,
): void {
  if (limits === undefined) return;
  app.rates.countStranger = countStranger;
  // It counts no requests.
  app.lane.leave();
  app.addHook("onRequest", (request, _reply, done) => {
    done(isCounted(request) ? count(request, "address", networkOf(request.ip)) : undefined);
  });
  // Behind the families' own hooks, which know who asks.
  app.addHook("preParsing", (request, _reply, payload, done) => {
    done(isCounted(request) ? countCaller(request) : undefined, payload);
  });
  gauge(
    "tessera_rate_limit_callers",
    "Number of tokens and addresses tracked by rate limits",
    () => limits.stats().entries,
  );
  gauges("tessera_rate_limited", "Number of requests rejected by --rate-limit", ["by", "kind"], () =>
    limits.stats().refused.map(([by, kind, refused]) => [{ by, kind }, refused] as const),
  );

  function countStranger(request: FastifyRequest): RateLimited | undefined {
    return isCounted(request) ? count(request, "stranger", networkOf(request.ip)) : undefined;
  }

  function countCaller(request: FastifyRequest): RateLimited | undefined {
    // Public routes have no caller.
    const actor = (request.ctx as FastifyRequest["ctx"] | undefined)?.actor;
    if (actor === undefined || actor.anonymous) return countStranger(request);
    if (exemptsManagement && actor.isManagement === true) return undefined;
    return count(request, "token", actor.accessorId);
  }

  function count(request: FastifyRequest, by: CountedBy, who: string): RateLimited | undefined {
    try {
      note(request, limits?.take(by, who, kindOf(request)));
      return undefined;
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      note(request, error.quota);
      return error;
    }
  }
}

/** By the route that the router found, since a path can be written in many ways; where it found none, by what it looked for. */
function isCounted({ raw: { url = "/" }, route: { pattern, method } }: FastifyRequest): boolean {
  const path = method === "*" ? decodedPath(url) : pattern;
  return COUNTED.some((begin) => path.startsWith(begin)) && path !== PING;
}

function kindOf(request: FastifyRequest): RequestKind {
  return request.raw.method === "GET" || request.route.config.question === true ? "reads" : "writes";
}

/** Pushes what an answer tells its caller: names and values of headers in turn, by draft-ietf-httpapi-ratelimit-headers-11. */
export function pushQuotas(head: string[], { quotas }: Pick<FastifyRequest, "quotas">): void {
  if (quotas === undefined) return;
  const policies = quotas.map(({ policy, most }) => `"${policy}";q=${most};w=${WINDOW}`);
  const standings = quotas.map(({ policy, left, seconds }) => `"${policy}";r=${left};t=${seconds}`);
  head.push("ratelimit-policy", policies.join(", "), "ratelimit", standings.join(", "));
}

function note(request: FastifyRequest, quota: Quota | undefined): void {
  if (quota !== undefined) request.quotas = [...(request.quotas ?? []), quota];
}

/**
 * Headers that every 429 of `/api/v2` has in addition to `Retry-After`. Its clients read numbers from headers of these
 * names, and wait for the number of seconds in the last one.
 */
export function rateHeaders({ limit = 1, retryAfterSeconds = 1 }: AppError): Readonly<Record<string, string>> {
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(retryAfterSeconds),
  };
}

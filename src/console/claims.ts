/** Which requests come by a session of the console: those that its own page sends, and no others. */
import type { FastifyRequest } from "fastify";
import type { ResolveSession } from "../acl/sessions/resolve.ts";
import type { FindActor, FindBySession } from "../http/receiving/credentials.ts";
import type { Cookies } from "./cookies.ts";

/** Header that a page of another origin can send only with a CORS preflight, which this server never grants. */
const HEADER = "x-tessera-console";
/** Header with the AccessorID that the page shows as signed in: a browser has one session for all its windows. */
const AS_HEADER = "x-tessera-as";

export interface SessionClaims {
  /** Finds the actor of a request by its session; undefined without a claim, or without a valid cookie. */
  claim: FindBySession;
  /** Whether it comes from the console's own page, as far as the browser says. */
  isOwnPage(request: FastifyRequest): boolean;
}

/** @param isOwnOrigin whether an origin is one of this server, by the `Host` of the request */
export function createClaims(
  cookies: Cookies,
  resolve: ResolveSession,
  isOwnOrigin: (origin: string, host: string | undefined) => boolean,
): SessionClaims {
  function isOwnPage({ raw: { headers } }: FastifyRequest): boolean {
    const asked = headers[HEADER];
    if (asked !== "1" && asked !== "live") return false;
    const site = headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin") return false;
    return headers.origin === undefined || isOwnOrigin(headers.origin, headers.host);
  }

  function claim(request: FastifyRequest, isAgain = false): FindActor | undefined {
    const asked = request.raw.headers[HEADER];
    // Hot path: a request that does not come from the console ends here.
    if (asked === undefined || !isOwnPage(request)) return undefined;
    const cookie = cookies.read(request, "session");
    const as = request.raw.headers[AS_HEADER];
    // A page that shows a token as signed in does not become the anonymous token when its session is over.
    if (cookie === undefined) return as === undefined ? undefined : () => undefined;
    if (cookie === "damaged") return () => undefined;
    return async (isCurrent) => {
      // Requests that the page makes by itself keep no session alive, and neither do long-running ones.
      const actor = await resolve(cookie.value, asked === "1" && !isAgain, isCurrent);
      // Another window has signed in with another token, and this page does not know it yet: the request gets no actor.
      return as === undefined || actor?.accessorId === as ? actor : undefined;
    };
  }

  return { claim, isOwnPage };
}

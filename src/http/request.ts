/** Members that this program adds to Fastify's own types. There are no others. */
import type { Context } from "../context.ts";
import type { RouteRecord } from "./route-table.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What the services take; set by the authentication of the family, so absent on public routes. */
    ctx: Context;
    /** Of the monotonic clock, in milliseconds. */
    startedAt: number;
    /** The route that was found, or the record of all unknown ones. */
    route: RouteRecord;
  }

  interface FastifyContextConfig {
    /** Answered without a token. */
    public?: boolean;
    /** Not in the OpenAPI document. */
    undocumented?: boolean;
    /** Filled in when the route is registered. */
    route?: RouteRecord;
  }

  interface FastifyInstance {
    /** Where clients reach the server, without a slash at its end; undefined means as they asked. */
    publicUrl: string | undefined;
  }
}

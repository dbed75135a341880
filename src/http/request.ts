/** Members that this program adds to Fastify's own types. There are no others. */
import type { UseMemory } from "../records/uses/memory.ts";
import type { TSchema } from "typebox";
import type { Scope } from "../rights/scope.ts";
import type { Actor } from "../rights/actor.ts";
import type { Owners } from "../owners.ts";
import type { Refusals } from "../records/refusals/refusals.ts";
import type { Context } from "../context.ts";
import type { Refused } from "../refused.ts";
import type { LaneConnections } from "./lane/connections.ts";
import type { HttpLane } from "./lane/lane.ts";
import type { DocumentSharing } from "./jsonapi/documents.ts";
import type { Precondition } from "./jsonapi/preconditions.ts";
import type { Pool } from "../shared-pool.ts";
import type { ReadServices } from "./reads/services.ts";
import type { RouteRecord } from "./route-table.ts";
import type { RequestSpan } from "../tracing/tracing.ts";
import type { BodyConfig } from "./v1/body.ts";
import type { AskedScope } from "./v1/scope.ts";
import type { ReadOptions, ReadHeaders } from "./v1/reads/read-options.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Context that the services take. The authentication of the family sets it, so public routes have none. */
    ctx: Context;
    /** Start of the request on the monotonic clock, in milliseconds. */
    startedAt: number;
    /** The route that was found, or the record of all unknown ones. */
    route: RouteRecord;
    /** Its span, where requests are traced. */
    span: RequestSpan | undefined;
    /** Whether it waits for changes: how long that takes says nothing of the server. */
    isHeld: boolean;
    /** Whether it was answered by a failure that clients know and that is none of the server. */
    isExpected: boolean;
    /** Whether a transaction of this request was committed; see `commits.ts`. */
    hasCommitted: boolean;
    /** The owners of what it has written, of those that its caller may read; undefined when nobody does. */
    owners: readonly string[] | undefined;
    /** `/api/v2`: what its first transaction is made under. */
    precondition: Precondition | undefined;
    /** Denial of the request, for its line in the log. */
    refused: Refused | undefined;
    /** `/v1` only: where the request works; settled before the handler runs. */
    scope: Scope;
    /** `/v1` only: where query and headers want to work. */
    askedScope: AskedScope;
    /** `/v1` only, on reads: what was asked, once it has been put in words; see `reads/read.ts`. */
    asked: string | undefined;
    /** `/v1` only, on routes that are reads: how to answer. */
    readOptions: ReadOptions;
    /** `/v1` only, on reads: what the headers of the answer say, once that is known. */
    shown: ReadHeaders | undefined;
  }

  interface FastifyContextConfig {
    /** Answered without a token. */
    public?: boolean;
    /** A POST that asks and changes nothing: its success is logged as a read's is. */
    question?: boolean;
    /**
     * `/v1` and its siblings: a question whose handler gives its answer in the same turn, where it has no query; or what gives it
     * where it can, and else a function, without having begun anything.
     */
    inTurn?: true | ((request: FastifyRequest) => object);
    /** A read that is answered however much of what callers share is taken: for everybody who may ask, or for management. */
    outsideShares?: "always" | "management";
    /** `/v1`: a read with blocking and consistency parameters, and an index in its answers. */
    read?: boolean;
    /** `/v1`: a list that takes `ns=*`, every namespace that the caller may read. */
    anyNamespace?: boolean;
    /** `/v1`: what it is about lies in a partition and in none of its namespaces. */
    ofPartition?: boolean;
    /** `/v1`: it is about the caller's own token, and works where that lies. */
    ofCaller?: boolean;
    /** `/v1`: what to say when a segment of the path is empty, such as `Missing policy ID`. */
    missing?: string;
    /** `/v1`: how the body is decoded; without it a body is not looked at. */
    body?: BodyConfig;
    /** `/v1`: statuses with which this route refuses beside those of the family, for the OpenAPI document. */
    refusals?: readonly number[];
    /** `/api/v2`: a read of a document, and who may be given one that was made for another; see `documents.ts`. */
    document?: DocumentSharing;
    /** `/api/v2`: what its body is instead of a document; the route reads it as it arrives, and bounds it. */
    takes?: { readonly types: readonly string[]; readonly described: TSchema };
    /** Not in the OpenAPI document. */
    undocumented?: boolean;
    /** Filled in when the route is registered. */
    route?: RouteRecord;
  }

  interface FastifyInstance {
    /** Gathers what is refused, for the records. */
    refusals: Refusals;
    /** URL at which clients reach the server, without a slash at its end. Undefined: the URL of the request. */
    publicUrl: string | undefined;
    /** The bytes that are being sent. */
    sending: Pool;
    /** The lane in front of Node's HTTP server. */
    lane: HttpLane;
    /** Its connections; undefined before the server is ready. */
    laneConnections: LaneConnections | undefined;
    /** Services that the reads of both families share. */
    reads: ReadServices;
    /** Finds whose objects are that were written. */
    owners: Owners;
    /** Memory of the use ledger; undefined where none is kept. */
    useMemory: UseMemory | undefined;
    /**
     * Finds the current actor of a request, in the same turn where it is known. Each family has its own function.
     *
     * @throws AppError when the token is gone
     */
    actorOf(request: FastifyRequest): Promise<Actor> | Actor;
  }
}

/**
 * Requests as those for whom work is done: it ends at its next pause when the client has gone, but never once a transaction of
 * the request has begun. See `src/callers.ts`.
 */
import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import { leavePlaceOf } from "../../bounds.ts";
import { type WorkCaller, CallerGone, callerNow, type WorkOwner, workFor } from "../../callers.ts";
import type { Actor } from "../../rights/actor.ts";
import { networkOf } from "../../limits/network.ts";
import type { BodySender } from "./receiving.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** For whom its work is done; absent where it was refused before anything was asked. */
    caller: RequestCaller;
  }
}

/** All without a token, and all whose token is not known yet, are one group. */
const ANONYMOUS = "anonymous";

/** Returns the token that sends a request, or its address without one. */
function senderOf(actor: Actor | undefined, ip: string): BodySender {
  return actor === undefined || actor.anonymous
    ? { name: `address ${networkOf(ip)}`, isAnonymous: true }
    : { name: actor.accessorId, isAnonymous: false };
}

/** Returns whose share of the server a request takes. @param actor undefined as long as it is not known */
export function ownerOf(actor: Actor | undefined, ip: string): WorkOwner {
  const { name, isAnonymous } = senderOf(actor, ip);
  const scope = isAnonymous ? undefined : actor?.scope;
  return { name, group: scope === undefined ? ANONYMOUS : `${scope.partition}/${scope.namespace}` };
}

export class RequestCaller implements WorkCaller {
  private readonly request: FastifyRequest;
  private readonly response: ServerResponse;
  private hasBegun = false;
  private works = 0;
  private isClosed = false;
  private ending: AbortController | undefined;
  private told: (() => void)[] | undefined;

  constructor(request: FastifyRequest, response: ServerResponse) {
    this.request = request;
    this.response = response;
  }

  isGone(): boolean {
    const { response } = this;
    return !this.hasBegun && response.destroyed && !response.writableEnded;
  }

  get gone(): AbortSignal {
    return (this.ending ??= this.follow()).signal;
  }

  private follow(): AbortController {
    const ending = new AbortController();
    const look = (): void => {
      if (this.isGone()) ending.abort(new CallerGone());
    };
    if (this.response.destroyed) look();
    else this.response.once("close", look);
    return ending;
  }

  /** The token that sends the request; an address without one, or as long as it is not known who has it. */
  get sender(): BodySender {
    return senderOf(this.actor(), this.request.ip);
  }

  get owner(): WorkOwner {
    return ownerOf(this.actor(), this.request.ip);
  }

  private actor(): Actor | undefined {
    // Public routes have no caller.
    return (this.request.ctx as FastifyRequest["ctx"] | undefined)?.actor;
  }

  /** From now on the work comes to its end: a transaction begins. @throws {CallerGone} when there is nobody any more to begin it for */
  begin(): void {
    if (this.isGone()) throw new CallerGone();
    this.hasBegun = true;
  }

  /** Tells once the answer is out, or the client has gone, and nothing works for it any more. */
  onceOver(tell: () => void): void {
    if (this.told === undefined)
      this.response.once("close", () => {
        this.isClosed = true;
        this.look();
      });
    (this.told ??= []).push(tell);
  }

  private look(): void {
    if (this.works > 0 || !this.isClosed) return;
    for (const tell of this.told?.splice(0) ?? []) tell();
  }

  /** Counts work of the request until it is settled, however that ends. */
  count(work: Promise<unknown>): void {
    this.works += 1;
    const end = (): void => {
      this.works -= 1;
      if (this.works === 0) leavePlaceOf(this);
      this.look();
    };
    work.then(end, end);
  }
}

/**
 * Returns the owner whose share of the server a request takes. Undefined for a request that was rejected before its
 * caller was looked up.
 */
export function holderOf(request: FastifyRequest): WorkOwner | undefined {
  return (request.caller as RequestCaller | undefined)?.owner;
}

/** Begins a request: what is done for it from here on is done for its client. */
export function beginFor(request: FastifyRequest, reply: FastifyReply, goOn: () => void): void {
  request.caller = new RequestCaller(request, reply.raw);
  workFor(request.caller, goOn);
}

/** Whether the client went before its request was worked on; then there is nothing to do for it, and nobody to tell. */
export function hasLeft(request: FastifyRequest, reply: FastifyReply): boolean {
  if (!request.caller.isGone()) return false;
  reply.hijack();
  return true;
}

/** Whether what was thrown is the end of work whose client has gone; then there is nobody to tell. */
export function isNobodys(error: unknown, { caller }: FastifyRequest, reply: FastifyReply): boolean {
  if (!(error instanceof CallerGone) || !caller.isGone()) return false;
  reply.hijack();
  return true;
}

/** Sees to it that handlers work for the client of their request, and that it is known how long they do. */
export function trackCallers(app: FastifyInstance): void {
  app.decorateRequest("caller");
  // When a body was read, whose end is an event of the connection, nothing says any more for whom.
  app.addHook("preValidation", (request, reply, done) => {
    if (callerNow() === request.caller) done();
    else if (!hasLeft(request, reply)) workFor(request.caller, done);
  });
  app.addHook("onRoute", (route) => {
    // Without a body nothing is kept for as long as the handler works.
    if (route.method !== "GET") route.handler = counted(route.handler);
  });
}

function counted(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function working(request, reply) {
    const result: unknown = handler.call(this, request, reply);
    if (result instanceof Promise) request.caller.count(result);
    return result;
  };
}

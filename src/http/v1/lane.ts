/** Routes of `/v1` and its siblings that the lane answers: reads of now, and questions whose answer is known in the same turn. See `http/lane`. */
import type { FastifyInstance, FastifyReply, RouteOptions } from "fastify";
import type { Actor } from "../../rights/actor.ts";
import { isReserved } from "../../rights/reserved-secrets.ts";
import type { PermissionUse } from "../../rights/uses.ts";
import type { Database } from "../../storage/database.ts";
import { type CountsUses, withRecorder } from "../../records/uses/recorder.ts";
import type { LaneRequest, LaneResult, LaneRoute } from "../lane/route.ts";
import type { ActorForToken } from "../jsonapi/jsonapi.ts";
import type { QueryParameters } from "../query.ts";
import { readAsked } from "./asked.ts";
import { readOptions } from "./reads/read-options.ts";
import type { Read } from "./reads/read.ts";
import { makeNow, readOf } from "./reads/serve.ts";
import { JSON_TYPE, renderJson } from "./render.ts";
import { type Edition, tokenOf } from "./scope.ts";

type Answered = ReturnType<LaneRoute["answer"]>;

/** Options of the family that the lane uses. */
interface Options {
  readonly db: Database;
  readonly now: () => number;
  readonly actorForToken: ActorForToken;
  readonly edition: Edition;
}

/**
 * Offers a route to the lane, where it is one of those. Before its handler is given the manners of the family.
 *
 * @param checkHead of a sibling; what it refuses is Node's to answer
 */
export function offerToLane(
  family: FastifyInstance,
  route: RouteOptions,
  options: Options,
  checkHead?: (request: LaneRequest) => void,
): void {
  const record = route.config?.route;
  if (record === undefined || record.public) return;
  const read = readOf(route.handler);
  const make = read === undefined ? questionOf(family, route) : (request: LaneRequest) => answerRead(read, request);
  if (make === undefined) return;
  const answer = (request: LaneRequest): Answered => {
    checkHead?.(request);
    return identify(options, request, make);
  };
  family.lane.offer({ record, family, answer });
}

/** The answer of a question that says of itself that it is given in the same turn. */
function questionOf(family: FastifyInstance, { config, handler }: RouteOptions) {
  const ask = config?.inTurn;
  if (ask === undefined) return undefined;
  return (request: LaneRequest): LaneResult | undefined => {
    const value: unknown = ask === true ? handler.call(family, request, NO_REPLY) : ask(request);
    const isLater = value instanceof Promise || typeof value === "function";
    return isLater ? undefined : { type: JSON_TYPE, body: renderJson(value) };
  };
}

/** Handlers that answer in turn are given their values back. */
const NO_REPLY = undefined as unknown as FastifyReply;

function answerRead(read: Read, request: LaneRequest): Answered {
  const made = makeNow(read, request);
  return made instanceof Promise ? made.then(resultOf) : resultOf(made);
}

function resultOf(made: Awaited<ReturnType<typeof makeNow>>): LaneResult | undefined {
  // A body that is kept as bytes is too long for the lane.
  if (made === undefined || typeof made.body !== "string") return undefined;
  return { type: JSON_TYPE, body: made.body, headers: made.headers };
}

function identify(options: Options, request: LaneRequest, make: (request: LaneRequest) => Answered): Answered {
  const secret = tokenOf(request.query as QueryParameters, request.raw.headers);
  if (isReserved(secret)) return undefined;
  const goOn = (actor: Actor | undefined): Answered =>
    actor === undefined ? undefined : asActor(options, request, actor, make);
  const found = options.actorForToken(secret);
  return found instanceof Promise ? found.then(goOn) : goOn(found);
}

function asActor(
  { db, now, edition }: Options,
  request: LaneRequest,
  actor: Actor,
  make: (request: LaneRequest) => Answered,
): Answered {
  request.asker.actor = actor;
  const { useMemory } = request.server;
  const held = useMemory && new HeldUses(useMemory);
  if (held !== undefined) request.onAnswer.push(() => held.count());
  const { id: requestId, server } = request;
  request.ctx = { db, actor: withRecorder(held?.holding, actor), requestId, log: server.log, now, leavesOwned: false };
  request.askedScope = {};
  const { config } = request.route;
  if (config.read === true)
    request.readOptions = readOptions(request.query as QueryParameters, request.raw.headers, false);
  const own = { around: request.askedScope, own: actor.scope };
  const { body, scope } = readAsked(config, request.bytes, own, edition);
  request.body = body;
  request.scope = scope;
  return make(request);
}

/** Uses that count once it is certain that the answer is given here: else Node's answer counts them. */
class HeldUses {
  readonly #memory: CountsUses;
  readonly #held: [Actor, PermissionUse][] = [];
  readonly holding: CountsUses = { count: (actor, use) => void this.#held.push([actor, use]) };

  constructor(memory: CountsUses) {
    this.#memory = memory;
  }

  count(): void {
    for (const [actor, use] of this.#held) this.#memory.count(actor, use);
  }
}

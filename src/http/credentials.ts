/** Who asks, from what a request presents. */
import type { FastifyRequest } from "fastify";
import type { Actor } from "../acl/actor.ts";

/**
 * Finds who it is, in the same turn where that is known; undefined when it is nobody, any more.
 *
 * @param isCurrent whether it has to be as of now, with all that any server wrote before; else it may be a second old
 */
export type FindActor = (isCurrent?: boolean) => Promise<Actor | undefined> | Actor | undefined;

/**
 * What a request presents that has no token: a session of the console. Undefined where it presents none that counts.
 *
 * @param isAgain whether it was asked before, for a request that goes on
 */
export type FindBySession = (request: FastifyRequest, isAgain?: boolean) => FindActor | undefined;

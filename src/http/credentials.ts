/** Types of the functions that find the caller of a request from its credentials. */
import type { FastifyRequest } from "fastify";
import type { Actor } from "../acl/actor.ts";

/**
 * Finds who it is, in the same turn where that is known; undefined when it is nobody, any more.
 *
 * @param isCurrent whether it has to be as of now, with all that any server wrote before; else it may be a second old
 */
export type FindActor = (isCurrent?: boolean) => Promise<Actor | undefined> | Actor | undefined;

/**
 * Finds the caller of a request without a token by its console session. Undefined when the request presents no valid
 * session.
 *
 * @param isAgain whether the caller was looked up before, for a request that continues
 */
export type FindBySession = (request: FastifyRequest, isAgain?: boolean) => FindActor | undefined;

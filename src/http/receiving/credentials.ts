/** Types of the functions that find the caller of a request from its credentials. */
import type { FastifyRequest } from "fastify";
import type { Actor } from "../../rights/actor.ts";

/**
 * Finds the caller, in the same turn where it is known. Undefined when the token or session is gone.
 *
 * @param isCurrent whether the result must include all earlier writes of any server; else it may be a second old
 */
export type FindActor = (isCurrent?: boolean) => Promise<Actor | undefined> | Actor | undefined;

/**
 * Finds the caller of a request without a token by its console session. Undefined when the request presents no valid
 * session.
 *
 * @param isAgain whether the caller was looked up before, for a request that continues
 */
export type FindBySession = (request: FastifyRequest, isAgain?: boolean) => FindActor | undefined;

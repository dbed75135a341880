import type { FastifyBaseLogger } from "fastify";
import type { Actor } from "./acl/actor.ts";
import type { Database } from "./storage/database.ts";

/** What a request carries: the first argument of every service function. */
export interface Context {
  db: Database;
  actor: Actor;
  requestId: string;
  log: FastifyBaseLogger;
  /** Milliseconds since the epoch; tests set it. */
  now: () => number;
}

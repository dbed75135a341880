import type { FastifyBaseLogger } from "fastify";
import type { Actor } from "./acl/actor.ts";
import type { Database } from "./storage/database.ts";

/** What a request carries: the first argument of every service function. */
export interface Context {
  db: Database;
  actor: Actor;
  requestId: string;
  log: FastifyBaseLogger;
  /** Whether the client leaves alone what directories of files own: so does what goes on after its request. */
  leavesOwned?: boolean;
  /** Milliseconds since the epoch; tests set it. */
  now: () => number;
}

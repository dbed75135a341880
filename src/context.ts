import type { FastifyBaseLogger } from "fastify";
import type { Actor } from "./rights/actor.ts";
import type { Database } from "./storage/database.ts";

/** Context of a request: the first argument of every service function. */
export interface Context {
  db: Database;
  actor: Actor;
  requestId: string;
  log: FastifyBaseLogger;
  /**
   * Whether the client does not change objects that directories of files own. Work that continues after its request
   * does not change them either.
   */
  leavesOwned?: boolean;
  /** Milliseconds since the epoch; tests set it. */
  now: () => number;
}

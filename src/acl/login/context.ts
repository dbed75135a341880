import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../../storage/database.ts";

/** What a login carries: who asks is not known yet. */
export interface LoginContext {
  db: Database;
  requestId: string;
  log: FastifyBaseLogger;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Where it comes from. */
  address: string;
}

import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../../storage/database.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import type { KeptNamespaceRules } from "../auth-methods/kept-namespace-rules.ts";
import type { Validators } from "../auth-methods/validators.ts";
import type { LoginLimits } from "./limits.ts";
import type { RefusalLog } from "./refusal-log.ts";
import type { RuleSets } from "./rule-sets.ts";

/** What logins share. */
export interface LoginServices {
  validators: Validators;
  /** Compiles the patterns of rules that are written. */
  regularExpressions: RegularExpressions;
  namespaceRules: KeptNamespaceRules;
  ruleSets: RuleSets;
  limits: LoginLimits;
  refusals: RefusalLog;
  datacenter: string;
  /** Nanoseconds that a token lives whose method says nothing; 0 for ever, undefined for what is usual for its type. */
  defaultTtl: bigint | undefined;
}

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

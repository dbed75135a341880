import type { FastifyBaseLogger } from "fastify";
import { parseCidr } from "../../outbound/cidr.ts";
import type { Database } from "../../storage/database.ts";
import { createValidators } from "../auth-methods/validators.ts";
import { createFailureLimit } from "./failure-limit.ts";
import { createRefusalLog } from "./refusal-log.ts";
import { createRuleSets } from "./rule-sets.ts";
import type { LoginServices } from "./settings.ts";

/** What the configuration says of logins; what it leaves out is as by default. */
export interface LoginConfig {
  datacenter: string;
  /** Refused logins a minute of one auth method and address; 0 for no limit. */
  loginFailureLimit?: number;
  /** Nanoseconds; 0 for ever. */
  defaultLoginTtl?: bigint;
  /** IP addresses and networks in CIDR notation. */
  outboundAllow?: readonly string[];
}

/** Makes what all logins of a server share. @param now milliseconds since the epoch, for what others assert */
export function createLoginServices(
  db: Database,
  now: () => number,
  log: FastifyBaseLogger,
  { datacenter, loginFailureLimit = 100, defaultLoginTtl = 0n, outboundAllow = [] }: LoginConfig,
): LoginServices {
  const monotonicNow = () => performance.now();
  return {
    validators: createValidators({
      db,
      outboundAllow: outboundAllow.map(parseCidr),
      now,
      onTrouble: (message, details) => log.warn(details, message),
    }),
    ruleSets: createRuleSets(db),
    failures: createFailureLimit({ perMinute: loginFailureLimit, now: monotonicNow }),
    refusals: createRefusalLog(monotonicNow, datacenter),
    datacenter,
    defaultTtl: defaultLoginTtl,
  };
}

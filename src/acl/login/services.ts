import { parseCidr } from "../../outbound/cidr.ts";
import { keepNamespaceRules } from "../auth-methods/namespace-rules.ts";
import { createValidators } from "../auth-methods/validators.ts";
import { createRegularExpressions } from "../bindings/regular-expressions.ts";
import { createLoginLimits, type LoginLimitsConfig, type LoginLimits } from "./limits.ts";
import { createRefusalLog, type RefusalLog } from "./refusal-log.ts";
import { createBindingRuleSets } from "./binding-rule-sets.ts";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../../storage/database.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import type { Deciding } from "./decide.ts";

/** What the configuration says of logins; what it leaves out is as by default. */
export interface LoginConfig extends LoginLimitsConfig {
  datacenter: string;
  /** Nanoseconds; 0 for ever. */
  defaultLoginTtl?: bigint | undefined;
  /** IP addresses and networks in CIDR notation. */
  outboundAllow?: readonly string[];
  /** IP addresses, with a port where it is not 53. */
  nameServers?: readonly string[];
}

/** Makes what all logins of a server share. @param now milliseconds since the epoch, for what others assert */
export function createLoginServices(
  db: Database,
  now: () => number,
  log: FastifyBaseLogger,
  { datacenter, defaultLoginTtl, outboundAllow = [], nameServers = [], ...limits }: LoginConfig,
): LoginServices {
  const monotonicNow = () => performance.now();
  // One cache, so one bound, for all rules.
  const regularExpressions = createRegularExpressions();
  return {
    validators: createValidators({
      db,
      outboundAllow: outboundAllow.map(parseCidr),
      nameServers,
      now,
      onTrouble: (message, details) => log.warn(details, message),
    }),
    regularExpressions: regularExpressions.strict,
    namespaceRules: keepNamespaceRules(regularExpressions.lazy),
    bindingRuleSets: createBindingRuleSets(db, regularExpressions.lazy),
    limits: createLoginLimits(limits, monotonicNow),
    refusals: createRefusalLog(monotonicNow, datacenter),
    datacenter,
    defaultTtl: defaultLoginTtl,
  };
}

/** What logins share. */
export interface LoginServices extends Deciding {
  /** Compiles the patterns of rules that are written. */
  regularExpressions: RegularExpressions;
  limits: LoginLimits;
  refusals: RefusalLog;
  /** Nanoseconds that a token lives whose method says nothing; 0 for ever, undefined for what is usual for its type. */
  defaultTtl: bigint | undefined;
}

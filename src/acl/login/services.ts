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

/** Configuration of logins; an unset member has its default. */
export interface LoginConfig extends LoginLimitsConfig {
  datacenter: string;
  /** Nanoseconds; 0: never expires. */
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

/** Services that all logins share. */
export interface LoginServices extends Deciding {
  /** Compiles the patterns of rules that are written. */
  regularExpressions: RegularExpressions;
  limits: LoginLimits;
  refusals: RefusalLog;
  /** TTL of tokens whose method sets none, in nanoseconds; 0: never expire; undefined: the default of the method's type. */
  defaultTtl: bigint | undefined;
}

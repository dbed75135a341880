import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import type { Deciding } from "./decide.ts";
import type { LoginLimits } from "./limits.ts";
import type { RefusalLog } from "./refusal-log.ts";

/** What logins share. */
export interface LoginServices extends Deciding {
  /** Compiles the patterns of rules that are written. */
  regularExpressions: RegularExpressions;
  limits: LoginLimits;
  refusals: RefusalLog;
  /** Nanoseconds that a token lives whose method says nothing; 0 for ever, undefined for what is usual for its type. */
  defaultTtl: bigint | undefined;
}

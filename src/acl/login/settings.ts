import type { Deciding } from "./decide.ts";
import type { LoginLimits } from "./limits.ts";
import type { RefusalLog } from "./refusal-log.ts";

/** What logins share. */
export interface LoginServices extends Deciding {
  limits: LoginLimits;
  refusals: RefusalLog;
  /** Nanoseconds that a token lives whose method says nothing; 0 for ever, undefined for what is usual for its type. */
  defaultTtl: bigint | undefined;
}

import type { AuthMethod } from "../auth-methods/store.ts";
import { OIDC } from "../auth-methods/types.ts";

/** Nanoseconds that a token lives whose method and whose server say nothing. */
const STANDARD_TTL = 24n * 60n * 60n * 1_000_000_000n;

/**
 * Types whose identities come and go, such as runs of a pipeline, and log in again. Those of the others log in when they
 * start and live on for as long as they like: their clients do not know how to do it again.
 */
const EXPIRING: ReadonlySet<string> = new Set(["jwt", OIDC]);

/**
 * How long the tokens of a method live, in nanoseconds; 0 for ever.
 *
 * @param standard what the server was told for methods that do not say it; undefined for nothing
 */
export function ttlOf(
  { maxTokenTtl, type }: Pick<AuthMethod, "maxTokenTtl" | "type">,
  standard: bigint | undefined,
): bigint {
  if (maxTokenTtl !== 0n) return maxTokenTtl;
  return standard ?? (EXPIRING.has(type) ? STANDARD_TTL : 0n);
}

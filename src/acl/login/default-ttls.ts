/** TTLs of login tokens of auth methods without a TTL. */
import { formatDuration } from "../../go/duration.ts";
import { typeNames } from "../auth-methods/validators.ts";
import { ttlOf } from "./service.ts";

/** Returns the TTL of tokens by the type of an auth method without a TTL, as a text; empty for tokens that never expire. */
export function defaultTtls(standard: bigint | undefined): Record<string, string> {
  const ttlOfType = (type: string) => ttlOf({ type, maxTokenTtl: 0n }, standard);
  const shown = (ttl: bigint) => (ttl === 0n ? "" : formatDuration(ttl));
  return Object.fromEntries(typeNames("enterprise").map((type) => [type, shown(ttlOfType(type))]));
}

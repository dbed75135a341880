/** TTL of tokens of auth methods without a TTL, as the server reports it. */
import { useSession } from "../../base/session.ts";

/** Returns the TTL for a type: empty for tokens that never expire, undefined while it is not known. */
export function useDefaultTtl(type: string): string | undefined {
  const session = useSession();
  const ttl = session?.SignedIn === true ? session.DefaultLoginTTLs?.[type] : undefined;
  // Go writes all units, as in 24h0m0s.
  return ttl?.replace(/(?<=m)0s$/, "").replace(/(?<=h)0m$/, "");
}

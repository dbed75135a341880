/** Whose a connection is, where that can be told by its address. */
import { covers, parseAddress, parseCidr } from "../outbound/cidr.ts";
import { refuseAddress } from "../outbound/reach.ts";
import type { Holder } from "../shared-pool.ts";
import { networkOf } from "./network.ts";

/** @param address of the other end of a connection; undefined where it has gone already */
export type FindPeer = (address: string | undefined) => Holder | undefined;

const PUBLIC_ONLY = { allow: [], mayUsePrivate: false };

/**
 * Makes what tells it. An address stands for one client only where it is known not to be a proxy's: it is public, or the
 * proxies have been named. Connections of a loopback or private address may be everybody's otherwise, and those of a named proxy are.
 *
 * @param trustedProxies ranges of addresses, as `--trusted-proxies` has them
 */
export function createFindPeer(trustedProxies: readonly string[]): FindPeer {
  const proxies = trustedProxies.map(parseCidr);
  return (address) => {
    const parsed = address === undefined ? undefined : parseAddress(address);
    if (address === undefined || parsed === undefined) return undefined;
    if (proxies.some((range) => covers(range, parsed))) return undefined;
    const isKnown = proxies.length > 0 || refuseAddress(address, PUBLIC_ONLY) === undefined;
    return isKnown ? { name: `address ${networkOf(address)}` } : undefined;
  };
}

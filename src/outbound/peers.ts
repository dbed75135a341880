/** Finds the owner of a connection by its address, where that is possible. */
import { covers, parseAddress, parseCidr } from "./cidr.ts";
import { refuseAddress } from "./reach.ts";
import type { PoolHolder } from "../shared-pool.ts";
import { networkOf } from "../limits/network.ts";

/** @param address of the other end of a connection; undefined where it has gone already */
export type FindPeer = (address: string | undefined) => PoolHolder | undefined;

const PUBLIC_ONLY = { allow: [], mayUsePrivate: false };

/**
 * Makes the function that finds it. An address stands for one client only if it is certainly not the address of a
 * proxy: it is public, or the proxies are known. Otherwise connections from a loopback or private address may belong to
 * any client. Connections from a known proxy always may.
 *
 * @param trustedProxies ranges of addresses, as in `--trusted-proxies`
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

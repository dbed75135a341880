import { isIPv4, isIPv6 } from "node:net";

/** For whom counts what a proxy wrote that is no address: all of these together, since whoever writes it can write another. */
const UNKNOWN = "unknown";
/** Groups of an IPv6 address that name the network of one client: a client with one address has 2^64 of them. */
const GROUPS = 4;

/**
 * Whom an address stands for, where clients are counted: an IPv4 address for itself, also where it is written as an IPv6 one,
 * and an IPv6 address for its network of 64 bits, such as `2001:db8:0:1::/64`. A port, which some proxies write behind it, is
 * none of it: each connection has another.
 *
 * @param address as a connection or a trusted proxy says it
 */
export function networkOf(address: string): string {
  const [bare = ""] = withoutPort(address.trim()).split("%");
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return UNKNOWN;
  const groups = groupsIn(bare);
  if (isMapped(groups)) return groups.slice(6).flatMap(bytesOf).join(".");
  const network = groups.slice(0, GROUPS).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

/** The network of a provider or a site, in which one operator may have many addresses: 16 bits of IPv4, 32 of IPv6. */
export function wideNetworkOf(address: string): string {
  const own = networkOf(address);
  if (own === UNKNOWN) return UNKNOWN;
  if (isIPv4(own)) return `${own.split(".").slice(0, 2).join(".")}.0.0/16`;
  return `${own.split(":").slice(0, 2).join(":")}::/32`;
}

/** `1.2.3.4:5`, `[2001:db8::1]:5` and `[2001:db8::1]` without what is around the address. */
function withoutPort(address: string): string {
  const [, inBrackets, beforePort] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address) ?? [];
  return inBrackets ?? beforePort ?? address;
}

/** The eight groups of an IPv6 address. */
function groupsIn(address: string): number[] {
  const [front = "", back] = address.split("::");
  const groups = groupsOf(front);
  if (back === undefined) return groups;
  const behind = groupsOf(back);
  while (groups.length + behind.length < 8) groups.push(0);
  return [...groups, ...behind];
}

function isMapped(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

function bytesOf(group: number): number[] {
  return [group >> 8, group & 0xff];
}

/** The last part may be an IPv4 address, which is two groups. */
function groupsOf(text: string): number[] {
  const parts = text === "" ? [] : text.split(":");
  return parts.flatMap((part) => {
    if (!part.includes(".")) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split(".").map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

/** Key of a client: one network at one auth method; `methodId` is empty where none is meant. */
export function clientKey(methodId: string, address: string): string {
  return `${methodId} ${networkOf(address)}`;
}

import { isIPv4, isIPv6 } from "node:net";

/** What is no address, such as what a proxy wrote, is cut to this. */
const LONGEST = 64;
/** Of the network of one client: whoever has one IPv6 address has 2^64 of them. */
const GROUPS = 4;

/**
 * Whom an address stands for, where clients are counted: an IPv4 address for itself, also where it is written as an IPv6 one,
 * and an IPv6 address for its network of 64 bits, such as `2001:db8:0:1::/64`.
 *
 * @param address as a connection or a trusted proxy says it
 */
export function networkOf(address: string): string {
  const [bare = ""] = address.split("%");
  if (isIPv4(bare)) return bare;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(bare)) return address.slice(0, LONGEST);
  return `${firstGroups(bare).join(":")}::/64`;
}

function firstGroups(address: string): string[] {
  const [front = "", back] = address.split("::");
  const groups = groupsOf(front);
  if (back !== undefined) {
    // Of a last part like `1.2.3.4` there are two groups; they are never among the first four.
    const behind = groupsOf(back).flatMap((group) => (group.includes(".") ? [group, group] : [group]));
    while (groups.length + behind.length < 8) groups.push("0");
    groups.push(...behind);
  }
  return groups.slice(0, GROUPS).map((group) => Number.parseInt(group, 16).toString(16));
}

function groupsOf(text: string): string[] {
  return text === "" ? [] : text.split(":");
}

import { isIP } from "node:net";

/** IPv4 addresses are numbers of 128 bits as well, spelled inside IPv6 as `::ffff:a.b.c.d`: so both spellings are the same. */
const MAPPED = 0xffffn;

/**
 * Reads an IP address.
 *
 * @param text in the spellings of `node:net`; the zone of an IPv6 address is left out
 * @returns 128 bits, an IPv4 address as IPv6 maps it; undefined when it is no address
 */
export function parseAddress(text: string): bigint | undefined {
  const [address = ""] = text.split("%");
  switch (isIP(address)) {
    case 4:
      return mapIpv4(parseIpv4(address));
    case 6:
      return parseIpv6(address);
    default:
      return undefined;
  }
}

/** Whether these 128 bits are an IPv4 address. */
export function isIpv4(address: bigint): boolean {
  return address >> 32n === MAPPED;
}

/** The 128 bits of an IPv4 address. @param bits 32 of them */
export function mapIpv4(bits: bigint): bigint {
  return (MAPPED << 32n) | bits;
}

function parseIpv4(text: string): bigint {
  return text.split(".").reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function parseIpv6(text: string): bigint {
  const [before = "", after] = text.split("::");
  const head = groupsOf(before);
  const tail = groupsOf(after ?? "");
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array.from({ length: zeros }, () => 0n), ...tail].reduce(
    (bits, group) => (bits << 16n) | group,
    0n,
  );
}

/** Sixteen bits each; an IPv4 address at the end makes two. */
function groupsOf(text: string): bigint[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [BigInt(`0x${group}`)];
    const bits = parseIpv4(group);
    return [bits >> 16n, bits & 0xffffn];
  });
}

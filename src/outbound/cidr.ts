import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A range of addresses: those that have the first bits of this one. */
export interface Cidr {
  readonly address: Address;
  /** How many bits that are, of 32 or 128. */
  readonly length: number;
}

/**
 * Reads a range such as `10.0.0.0/8` or `fd00::/8`; an address alone is a range of one.
 *
 * @throws {Error} with one line that says what to write
 */
export function parseCidr(text: string): Cidr {
  const [, spelling = "", digits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(spelling);
  const bits = spelling.includes(":") ? 128 : 32;
  const length = Number(digits ?? bits);
  if (address === undefined || length > bits) {
    throw new Error(`invalid address range ${JSON.stringify(text)}: expected CIDR notation, such as 10.0.0.0/8`);
  }
  if (bits === 32 || !("octets" in address)) return { address, length };
  // IPv4 that is spelled inside IPv6; a range that is wider than all of it is one of IPv6.
  return length >= 96 ? { address, length: length - 96 } : { address: address.toIPv4MappedAddress(), length };
}

/** Whether an address lies in a range. Ranges of IPv6, such as `::/0`, hold no IPv4 addresses. */
export function covers({ address: first, length }: Cidr, address: Address): boolean {
  return first.kind() === address.kind() && address.match(first, length);
}

/** An IPv4 address is the same in both of its spellings: by itself, and inside IPv6 as `::ffff:a.b.c.d`. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Reads an IP address.
 *
 * @param text in the spellings of `node:net`, which has none for octal or short forms; the zone of an IPv6 address is left out
 * @returns undefined when it is no address
 */
export function parseAddress(text: string): Address | undefined {
  const [address = ""] = text.split("%");
  switch (isIP(address)) {
    case 4:
      return ipaddr.IPv4.parse(address);
    case 6:
      // The library takes `::1.2.3.4` for 1.2.3.4, to which it only leads. A URL's spelling has no dots.
      return ipaddr.process(new URL(`http://[${address}]`).hostname.slice(1, -1));
    default:
      return undefined;
  }
}

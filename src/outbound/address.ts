import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

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

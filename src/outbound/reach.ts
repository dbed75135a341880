/** Classifies addresses by their reach, and checks permissions to connect to them. */
import ipaddr from "ipaddr.js";
import { parseAddress, type Address, covers, parseCidr, type Cidr } from "./cidr.ts";

/** From the least guarded to the most. */
const REACHES = ["public", "private", "loopback", "forbidden"] as const;
type Reach = (typeof REACHES)[number];

interface Kind {
  readonly reach: Reach;
  /** With its article. */
  readonly name: string;
}

/** Permission to connect to public addresses, and to some others. */
export interface ReachRules {
  /** Ranges that it may connect to, except forbidden addresses. */
  readonly allow: readonly Cidr[];
  /** Whether it may connect to addresses that are not public, the machine itself aside. */
  readonly mayUsePrivate: boolean;
}

const METADATA = "a cloud's metadata address";
const DOCUMENTATION = "an address of documentation";

/** The first one that fits counts. What none names is public. */
const KINDS: readonly (Kind & { readonly range: Cidr })[] = [
  ...kinds("forbidden", [
    ["169.254.169.254", METADATA],
    ["100.100.100.200", METADATA],
    ["192.0.0.192", METADATA],
    ["168.63.129.16", METADATA],
    ["fd00:ec2::254", METADATA],
    ["fd20:ce::254", METADATA],
    ["fd00:42::42", METADATA],
    ["fd00:c1::a9fe:a9fe", METADATA],
    ["169.254.0.0/16", "a link-local address"],
    ["fe80::/10", "a link-local address"],
    ["0.0.0.0/8", "an unspecified address"],
    ["::", "an unspecified address"],
    ["224.0.0.0/4", "a multicast address"],
    ["ff00::/8", "a multicast address"],
    ["255.255.255.255", "the broadcast address"],
  ]),
  ...kinds("loopback", [
    ["127.0.0.0/8", "a loopback address"],
    ["::1", "a loopback address"],
  ]),
  ...kinds("private", [
    ["10.0.0.0/8", "a private address"],
    ["172.16.0.0/12", "a private address"],
    ["192.168.0.0/16", "a private address"],
    ["100.64.0.0/10", "a shared address"],
    ["192.0.0.0/24", "a reserved address"],
    ["192.0.2.0/24", DOCUMENTATION],
    ["198.51.100.0/24", DOCUMENTATION],
    ["203.0.113.0/24", DOCUMENTATION],
    ["192.88.99.0/24", "a relay's address"],
    ["198.18.0.0/15", "an address of benchmarks"],
    ["240.0.0.0/4", "a reserved address"],
    ["fc00::/7", "a private address"],
    ["fec0::/10", "a private address"],
    ["64:ff9b:1::/48", "a private address"],
    ["2001::/23", "a reserved address"],
    ["2001:db8::/32", DOCUMENTATION],
    ["3fff::/20", DOCUMENTATION],
    ["2002::/16", "a relay's address"],
  ]),
  ...kinds("public", [
    ["0.0.0.0/0", "a public address"],
    ["2000::/3", "a public address"],
    ["64:ff9b::/96", "a public address"],
  ]),
  // All the rest is given to nobody yet.
  ...kinds("private", [["::/0", "a reserved address"]]),
];

/** Ranges whose addresses stand for IPv4 addresses, and which of their 16 bits those are. */
const EMBEDDINGS: readonly { range: Cidr; embedded: (parts: readonly number[]) => readonly number[] }[] = [
  { range: parseCidr("64:ff9b::/96"), embedded: (parts) => parts.slice(6) },
  { range: parseCidr("64:ff9b:1::/48"), embedded: (parts) => parts.slice(6) },
  { range: parseCidr("::/96"), embedded: (parts) => parts.slice(6) },
  { range: parseCidr("::ffff:0:0:0/96"), embedded: (parts) => parts.slice(6) },
  { range: parseCidr("2002::/16"), embedded: (parts) => parts.slice(1, 3) },
  // Teredo: the server, and the client with its bits inverted.
  { range: parseCidr("2001::/32"), embedded: (parts) => parts.slice(2, 4) },
  { range: parseCidr("2001::/32"), embedded: (parts) => parts.slice(6).map((part) => part ^ 0xffff) },
];

/**
 * Says why somebody may not connect to an address, such as `a loopback address; allow it with --outbound-allow`.
 *
 * @param text an IP address
 * @returns undefined when it may
 */
export function refuseAddress(text: string, { allow, mayUsePrivate }: ReachRules): string | undefined {
  const address = parseAddress(text);
  if (address === undefined) return "not an IP address";
  const { reach, name } = kindOf(address);
  if (reach === "forbidden") return `${name}, which is never allowed`;
  const isOpen = reach === "public" || (reach === "private" && mayUsePrivate);
  if (isOpen || allow.some((range) => covers(range, address))) return undefined;
  return `${name}; allow it with --outbound-allow`;
}

/** An address that stands for another one is as guarded as the more guarded of the two. */
function kindOf(address: Address): Kind {
  const own = KINDS.find(({ range }) => covers(range, address)) ?? { reach: "forbidden", name: "an unknown address" };
  // It would stand for 0.0.0.1.
  if (own.reach === "loopback" || !("parts" in address)) return own;
  const meant = EMBEDDINGS.filter(({ range }) => covers(range, address)).map(({ embedded }) => {
    const { reach, name } = kindOf(ipv4Of(embedded(address.parts)));
    return { reach, name: `an address that maps to ${name}` };
  });
  return meant.reduce<Kind>((strictest, kind) => (rank(kind) > rank(strictest) ? kind : strictest), own);
}

function rank({ reach }: Kind): number {
  return REACHES.indexOf(reach);
}

function ipv4Of(parts: readonly number[]): Address {
  return new ipaddr.IPv4(parts.flatMap((part) => [part >> 8, part & 0xff]));
}

function kinds(reach: Reach, ranges: readonly (readonly [range: string, name: string])[]): (Kind & { range: Cidr })[] {
  return ranges.map(([range, name]) => ({ reach, name, range: parseCidr(range) }));
}

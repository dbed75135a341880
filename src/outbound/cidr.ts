import { isIpv4, parseAddress } from "./address.ts";

/** A range of addresses. */
export interface Cidr {
  /** What its addresses have in common, 128 bits as `parseAddress` gives them; those behind are zero. */
  readonly prefix: bigint;
  /** How many bits that are, of 128. */
  readonly length: number;
}

/**
 * Reads a range such as `10.0.0.0/8` or `fd00::/8`; an address alone is a range of one.
 *
 * @throws {Error} with one line that says what to write
 */
export function parseCidr(text: string): Cidr {
  const match = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text);
  const spelling = match?.[1] ?? "";
  const address = spelling.includes("%") ? undefined : parseAddress(spelling);
  // An address with a dot and no colon is IPv4, whose bits are the last ones.
  const skipped = spelling.includes(":") ? 0 : 96;
  const length = skipped + Number(match?.[2] ?? 128 - skipped);
  if (address === undefined || length > 128) {
    throw new Error(`${JSON.stringify(text)} is no range of addresses; write CIDR notation, such as 10.0.0.0/8`);
  }
  return { prefix: cut(address, length), length };
}

/** Whether an address lies in a range. Ranges of IPv6, such as `::/0`, hold no IPv4 addresses. */
export function covers({ prefix, length }: Cidr, address: bigint): boolean {
  return cut(address, length) === prefix && isIpv4(address) === (length >= 96 && isIpv4(prefix));
}

function cut(address: bigint, length: number): bigint {
  const behind = BigInt(128 - length);
  return (address >> behind) << behind;
}

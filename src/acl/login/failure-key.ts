import { hash } from "node:crypto";
import { parseAddress } from "../../outbound/cidr.ts";

/** Who is a client at a method: an IPv4 address is one, and so are 64 bits of an IPv6 address. */
export function clientKey(methodId: string, address: string): string {
  const parsed = parseAddress(address);
  if (parsed === undefined) return `${methodId} ${address}`;
  const name = parsed.toNormalizedString();
  return `${methodId} ${"parts" in parsed ? `${name.split(":", 4).join(":")}/64` : name}`;
}

/** What failures are counted by: a client, and whom it claims to be. @param subject of any length */
export function failureKey(client: string, subject: string): string {
  return `${client} ${hash("sha256", subject, "base64url").slice(0, 22)}`;
}

/** What logins of an identity are counted by, in the database too: it never changes. */
export function identityKey(methodId: string, subject: string): string {
  return hash("sha256", `${methodId}\n${subject}`, "base64url").slice(0, 22);
}

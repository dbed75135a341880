/** Subject of a token, as far as a method can distinguish its identities. */
import type { Identity, IdentityValue } from "../../selectors/identity.ts";
import { parseClaims, type Claims } from "../claims.ts";
import { unproven } from "../errors.ts";

/**
 * The identity that claims are about: the subject of an issuer. Without a subject it is what the method sees of it.
 *
 * @param fields the claims as the method maps them; undefined before they are
 */
export function subjectOf(claims: Claims, fields?: Identity): string {
  const [issuer, subject] = [claims.get("iss"), claims.get("sub")];
  const known = typeof issuer === "string" ? issuer : "";
  if (typeof subject === "string" && subject !== "") return JSON.stringify([known, subject]);
  return JSON.stringify([known, "", fields === undefined ? "" : plain(fields)]);
}

/** Such a subject without the claims that stand for it where it has no name: they may be anything. Others are shown as they are. */
export function namedSubject(subject: string): string {
  const [named] = /^\["(?:[^"\\]|\\.)*","(?:[^"\\]|\\.)*"(?=,)/.exec(subject) ?? [];
  return named === undefined ? subject : `${named}]`;
}

/** The subject of a token that nobody has proven anything of; empty when it says nothing. */
export function claimedSubject(token: string): string {
  return unproven(() => subjectOf(parseClaims(Buffer.from(token.split(".", 2)[1] ?? "", "base64url"))));
}

function plain(value: IdentityValue): unknown {
  return value instanceof Map ? Array.from(value, ([name, member]) => [name, plain(member)]) : value;
}

/** Tokens that may be used once (`JWTReplay`): what they are remembered by, and for how long. */
import type { Claims } from "../claims.ts";
import { IdentityError } from "../errors.ts";
import type { SingleUse } from "../validator.ts";

/** Each one is remembered until it ends, so it must end: seconds from now. */
const MAX_LIFETIME = 24 * 60 * 60;

/** So much longer it is remembered, in seconds: clocks of servers and of the database may differ. */
const MARGIN = 10 * 60;

/**
 * What a proven token is remembered by once it was used.
 *
 * @param end when it ends, in seconds since the epoch
 * @param now seconds since the epoch
 * @throws IdentityError when nothing tells it from others, or it lives too long to be remembered
 */
export function singleUse(claims: Claims, end: number, now: number): SingleUse {
  const id = claims.get("jti");
  if (typeof id !== "string" || id === "") {
    throw new IdentityError(
      'the token has no jti, without which it cannot be told whether it was used (JWTReplay "once")',
    );
  }
  if (end > now + MAX_LIFETIME) {
    throw new IdentityError(`the token is good for more than ${MAX_LIFETIME / 3600} h, too long for JWTReplay "once"`);
  }
  const issuer = claims.get("iss");
  return { id: JSON.stringify([typeof issuer === "string" ? issuer : "", id]), until: Math.ceil(end + MARGIN) * 1000 };
}

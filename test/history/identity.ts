import { signToken, type SigningKey } from "../support/key-server.ts";

/** The auth method by which clients log in. */
export const METHOD = "history";

/** A token as an identity provider would sign it for a client. @param key that the auth method knows */
export function bearerOf(key: SigningKey, subject: string): string {
  // Good for longer than a clock that jumps is wrong.
  const now = Math.floor(Date.now() / 1000);
  return signToken(key, { sub: subject, iat: now - 3600, exp: now + 36_000 });
}

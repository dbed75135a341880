/** Secrets that have a meaning of their own. */
import { RESERVED_PREFIX } from "./uuid.ts";

/** SecretID and AccessorID of the token that a request without one runs as. */
export const ANONYMOUS = { secretId: "anonymous", accessorId: `${RESERVED_PREFIX}02` };

/** Words that older versions gave a meaning; no token can have them as its secret. */
const WORDS: ReadonlySet<string> = new Set(["allow", "deny", "manage"]);

/** Whether the SecretID is a word that never names a token. */
export function isReserved(secret: string): boolean {
  return WORDS.has(secret);
}

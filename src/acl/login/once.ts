/** What holds for an identity and its credentials over all servers: part of the transaction that makes the token. */
import { AppError } from "../../errors.ts";
import { IdentityError } from "../../identities/errors.ts";
import type { SingleUse } from "../../identities/validator.ts";
import type { Transaction } from "../../storage/database.ts";
import { hasTokensOfIdentity } from "../tokens/login-store.ts";
import { identityKey } from "./failure-key.ts";
import { findUsedState, insertUsedState } from "./oidc-store.ts";

/** Nothing says when one of the tokens ends. */
const RETRY_SECONDS = 60;

/**
 * No token is taken away for a new one: those who share an identity, such as the copies of a service, would end each other's.
 *
 * @param most 0 for any number
 * @param now milliseconds since the epoch
 * @throws AppError `rate_limited` when the identity has so many living tokens
 */
export async function checkTokensOf(tx: Transaction, identity: string, most: number, now: number): Promise<void> {
  if (most === 0 || !(await hasTokensOfIdentity(tx, identity, most, now))) return;
  const text = `This identity has ${most} living login tokens already, as many as one may have`;
  throw new AppError("rate_limited", `${text}; log out, or wait until one expires`, {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/**
 * Notes that a credential was used that counts once; the note goes when it proves nothing any more.
 *
 * @throws IdentityError when it was used before
 */
export async function useOnce(tx: Transaction, methodId: string, singleUse: SingleUse | undefined): Promise<void> {
  if (singleUse === undefined) return;
  const id = `jti/${identityKey(methodId, singleUse.id)}`;
  if ((await findUsedState(tx, id)) !== undefined) {
    throw new IdentityError('the token was used before, and counts once (JWTReplay "once")');
  }
  insertUsedState(tx, { id, expires_at: singleUse.until });
}

/**
 * The state of a login by way of a browser: everything that the callback must
 * know again, sealed, so that nothing is stored for logins that never come
 * back. It counts for ten minutes and once: what was used is noted.
 */
import { randomBytes } from "node:crypto";
import { AppError, invalid } from "../../errors.ts";
import { IdentityError } from "../../identities/errors.ts";
import type { Database } from "../../storage/database.ts";
import type { Scope } from "../../rights/scope.ts";
import { changeIn } from "../kit/write.ts";
import { findUsedState, insertUsedState } from "./oidc-store.ts";
import type { LoginContext } from "./decide.ts";

export interface OidcState {
  methodId: string;
  redirectUri: string;
  /** The provider puts it into the ID token. */
  nonce: string;
  /** Code verifier of PKCE. */
  codeVerifier: string;
  /** Nonce that the client must present again; empty: none. */
  clientNonce: string;
  meta: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

const LIFETIME_MS = 10 * 60 * 1000;
const RANDOM_BYTES = 20;
/** The state travels in URLs. */
const MOST_LENGTH = 4096;
const PLACE = "login/oidc-state";

/** Makes a state, with what is random in it. @param now milliseconds since the epoch */
export function newState(
  input: Pick<OidcState, "methodId" | "redirectUri" | "clientNonce" | "meta">,
  now: number,
): OidcState {
  return {
    ...input,
    nonce: randomBytes(RANDOM_BYTES).toString("hex"),
    codeVerifier: randomBytes(RANDOM_BYTES * 2).toString("hex"),
    expiresAt: now + LIFETIME_MS,
  };
}

/** @throws AppError `invalid` when it is too long for a URL */
export async function sealState({ keyring }: Pick<Database, "keyring">, state: OidcState): Promise<string> {
  const sealed = await keyring.seal(JSON.stringify(state), PLACE);
  if (sealed.length > MOST_LENGTH)
    throw invalid("The total length of Meta, RedirectURI and ClientNonce is too large. Shorten Meta");
  return sealed;
}

/**
 * Opens a state that has come back.
 *
 * @throws IdentityError when it is none, or too old
 */
export async function openState(
  { keyring }: Pick<Database, "keyring">,
  sealed: string,
  now: number,
): Promise<OidcState> {
  if (!/^[A-Za-z0-9_-]{12}\.[A-Za-z0-9_-]+$/.test(sealed) || sealed.length > MOST_LENGTH) throw badState();
  let text: string;
  try {
    text = await keyring.open(sealed, PLACE);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw badState();
  }
  const state = JSON.parse(text) as OidcState;
  if (state.expiresAt <= now) throw badState();
  return state;
}

/**
 * Notes that a state is used, by its nonce: one state can be spelled in several ways. It is used up with any result: no
 * client can try codes with it.
 *
 * @param scope of its auth method
 * @throws IdentityError when it was used before
 */
export async function useState(ctx: Pick<LoginContext, "db">, scope: Scope, state: OidcState): Promise<void> {
  const { nonce, expiresAt } = state;
  await changeIn(ctx, scope, async (tx) => {
    if ((await findUsedState(tx, nonce)) !== undefined) throw badState();
    tx.unrecorded("the login itself is recorded, with every outcome");
    insertUsedState(tx, { id: nonce, expires_at: expiresAt });
  });
}

export function badState(): IdentityError {
  return new IdentityError("Provider login failed: Expired or missing OAuth state.");
}

/** Logins by way of a browser and an OpenID provider. Implements `/v1/acl/oidc`. */
import { timingSafeEqual } from "node:crypto";
import { invalid } from "../../errors.ts";
import { goQuote } from "../../go/quote.ts";
import { IdentityError } from "../../identities/errors.ts";
import { RedirectUriError, isOidcValidator, type OidcValidator } from "../../identities/oidc/oidc-validator.ts";
import type { Validator } from "../../identities/validator.ts";
import { listMethodsOfType, type AuthMethod, type PublicMethod } from "../auth-methods/store.ts";
import { OIDC } from "../auth-methods/validators.ts";
import type { Scope } from "../../rights/scope.ts";
import type { LinkedToken } from "../tokens/linked.ts";
import { badState, newState, openState, sealState, useState, type OidcState } from "./oidc-state.ts";
import { refusalOf, type LoginContext } from "./decide.ts";
import { refusedLogin } from "./refused-login.ts";
import { findLoginMethod, login } from "./service.ts";
import type { LoginServices } from "./services.ts";

export interface UrlRequest {
  scope: Scope;
  authMethod: string;
  redirectUri: string;
  clientNonce: string;
  meta: Readonly<Record<string, string>>;
}

/**
 * Returns the URL to which the browser of the user must go. Stores nothing.
 *
 * @throws AppError `invalid`, `forbidden` for a redirect URI that the method does not allow, `unavailable`
 */
export async function authUrl(ctx: LoginContext, services: LoginServices, request: UrlRequest): Promise<string> {
  const method = await findLoginMethod(ctx, request);
  const { redirectUri, clientNonce, meta } = request;
  try {
    const validator = oidcValidatorOf(method, await services.validators.of(method));
    validator.checkRedirectUri(redirectUri);
    const state = newState({ methodId: method.id, redirectUri, clientNonce, meta }, ctx.now());
    const { nonce, codeVerifier } = state;
    return await validator.authUrl({ redirectUri, nonce, codeVerifier, state: await sealState(ctx.db, state) });
  } catch (error) {
    if (error instanceof RedirectUriError && redirectUri === "") throw invalid(error.message);
    const refusal = refusalOf(error, ctx);
    if (refusal?.code === "forbidden") refusal.refused = refusedLogin(method, "", error as Error);
    throw refusal ?? error;
  }
}

export interface CallbackRequest {
  scope: Scope;
  authMethod: string;
  state: string;
  code: string;
  clientNonce: string;
}

/**
 * Logs in with the code that the provider gave.
 *
 * @throws AppError as `login` does; `forbidden` when the state is not one of this method, too old or used
 */
export async function callback(
  ctx: LoginContext,
  services: LoginServices,
  request: CallbackRequest,
): Promise<LinkedToken> {
  const { scope, authMethod, code, state: sealed } = request;
  let meta: OidcState["meta"] = {};
  return login(ctx, services, {
    scope,
    authMethod,
    bearerToken: "",
    how: "OIDC login",
    meta: () => meta,
    async prove(method, validator) {
      const provider = oidcValidatorOf(method, validator);
      if (code === "") throw new IdentityError("Provider login failed: OAuth code parameter not provided");
      const state = await openState(ctx.db, sealed, ctx.now());
      // The state of an earlier method proves nothing for a later method of the same name.
      if (state.methodId !== method.id || !isSameText(state.clientNonce, request.clientNonce)) throw badState();
      meta = state.meta;
      await useState(ctx, method.scope, state);
      const { redirectUri, nonce, codeVerifier } = state;
      return provider.exchange({ code, redirectUri, nonce, codeVerifier });
    },
  });
}

function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** @throws IdentityError for a method of another type */
function oidcValidatorOf({ name }: AuthMethod, validator: Validator): OidcValidator {
  if (isOidcValidator(validator)) return validator;
  throw new IdentityError(`auth method ${goQuote(name)} is not of type ${OIDC}`);
}

/** Lists the methods of this type in a namespace, for a page on which users choose one: a user has no token yet. */
export function listOidcMethods({ db }: Pick<LoginContext, "db">, scope: Scope): Promise<PublicMethod[]> {
  return listMethodsOfType(db, scope, OIDC, MOST_LISTED);
}

/** Maximum number of methods on a page from which users choose. */
const MOST_LISTED = 1000;

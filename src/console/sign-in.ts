/** Signing in to the console and out of it, in the words of its page: by a token, by an auth method, by an OpenID provider. */
import type { FastifyRequest } from "fastify";
import { randomBytes } from "node:crypto";
import type { Actor } from "../rights/actor.ts";
import { loginContext } from "../acl/login/routes.ts";
import { authUrl, callback } from "../acl/login/oidc.ts";
import { checkBearer, login } from "../acl/login/service.ts";
import type { LoginServices } from "../acl/login/services.ts";
import { clientKey } from "../limits/network.ts";
import { DEFAULT_SCOPE, type Scope } from "../rights/scope.ts";
import { beginSession } from "../acl/sessions/service.ts";
import type { ConsoleSession } from "../acl/sessions/store.ts";
import { ANONYMOUS, isReserved } from "../rights/reserved-secrets.ts";
import { AppError } from "../errors.ts";
import { databaseOf } from "../http/sending/commits.ts";
import type { ActorForToken } from "../http/jsonapi/jsonapi.ts";
import { userAgentOf } from "../http/receiving/origin.ts";
import { chooseScope } from "../http/v1/scope.ts";
import { createKeyedLimit, type KeyedLimit } from "../limits/keyed-limit.ts";
import { UNKNOWN_TOKEN } from "../refused.ts";
import type { Database } from "../storage/database.ts";
import { OIDC_SECONDS } from "./cookies.ts";

export interface SignInOptions {
  db: Database;
  /** Milliseconds since the epoch. */
  now: () => number;
  actorForToken: ActorForToken;
  services: LoginServices;
  /** Wrong tokens a minute that one address may present; 0 for no limit. */
  failuresPerMinute: number;
}

/** Login that a page may request. */
export interface AskedLogin {
  authMethod: string;
  namespace: string;
  partition: string;
}

/** State of a login at a provider, which the browser keeps. */
interface OidcBegun extends AskedLogin {
  /** Also in the state, which the provider sends back: only the browser that began the login has both. */
  nonce: string;
  returnTo: string;
  expiresAt: number;
}

const NONCE_BYTES = 24;

/** Makes what signs in. */
export function createSignIn(options: SignInOptions) {
  return new ConsoleSignIn(options);
}

class ConsoleSignIn {
  readonly #db: SignInOptions["db"];
  readonly #now: SignInOptions["now"];
  readonly #actorForToken: SignInOptions["actorForToken"];
  readonly #services: SignInOptions["services"];
  readonly #failures: KeyedLimit;

  constructor({ db, now, actorForToken, services, failuresPerMinute }: SignInOptions) {
    this.#db = db;
    this.#now = now;
    this.#actorForToken = actorForToken;
    this.#services = services;
    this.#failures = createKeyedLimit({ perMinute: failuresPerMinute, now: () => performance.now() });
  }

  async byToken(request: FastifyRequest, secretId: string): Promise<ConsoleSession> {
    const key = clientKey("console", request.ip);
    const retryAfterSeconds = this.#failures.check(key);
    if (retryAfterSeconds !== undefined) {
      const text = `Too many unknown tokens from this address; retry in ${retryAfterSeconds} s`;
      throw new AppError("rate_limited", text, { retryAfterSeconds });
    }
    const isWord = secretId === ANONYMOUS.secretId || isReserved(secretId);
    const actor = isWord ? undefined : await this.#actorForToken(secretId);
    if (actor === undefined || actor.anonymous) {
      this.#failures.take(key);
      throw unknownToken();
    }
    this.#services.limits.signedIn(actor.accessorId);
    return this.#begin(request, secretId, false);
  }

  async byLogin(request: FastifyRequest, asked: AskedLogin, bearerToken: string): Promise<ConsoleSession> {
    checkBearer(bearerToken);
    const token = await login(loginContext(request, { db: this.#db, now: this.#now }), this.#services, {
      scope: scopeOf(asked),
      authMethod: asked.authMethod,
      bearerToken,
      how: "login",
      meta: () => META,
      prove: (_method, validator) => validator.verify(bearerToken),
    });
    return this.#begin(request, token.secretId, true);
  }

  async beginOidc(request: FastifyRequest, asked: AskedLogin, redirectUri: string, returnTo: string) {
    const nonce = randomBytes(NONCE_BYTES).toString("base64url");
    const begun: OidcBegun = { ...asked, nonce, returnTo, expiresAt: this.#now() + OIDC_SECONDS * 1000 };
    const url = await authUrl(loginContext(request, { db: this.#db, now: this.#now }), this.#services, {
      scope: scopeOf(asked),
      authMethod: asked.authMethod,
      redirectUri,
      clientNonce: nonce,
      meta: META,
    });
    return { url, kept: JSON.stringify(begun) };
  }

  async finishOidc(
    request: FastifyRequest,
    kept: string | undefined,
    { state, code }: { state: string; code: string },
  ) {
    const begun = kept === undefined ? undefined : (JSON.parse(kept) as OidcBegun);
    if (begun === undefined || begun.expiresAt <= this.#now()) throw notBegun();
    const token = await callback(loginContext(request, { db: this.#db, now: this.#now }), this.#services, {
      scope: scopeOf(begun),
      authMethod: begun.authMethod,
      state,
      code,
      clientNonce: begun.nonce,
    });
    return { session: await this.#begin(request, token.secretId, true), returnTo: begun.returnTo };
  }

  async #begin(request: FastifyRequest, secretId: string, madeByLogin: boolean): Promise<ConsoleSession> {
    const actor = await this.#actorForToken(secretId);
    if (actor === undefined || actor.anonymous) throw unknownToken();
    request.ctx = this.contextOf(request, actor);
    const userAgent = userAgentOf(request) ?? "";
    return beginSession(request.ctx, { secretId, madeByLogin, address: request.ip, userAgent });
  }

  contextOf(request: FastifyRequest, actor: Actor): FastifyRequest["ctx"] {
    return { db: databaseOf(this.#db, request), actor, requestId: request.id, log: request.log, now: this.#now };
  }
}

export type SignIn = ReturnType<typeof createSignIn>;

/** In the descriptions of the tokens that are made for it. */
const META = Object.freeze({ by: "console" });

/** @throws AppError `bad_parameter` on what cannot be a name */
export function scopeOf({ namespace, partition }: Pick<AskedLogin, "namespace" | "partition">): Scope {
  return chooseScope([{ namespace, partition }], DEFAULT_SCOPE, false);
}

function unknownToken(): AppError {
  return new AppError("forbidden", "Invalid or expired token", { refused: UNKNOWN_TOKEN });
}

function notBegun(): AppError {
  return new AppError("forbidden", "This sign-in was started in another browser or has expired. Start again");
}

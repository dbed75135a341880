import { databaseOf } from "../../http/sending/commits.ts";
import { AppError, invalid } from "../../errors.ts";
import { deleted, operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import { givenToken } from "../../http/v1/scope.ts";
import type { QueryParameters } from "../../http/query.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { logout } from "../tokens/login.ts";
import { checkMeta, checkBearer, login } from "./service.ts";
import { testDraftMethod } from "./draft-method.ts";
import { explainLogin, NOTHING_KNOWN } from "./explain.ts";
import {
  explainAnswer,
  draftFrom,
  explainBody,
  loginBody,
  renderExplanation,
  oidcCallbackBody,
  oidcMethodsAnswer,
  oidcUrlAnswer,
  oidcUrlBody,
} from "./schema.ts";
import type { LoginContext } from "./decide.ts";
import type { LoginServices } from "./services.ts";
import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { renderToken } from "../tokens/render.ts";
import { tokenAnswer } from "../tokens/schema.ts";
import { authUrl, callback, listOidcMethods } from "./oidc.ts";
import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";

export interface LoginRoutesOptions extends Pick<LoginContext, "db" | "now"> {
  services: LoginServices;
  renderScope: RenderScope;
}

/** The routes by which tokens are had for identities, and given back. */
export function loginRoutes({ db, now, services, renderScope }: LoginRoutesOptions): V1Routes {
  return (app, _options, done) => {
    const made = described("login", "Log in with an auth method", tokenAnswer, loginBody);
    app.post("/acl/login", { ...made, config: { ...made.config, ...MAKING } }, async (request) => {
      const { AuthMethod: authMethod = "", BearerToken = "", Meta = {} } = bodyOf(request, loginBody);
      checkBearer(BearerToken);
      checkMeta(Meta);
      const ctx = loginContext(request, { db, now });
      const token = await login(ctx, services, {
        scope: request.scope,
        authMethod,
        bearerToken: BearerToken,
        how: "login",
        meta: () => Meta,
        prove: (_method, validator) => validator.verify(BearerToken),
      });
      return renderToken(token, renderScope);
    });

    const logoutSchema = operation({
      operationId: "logout",
      summary: "Log out and delete the token",
      tag: "Login",
      answer: deleted,
    });
    app.post("/acl/logout", { config: { ofCaller: true, refusals: [401] }, schema: logoutSchema }, async (request) => {
      const isGiven = givenToken(request.query as QueryParameters, request.raw.headers) !== undefined;
      if (!isGiven && request.ctx.actor.session === undefined)
        throw new AppError("unauthenticated", "Supplied token does not exist");
      await logout(request.ctx);
      return true;
    });

    const test = described("explainLogin", "Test a login", explainAnswer, explainBody);
    const tests = { ...test, schema: { ...test.schema, description: "Requires acl:read." } };
    app.post("/acl/login/explain", tests, async (request) => {
      const { AuthMethod = "", Method, BearerToken, Identity, BindingRule } = bodyOf(request, explainBody);
      const { ctx, scope } = request;
      const draft = BindingRule && draftFrom(BindingRule);
      const asked = { scope, bearerToken: BearerToken, identity: Identity, draft };
      if (Method === undefined) {
        return renderExplanation(await explainLogin(ctx, services, { ...asked, authMethod: AuthMethod }), renderScope);
      }
      if (AuthMethod !== "") throw invalid("Set only one of AuthMethod and Method");
      const method = { type: Method.Type ?? "", config: Method.Config ?? {} };
      const tested = await testDraftMethod(ctx, services, { ...asked, method });
      return renderExplanation({ ...NOTHING_KNOWN, ...tested, method: { name: "" } }, renderScope);
    });
    done();
  };
}

/** Returns the context of a login. The caller is not known yet: a token that came with the request is ignored. */
export function loginContext(request: FastifyRequest, { db, now }: Pick<LoginContext, "db" | "now">): LoginContext {
  return { db: databaseOf(db, request), now, requestId: request.id, log: request.log, address: request.ip };
}

/** Options of routes that make tokens, for callers that have none. */
export const MAKING = { public: true, refusals: [409, 429] };

/** How a route of logins is configured. @param body what is sent; undefined for nothing */
export function described(operationId: string, summary: string, answer: TSchema, body?: TSchema) {
  return {
    config: body === undefined ? {} : { body: { schema: body, prefix: "Failed to decode request body: " } },
    schema: operation({ operationId, summary, tag: "Login", query: SCOPE_PARAMETERS.namespace, answer }),
  };
}

/** The routes of logins by way of a browser; none needs a token. */
export function oidcRoutes({ services, renderScope, ...base }: LoginRoutesOptions): V1Routes {
  return (app, _options, done) => {
    const begun = "Start a login with an OIDC provider";
    const url = described("makeOidcAuthUrl", begun, oidcUrlAnswer, oidcUrlBody);
    app.post("/acl/oidc/auth-url", { ...url, config: { ...url.config, public: true } }, async (request) => {
      const body = bodyOf(request, oidcUrlBody);
      const AuthURL = await authUrl(loginContext(request, base), services, {
        scope: request.scope,
        authMethod: body.AuthMethod ?? "",
        redirectUri: body.RedirectURI ?? "",
        clientNonce: body.ClientNonce ?? "",
        meta: body.Meta ?? {},
      });
      return { AuthURL };
    });

    const finished = "Complete a login with an OIDC provider";
    const made = described("finishOidcLogin", finished, tokenAnswer, oidcCallbackBody);
    app.post("/acl/oidc/callback", { ...made, config: { ...made.config, ...MAKING } }, async (request) => {
      const body = bodyOf(request, oidcCallbackBody);
      const token = await callback(loginContext(request, base), services, {
        scope: request.scope,
        authMethod: body.AuthMethod ?? "",
        state: body.State ?? "",
        code: body.Code ?? "",
        clientNonce: body.ClientNonce ?? "",
      });
      return renderToken(token, renderScope);
    });

    const choice = "List the auth methods for console sign-in";
    const { schema } = described("listOidcAuthMethods", choice, oidcMethodsAnswer);
    app.get("/internal/ui/oidc-auth-methods", { config: { public: true }, schema }, async (request) => {
      const methods = await listOidcMethods(base, request.scope);
      return methods.map(({ name, displayName, type, scope }) => ({
        Name: name,
        DisplayName: displayName || undefined,
        Type: type,
        Kind: type,
        ...renderScope(scope),
      }));
    });
    done();
  };
}

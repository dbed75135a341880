import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import { renderToken, tokenAnswer } from "../tokens/schema.ts";
import { authUrl, callback, listOidcMethods } from "./oidc.ts";
import { loginContext, type LoginRoutesOptions } from "./routes.ts";
import { oidcCallbackBody, oidcMethodsAnswer, oidcUrlAnswer, oidcUrlBody } from "./schema.ts";

const PREFIX = "Failed to decode request body: ";
const TAG = "Login";

/** The routes of logins by way of a browser; none needs a token. */
export function oidcRoutes({ services, renderScope, ...base }: LoginRoutesOptions): V1Routes {
  return (app, _options, done) => {
    const query = SCOPE_PARAMETERS.namespace;
    const urlSchema = operation({
      operationId: "makeOidcAuthUrl",
      summary: "Begin a login by way of an OpenID provider",
      tag: TAG,
      query,
      answer: oidcUrlAnswer,
    });
    const urlConfig = { public: true, body: { schema: oidcUrlBody, prefix: PREFIX } };
    app.post("/acl/oidc/auth-url", { config: urlConfig, schema: urlSchema }, async (request) => {
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

    const callbackSchema = operation({
      operationId: "finishOidcLogin",
      summary: "Make a token with the code that the OpenID provider gave",
      tag: TAG,
      query,
      answer: tokenAnswer,
    });
    const callbackConfig = { public: true, refusals: [429], body: { schema: oidcCallbackBody, prefix: PREFIX } };
    app.post("/acl/oidc/callback", { config: callbackConfig, schema: callbackSchema }, async (request) => {
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

    const listSchema = operation({
      operationId: "listOidcAuthMethods",
      summary: "List the auth methods by which people can log in",
      tag: TAG,
      query,
      answer: oidcMethodsAnswer,
    });
    app.get("/internal/ui/oidc-auth-methods", { config: { public: true }, schema: listSchema }, async (request) => {
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

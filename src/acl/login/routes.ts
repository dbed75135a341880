import { notingCommits } from "../../http/commits.ts";
import type { FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { deleted, operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import { givenToken } from "../../http/v1/scope.ts";
import type { Query } from "../../http/query.ts";
import type { RenderScope } from "../render-scope.ts";
import { logout } from "../tokens/login.ts";
import { renderToken, tokenAnswer } from "../tokens/schema.ts";
import { checkMeta } from "./description.ts";
import { explainLogin } from "./explain.ts";
import { explainAnswer, explainBody, loginBody, renderExplanation } from "./schema.ts";
import { checkBearer, login } from "./service.ts";
import type { LoginContext } from "./context.ts";
import type { LoginServices } from "./services.ts";

const PREFIX = "Failed to decode request body: ";
const TAG = "Login";

export interface LoginRoutesOptions extends Pick<LoginContext, "db" | "now"> {
  services: LoginServices;
  renderScope: RenderScope;
}

/** The routes by which tokens are had for identities, and given back. */
export function loginRoutes({ db, now, services, renderScope }: LoginRoutesOptions): V1Routes {
  return (app, _options, done) => {
    const loginSchema = operation({
      operationId: "login",
      summary: "Make a token for an identity that an auth method proves",
      tag: TAG,
      query: SCOPE_PARAMETERS.namespace,
      answer: tokenAnswer,
    });
    const loginConfig = { public: true, refusals: [429], body: { schema: loginBody, prefix: PREFIX } };
    app.post("/acl/login", { config: loginConfig, schema: loginSchema }, async (request) => {
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
      summary: "Delete the token of the request, which a login must have made",
      tag: TAG,
      answer: deleted,
    });
    app.post("/acl/logout", { config: { ofCaller: true, refusals: [401] }, schema: logoutSchema }, async (request) => {
      if (givenToken(request.query as Query, request.raw.headers) === undefined)
        throw new AppError("unauthenticated", "Supplied token does not exist");
      await logout(request.ctx);
      return true;
    });

    const explainSchema = operation({
      operationId: "explainLogin",
      summary: "What a login would give, and why, without doing it; needs acl:read",
      tag: TAG,
      query: SCOPE_PARAMETERS.namespace,
      answer: explainAnswer,
    });
    const explainConfig = { body: { schema: explainBody, prefix: PREFIX } };
    app.post("/acl/login/explain", { config: explainConfig, schema: explainSchema }, async (request) => {
      const { AuthMethod = "", BearerToken, Identity } = bodyOf(request, explainBody);
      const asked = { scope: request.scope, authMethod: AuthMethod, bearerToken: BearerToken, identity: Identity };
      return renderExplanation(await explainLogin(request.ctx, services, asked), renderScope);
    });
    done();
  };
}

/** Nobody is known yet who asks: any token that came with the request counts for nothing. */
export function loginContext(request: FastifyRequest, { db, now }: Pick<LoginContext, "db" | "now">): LoginContext {
  return { db: notingCommits(db, request), now, requestId: request.id, log: request.log, address: request.ip };
}

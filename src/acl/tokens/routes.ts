import type { Static } from "typebox";
import { AppError } from "../../errors.ts";
import { bodyOf, type MergePatch } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { CAS_PARAMETER, operation } from "../../http/v1/operation.ts";
import { formatTime, ZERO_TIME } from "../../go/time.ts";
import { serveObject } from "../../http/v1/reads/serve.ts";
import type { Read } from "../../http/v1/reads/read.ts";
import { isPretty } from "../../http/v1/render.ts";
import { givenToken } from "../../http/v1/scope.ts";
import type { Query } from "../../http/query.ts";
import { casOf, objectRoutes } from "../object-routes.ts";
import type { RenderScope } from "../render-scope.ts";
import { grantsFrom, linksFrom, patchGrants } from "../schema.ts";
import { cloneToken, createToken, deleteToken, updateToken, type TokenContent } from "./service.ts";
import type { GivenTime } from "./check.ts";
import { AUTH_METHODS, POLICIES, ROLES, TOKENS } from "../kinds.ts";
import { expandToken, renderExpanded } from "./expanded.ts";
import type { AccessOptions } from "./resolve.ts";
import { renderToken, tokenAnswer, tokenBody, tokenListAnswer } from "./schema.ts";
import type { ReadOwnToken } from "./own.ts";
import { listTokens, readToken } from "./reads.ts";

const FILTERS = {
  policy: "Only tokens that link to the policy with this ID.",
  role: "Only tokens that link to the role with this ID.",
  servicename: "Only tokens with an identity for this service.",
  authmethod: "Only tokens that this auth method made.",
  "authmethod-ns": "Only tokens of auth methods in this namespace.",
};
const SELF = {
  config: { read: true, ofCaller: true },
  schema: operation({
    operationId: "readOwnToken",
    summary: "Read the token of the request",
    tag: "Tokens",
    query: { expanded: "Clients send it; one's own token is shown as it is stored all the same." },
    answer: tokenAnswer,
  }),
};

/** The routes of tokens. */
export function tokenRoutes(options: AccessOptions, readOwnToken: ReadOwnToken, renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    const { create } = objectRoutes(app, {
      noun: "token",
      plural: "tokens",
      paths: { one: "/acl/token", all: "/acl/tokens" },
      prefix: "Token decoding failed: ",
      key: "accessor",
      keyName: "AccessorID",
      keyMember: { name: "AccessorID", said: "Token Accessor ID" },
      order: "AccessorIDs",
      body: tokenBody,
      answer: tokenAnswer,
      listAnswer: tokenListAnswer,
      filters: FILTERS,
      readParameters: { expanded: "Also all policies and roles that the token has, by whatever way." },
      reads: READ,
      create(request, body) {
        const own = { accessorId: body.AccessorID || undefined, isLocal: body.Local ?? false };
        const input = { ...contentOf(body), ...repeated(body), ...own };
        return createToken(request.ctx, request.scope, input, casOf(request));
      },
      replace(request, accessor, body) {
        const isLocal = body.Local ?? false;
        const edit = () => ({ content: contentOf(body), ...repeated(body), isLocal, endsNever: false });
        return updateToken(request.ctx, request.scope, accessor, edit, casOf(request));
      },
      patch(request, accessor, patch) {
        const edit = (current: TokenContent & { isLocal: boolean }) => ({
          content: patched(current, patch),
          ...repeated(patch),
          isLocal: "Local" in patch ? (patch.Local ?? false) : current.isLocal,
          endsNever: patch.ExpirationTime === null,
        });
        return updateToken(request.ctx, request.scope, accessor, edit, casOf(request));
      },
      find: ({ ctx, scope }, accessor) => readToken(ctx, scope, accessor),
      remove: (request, accessor) => deleteToken(request.ctx, request.scope, accessor, casOf(request)),
      list({ ctx, scope, query }) {
        const { policy = "", role = "", servicename = "", authmethod = "" } = query as Query;
        const { "authmethod-ns": authMethodNamespace = "" } = query as Query;
        const filter = { policy, role, serviceName: servicename, authMethod: authmethod, authMethodNamespace };
        return listTokens(ctx, scope, filter);
      },
      renderListed: (token) => renderToken(token, renderScope),
      keyOf: ({ accessorId }) => accessorId,
      render: (token) => renderToken(token, renderScope),
      async renderRead({ ctx, query }, token) {
        const value = renderToken(token, renderScope);
        if (!("expanded" in (query as Query))) return value;
        return { ...value, ...renderExpanded(await expandToken(ctx, token, options), options, renderScope) };
      },
    });
    const clone = operation({
      operationId: "cloneToken",
      summary: "Make a token with the links of another",
      tag: "Tokens",
      params: { accessor: "AccessorID of the other token." },
      query: CAS_PARAMETER,
      answer: tokenAnswer,
    });
    app.put<ByAccessor>("/acl/token/:accessor/clone", { config: create.config, schema: clone }, async (request) => {
      const { Description = "" } = bodyOf(request, tokenBody);
      const { ctx, scope, params } = request;
      return renderToken(await cloneToken(ctx, scope, params.accessor, Description, casOf(request)), renderScope);
    });
    const self = serveObject({
      ...READ,
      sharing: "own",
      // It needs no right to the table; what changes it is what the caller's rights rest on.
      sight: () => "nothing",
      async find(request) {
        // Who presents no token acts as the anonymous one, and has none to be shown.
        if (request.ctx.actor.anonymous && givenToken(request.query as Query, request.raw.headers) === undefined) {
          throw new AppError("forbidden", "ACL not found");
        }
        const { token, json } = await readOwnToken(request.ctx);
        const value = isPretty(request) ? renderToken(token, renderScope) : undefined;
        return { key: token.accessorId, value, json, index: token.modifyIndex };
      },
    });
    app.get("/acl/token/self", SELF, self);
    done();
  };
}

/** They show the names of roles and policies, and secrets; those that a method made are gone with it. */
const READ: Pick<Read, "tables" | "partitionTables" | "sharing" | "awaitsMissing"> = {
  tables: [TOKENS, ROLES, POLICIES],
  partitionTables: [AUTH_METHODS],
  sharing: "brief",
  awaitsMissing: false,
};

type ByAccessor = { Params: { accessor: string } };
type Body = Static<typeof tokenBody>;

function contentOf(body: Body): TokenContent {
  return { ...grantsFrom(body), description: body.Description ?? "", roles: linksFrom(body.Roles) };
}

/** What a body may repeat of a stored token; a time that is not set is sent as the year 1. */
function repeated(body: Body | MergePatch<Body>) {
  return {
    secretId: body.SecretID || undefined,
    authMethod: body.AuthMethod ?? "",
    expirationTtl: body.ExpirationTTL ?? undefined,
    expirationTime: timeOf(body.ExpirationTime ?? undefined),
  };
}

function timeOf(nanoseconds: bigint | undefined): GivenTime | undefined {
  if (nanoseconds === undefined || nanoseconds === ZERO_TIME) return undefined;
  return { text: formatTime(nanoseconds), milliseconds: Math.floor(Number(nanoseconds / 1000n) / 1000) };
}

/** What the patch names is replaced, null empties it, all else stays. */
function patched(current: TokenContent, patch: MergePatch<Body>): TokenContent {
  const { Description = current.description } = patch;
  const roles = "Roles" in patch ? linksFrom(patch.Roles ?? []) : current.roles;
  return { ...patchGrants(current, patch), description: Description ?? "", roles };
}

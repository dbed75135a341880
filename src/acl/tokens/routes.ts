import type { FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { AppError } from "../../errors.ts";
import { bodyOf, patchOf, type MergePatch } from "../../http/v1/body.ts";
import { readCas } from "../../http/v1/cas.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { CAS_PARAMETER, operation, undocumented } from "../../http/v1/operation.ts";
import { formatTime, ZERO_TIME } from "../../go/time.ts";
import { serveList } from "../../http/v1/reads/listing.ts";
import { paramsOf, serveObject } from "../../http/v1/reads/object.ts";
import { isPretty } from "../../http/v1/render.ts";
import { givenToken } from "../../http/v1/token.ts";
import type { Query } from "../../http/query.ts";
import { objectOperations } from "../operations.ts";
import type { RenderScope } from "../render-scope.ts";
import { grantsFrom, linksFrom, patchGrants } from "../schema.ts";
import { cloneToken, createToken, deleteToken, updateToken, type TokenContent } from "./change.ts";
import type { GivenTime } from "./check.ts";
import { AUTH_METHODS } from "../auth-methods/lookup.ts";
import { POLICIES } from "../policies/lookup.ts";
import { ROLES } from "../roles/lookup.ts";
import { expandToken, renderExpanded } from "./expanded.ts";
import type { AccessSettings } from "./resolve.ts";
import { TOKENS } from "./lookup.ts";
import { renderToken, tokenAnswer, tokenBody, tokenListAnswer } from "./schema.ts";
import type { ReadOwnToken } from "./own.ts";
import { listTokens, readToken, type LinkedToken } from "./service.ts";

const FILTERS = {
  policy: "Only tokens that link to the policy with this ID.",
  role: "Only tokens that link to the role with this ID.",
  servicename: "Only tokens with an identity for this service.",
  authmethod: "Only tokens that this auth method made.",
  "authmethod-ns": "Only tokens of auth methods in this namespace.",
};
const OPERATIONS = objectOperations({
  noun: "token",
  plural: "tokens",
  prefix: "Token decoding failed: ",
  key: "accessor",
  keyName: "AccessorID",
  order: "AccessorIDs",
  body: tokenBody,
  answer: tokenAnswer,
  listAnswer: tokenListAnswer,
  filters: FILTERS,
  readParameters: { expanded: "Also all policies and roles that the token has, by whatever way." },
});
const CLONE = {
  config: OPERATIONS.create.config,
  schema: operation({
    operationId: "cloneToken",
    summary: "Make a token with the links of another",
    tag: "Tokens",
    params: { accessor: "AccessorID of the other token." },
    query: CAS_PARAMETER,
    answer: tokenAnswer,
  }),
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
export function tokenRoutes(settings: AccessSettings, readOwnToken: ReadOwnToken, renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    const create = async (request: FastifyRequest) => {
      const body = bodyOf(request, tokenBody);
      const input = {
        ...contentOf(body),
        ...repeated(body),
        accessorId: body.AccessorID || undefined,
        isLocal: body.Local ?? false,
      };
      return renderToken(await createToken(request.ctx, request.scope, input, casOf(request)), renderScope);
    };
    app.put("/acl/token", OPERATIONS.create, create);
    // Clients that join paths end the path of a new object with a slash.
    app.put("/acl/token/", undocumented(OPERATIONS.create), create);
    app.put<ByAccessor>("/acl/token/:accessor", OPERATIONS.replace, async (request) => {
      const { accessor } = request.params;
      const body = bodyOf(request, tokenBody);
      checkAccessor(accessor, body.AccessorID);
      const edit = () => ({
        content: contentOf(body),
        ...repeated(body),
        isLocal: body.Local ?? false,
        endsNever: false,
      });
      return renderToken(await updateToken(request.ctx, request.scope, accessor, edit, casOf(request)), renderScope);
    });
    app.patch<ByAccessor>("/acl/token/:accessor", OPERATIONS.patch, async (request) => {
      const { accessor } = request.params;
      const patch = patchOf(request, tokenBody);
      checkAccessor(accessor, patch.AccessorID ?? undefined);
      const edit = (current: TokenContent & { isLocal: boolean }) => ({
        content: patched(current, patch),
        ...repeated(patch),
        isLocal: "Local" in patch ? (patch.Local ?? false) : current.isLocal,
        endsNever: patch.ExpirationTime === null,
      });
      return renderToken(await updateToken(request.ctx, request.scope, accessor, edit, casOf(request)), renderScope);
    });
    app.put<ByAccessor>("/acl/token/:accessor/clone", CLONE, async (request) => {
      const { Description = "" } = bodyOf(request, tokenBody);
      const { accessor } = request.params;
      const clone = await cloneToken(request.ctx, request.scope, accessor, Description, casOf(request));
      return renderToken(clone, renderScope);
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
    const byAccessor = serveObject({
      ...READ,
      keyOf: (request) => paramsOf<ByAccessor>(request).accessor.toLowerCase(),
      async find(request) {
        const { ctx, scope } = request;
        const token = await readToken(ctx, scope, paramsOf<ByAccessor>(request).accessor);
        const { accessorId: key } = token;
        const value = renderToken(token, renderScope);
        if (!("expanded" in (request.query as Query))) return { key, value };
        const expanded = renderExpanded(await expandToken(ctx, token, settings), settings, renderScope);
        return { key, value: { ...value, ...expanded } };
      },
    });
    app.get("/acl/token/:accessor", OPERATIONS.read, byAccessor);
    app.delete<ByAccessor>("/acl/token/:accessor", OPERATIONS.delete, async (request) => {
      await deleteToken(request.ctx, request.scope, request.params.accessor, casOf(request));
      return true;
    });
    const list = serveList({
      ...READ,
      of(request) {
        const { policy = "", role = "", servicename = "", authmethod = "" } = request.query as Query;
        const { "authmethod-ns": authMethodNamespace = "" } = request.query as Query;
        const filter = { policy, role, serviceName: servicename, authMethod: authmethod, authMethodNamespace };
        return {
          ...listTokens(request.ctx, request.scope, filter),
          render: (token: LinkedToken) => renderToken(token, renderScope),
        };
      },
    });
    app.get("/acl/tokens", OPERATIONS.list, list);
    done();
  };
}

/** They show the names of roles and policies, and secrets; those that a method made are gone with it. */
const READ = {
  tables: [TOKENS, ROLES, POLICIES],
  partitionTables: [AUTH_METHODS],
  sharing: "brief",
  awaitsMissing: false,
} as const;

type ByAccessor = { Params: { accessor: string } };
type Body = Static<typeof tokenBody>;

function casOf(request: FastifyRequest): number | undefined {
  return readCas(request.query as Query);
}

function checkAccessor(pathId: string, bodyId: string | undefined): void {
  if (bodyId && bodyId.toLowerCase() !== pathId.toLowerCase()) {
    throw new AppError("invalid", "Token Accessor ID in URL and payload do not match");
  }
}

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

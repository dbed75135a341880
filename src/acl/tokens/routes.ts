import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { AppError } from "../../errors.ts";
import { NO_TOKEN } from "../../refused.ts";
import { bodyOf, type MergePatch } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { CAS_PARAMETER, operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import { formatTime, ZERO_TIME } from "../../go/time.ts";
import { serveObject } from "../../http/v1/reads/serve.ts";
import type { Read } from "../../http/v1/reads/read.ts";
import { isPretty } from "../../http/v1/render.ts";
import { givenToken } from "../../http/v1/scope.ts";
import type { QueryParameters } from "../../http/query.ts";
import { readKey } from "../idempotency.ts";
import { foreignIdentities } from "../checks/datacenters.ts";
import { objectRoutes, patchedBy, targetOf } from "../kit/object-routes.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { grantsFrom, linksFrom } from "../kit/schema.ts";
import { checkUnsupported } from "../kit/unsupported.ts";
import { cloneToken, createToken, deleteToken, updateToken, type TokenInput } from "./service.ts";
import type { GivenTime } from "./check.ts";
import { AUTH_METHODS, NAMESPACES, POLICIES, ROLES, TOKENS } from "../../rights/kinds.ts";
import { expandToken, renderExpanded } from "./expanded.ts";
import type { AccessOptions } from "./resolve.ts";
import { renderToken } from "./render.ts";
import { rotateAnswer, rotateBody } from "./bulk-schema.ts";
import { revealToken } from "./reveal.ts";
import { rotateToken } from "./rotate.ts";
import { tokenAnswer, tokenBody, tokenListAnswer, tokenReadAnswer } from "./schema.ts";
import type { OwnToken, ReadOwnToken } from "./own.ts";
import { tokenFilter } from "./filters.ts";
import { TOKEN_TEXTS } from "./list-text.ts";
import { listTokens, readToken } from "./reads.ts";

const FILTERS = {
  policy: "Only tokens that link to the policy with this ID.",
  role: "Only tokens that link to the role with this ID.",
  servicename: "Only tokens with an identity for this service.",
  authmethod: "Only tokens that this auth method created.",
  "authmethod-ns": "Only tokens of auth methods in this namespace.",
  "unused-for": "Only tokens that were neither used nor created within this duration, in days, such as 90d.",
  "expires-before": "Only tokens that expire before this time, or within this duration, such as 7d.",
  "expires-after": "Only tokens that expire at this time or later, or not within this duration, such as 1d.",
  "used-within": "Only tokens whose last use was within this duration, in days, such as 30d.",
  used: "`ever` or `never`: only tokens that were used, or were never used.",
  expires: "`never`: only tokens that never expire.",
};
const SELF = {
  config: { read: true, ofCaller: true },
  schema: operation({
    operationId: "readOwnToken",
    summary: "Read the token of the request",
    tag: "Tokens",
    query: { expanded: "Accepted for compatibility; the token is returned without expansion." },
    answer: tokenAnswer,
  }),
};

/** The routes of tokens. */
export function tokenRoutes(options: AccessOptions, readOwnToken: ReadOwnToken, renderScope: RenderScope): V1Routes {
  return objectRoutes(
    {
      noun: "token",
      key: { parameter: "accessor", member: "AccessorID", name: "AccessorID", said: "Accessor ID" },
      order: "AccessorID",
      body: tokenBody,
      answer: tokenAnswer,
      readAnswer: tokenReadAnswer,
      listAnswer: tokenListAnswer,
      filters: FILTERS,
      readParameters: { expanded: "Include all policies and roles of the token, direct and inherited." },
      reads: READ,
      create(request, body) {
        const input = { ...inputFrom(body), ...repeated(body), accessorId: body.AccessorID || undefined };
        return createToken(request.ctx, targetOf(request), input);
      },
      inputFrom,
      patched: (current, patch) => ({
        ...patchedBy(inputFrom)(current, patch),
        isLocal: "Local" in patch ? (patch.Local ?? false) : current.isLocal,
      }),
      write: (request, accessor, edit, given) =>
        updateToken(request.ctx, targetOf(request, accessor), { ...repeated(given), edit }),
      find: ({ ctx, scope }, accessor) => readToken(ctx, scope, accessor),
      remove: (request, accessor) => deleteToken(request.ctx, targetOf(request, accessor)),
      list({ ctx, scope, query }) {
        const filter = tokenFilter(query as QueryParameters, ctx.now());
        return listTokens(ctx, scope, filter, { work: TOKEN_TEXTS, showsScope: renderScope(scope) !== undefined });
      },
      keyOf: ({ accessorId }) => accessorId,
      warningsOf: async (_request, token) => foreignIdentities(token, options.datacenter),
      render: (token) => renderToken(token, renderScope),
      async renderRead(request, token) {
        const value = renderToken(token, renderScope);
        if (!isExpanded(request)) return value;
        return { ...value, ...renderExpanded(await expandToken(request.ctx, token, options), options, renderScope) };
      },
    },
    (app, { create }) => {
      addRoutesOfOne(app, create.config, renderScope);
      app.get("/acl/token/self", SELF, serveSelf(readOwnToken, renderScope));
    },
  );
}

const CLONE = operation({
  operationId: "cloneToken",
  summary: "Clone a token",
  tag: "Tokens",
  params: { accessor: "AccessorID of the other token." },
  query: CAS_PARAMETER,
  answer: tokenAnswer,
});
const ROTATE = {
  config: {
    body: { schema: rotateBody, prefix: "Token decoding failed: ", optional: true as const },
    refusals: [409, 429],
  },
  schema: operation({
    operationId: "rotateToken",
    summary: "Rotate the secret of a token",
    description: "The old secret stays valid for the overlap.",
    tag: "Tokens",
    params: { accessor: "AccessorID of the token." },
    query: { ...SCOPE_PARAMETERS.namespace, ...CAS_PARAMETER },
    headers: {
      "Idempotency-Key":
        "Idempotency key. A repeated rotation with this key within ten minutes returns the first response.",
    },
    answer: rotateAnswer,
  }),
};
const REVEAL = {
  config: { refusals: [409] },
  schema: operation({
    operationId: "revealToken",
    summary: "Read a token with its SecretID",
    description: "The read is audited. Not available in console sessions.",
    tag: "Tokens",
    params: { accessor: "AccessorID of the token." },
    query: SCOPE_PARAMETERS.namespace,
    answer: tokenAnswer,
  }),
};

/** Adds the routes of one token that no other kind has. @param config of the route that makes a token */
function addRoutesOfOne(app: FastifyInstance, config: FastifyContextConfig, renderScope: RenderScope): void {
  app.put<ByAccessor>("/acl/token/:accessor/clone", { config, schema: CLONE }, async (request) => {
    const body = bodyOf(request, tokenBody);
    checkNoName(body);
    const source = targetOf(request, request.params.accessor);
    return renderToken(await cloneToken(request.ctx, source, body.Description ?? ""), renderScope);
  });
  app.post<ByAccessor>("/acl/token/:accessor/rotate", ROTATE, async (request) => {
    const { Overlap = 0n } = bodyOf(request, rotateBody);
    const target = targetOf(request, request.params.accessor);
    const idempotencyKey = readKey(request.headers["idempotency-key"]);
    const { token, oldUntil } = await rotateToken(request.ctx, target, { overlap: Overlap, idempotencyKey });
    const until = oldUntil === undefined ? undefined : new Date(oldUntil).toISOString();
    return { ...renderToken(token, renderScope), OldSecretExpirationTime: until };
  });
  app.post<ByAccessor>("/acl/token/:accessor/reveal", REVEAL, async ({ ctx, scope, params }) =>
    renderToken(await revealToken(ctx, scope, params.accessor), renderScope),
  );
}

function serveSelf(readOwnToken: ReadOwnToken, renderScope: RenderScope) {
  return serveObject({
    ...READ,
    sharing: "own",
    // It needs no right to the table; what changes it is what the caller's rights rest on.
    sight: () => "nothing",
    find(request) {
      // A caller without a token acts as the anonymous one, which has no token to show.
      const given = givenToken(request.query as QueryParameters, request.raw.headers);
      if (request.ctx.actor.anonymous && given === undefined) {
        throw new AppError("forbidden", "ACL not found", { refused: NO_TOKEN });
      }
      const show = ({ token, json }: OwnToken) => {
        const value = isPretty(request) ? renderToken(token, renderScope) : undefined;
        return { key: token.accessorId, value, json, index: token.modifyIndex };
      };
      const own = readOwnToken(request.ctx, given ?? "");
      return own instanceof Promise ? own.then(show) : show(own);
    },
  });
}

/**
 * They show the names of roles and policies, and secrets, and an expanded one its namespace's defaults; those that a method
 * made are gone with it.
 */
const READ: Pick<Read, "tables" | "partitionTables" | "sharing" | "awaitsMissing"> = {
  tables: [TOKENS, ROLES, POLICIES],
  partitionTables: (request) => (isExpanded(request) ? [AUTH_METHODS, NAMESPACES] : [AUTH_METHODS]),
  sharing: "brief",
  awaitsMissing: false,
};

type ByAccessor = { Params: { accessor: string } };
type Body = Static<typeof tokenBody>;

function isExpanded({ query }: FastifyRequest): boolean {
  return "expanded" in (query as QueryParameters);
}

function inputFrom(body: Body): TokenInput {
  const { Description = "", Roles, Local = false } = body;
  checkNoName(body);
  return { ...grantsFrom(body), description: Description, roles: linksFrom(Roles), isLocal: Local };
}

function checkNoName({ Name }: Pick<Body, "Name">): void {
  checkUnsupported("Token", "Name", Name, "Use Description");
}

/** Members of a body that may repeat a stored token; an unset time is sent as the year 1. */
function repeated(body: MergePatch<Body>) {
  return {
    secretId: body.SecretID || undefined,
    authMethod: body.AuthMethod ?? "",
    expirationTtl: body.ExpirationTTL ?? undefined,
    expirationTime: timeOf(body.ExpirationTime ?? undefined),
    endsNever: body.ExpirationTime === null,
  };
}

function timeOf(nanoseconds: bigint | undefined): GivenTime | undefined {
  if (nanoseconds === undefined || nanoseconds === ZERO_TIME) return undefined;
  return { text: formatTime(nanoseconds), milliseconds: Math.floor(Number(nanoseconds / 1000n) / 1000) };
}

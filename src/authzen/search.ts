/**
 * Searches of the decision point (Authorization API 1.0, section 8): who may do this to it, what may the subject do this to, what
 * may it do to that. Each result is decided by the engine of evaluations; what is not known is never a result, though a prefix
 * would allow it.
 */
import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { checkPermission } from "../rights/permission.ts";
import { decide, type DecidingRights } from "../rights/rules/decide.ts";
import { NO_FACTS } from "../rights/rules/question.ts";
import { ACCESSES, isResource } from "../rights/rules/rule.ts";
import type { Scope } from "../rights/scope.ts";
import { SUBJECTS_WITH_ACCESS } from "./find.ts";
import type { PageRequest, Searched, SearchRequest } from "./request.ts";
import { isKnown, isStored, listExactNames, listResources, questionOf } from "./resources.ts";
import { isOwn, type DecisionPoint } from "./service.ts";
import { orNone } from "./subjects.ts";

/** Results of a page, with what the standard says of the page; without it when the request asks for none and all is there. */
export interface SearchAnswer {
  page?: { next_token: string; count: number };
  results: Readonly<Record<string, string>>[];
}

/** Results of a page whose request does not say how many. */
const DEFAULT_PAGE = 100;
/** Candidates that one request looks at; a page of few results leads on. */
const MAX_CANDIDATES = 20_000;
/** Candidates that one statement reads. */
const SLICE = 500;

interface Found {
  results: Readonly<Record<string, string>>[];
  /** Where the next page continues; undefined at the end. */
  next: string | undefined;
}

/**
 * Answers a search.
 *
 * @throws AppError `forbidden` without acl:read in the scope, unless it is about stored resources and the caller's own token;
 * `bad_parameter` for a token of another search; `rate_limited`
 */
export async function search(
  ctx: Context,
  point: DecisionPoint,
  scope: Scope,
  searched: Searched,
  request: SearchRequest,
): Promise<SearchAnswer> {
  const isFree = searched !== "subject" && isStored(request.resource.type) && isOwn(ctx, scope, request.subject);
  if (!isFree) checkPermission(ctx, scope, "acl", "read");
  const { page } = request;
  const digest = digestOf(scope, searched, request);
  const { after, limit } = openToken(page, digest);
  const { results, next } = await point.lane.run(ctx.actor, () =>
    FINDERS[searched]({ ctx, point, scope, request, after, limit }),
  );
  if (!page.isAsked && next === undefined) return { results };
  const token = next === undefined ? "" : writeToken(digest, limit, next);
  return { page: { next_token: token, count: results.length }, results };
}

interface Search {
  ctx: Context;
  point: DecisionPoint;
  scope: Scope;
  request: SearchRequest;
  after: string;
  limit: number;
}

const NOTHING: Found = { results: [], next: undefined };

const FINDERS: Readonly<Record<Searched, (search: Search) => Promise<Found>>> = {
  async subject({ ctx, point, scope, request: { subject, action, resource }, after, limit }) {
    const { type } = subject;
    const question = questionOf(resource, action.name, scope);
    if (question === undefined || (type !== "token" && type !== "role")) return NOTHING;
    if (!(await isKnown(ctx, scope, resource, point.options.edition))) return NOTHING;
    const { defaultPolicy, edition, datacenter } = point.options;
    const options = { defaultPolicy, edition, datacenter };
    const input = { question, options, scope, kind: type, after, size: limit + 1, now: ctx.now() } as const;
    const found = await ctx.db.apart(SUBJECTS_WITH_ACCESS, input);
    const shown = found.slice(0, limit);
    return {
      results: shown.map(({ id }) => ({ type, id })),
      next: found.length > limit ? shown.at(-1)?.key : undefined,
    };
  },

  async resource({ ctx, point, scope, request: { subject, action, resource }, after, limit }) {
    const { type } = resource;
    if (!isResource(type) || questionOf({ ...resource, id: "" }, action.name, scope) === undefined) return NOTHING;
    const all = await rightsOf({ ctx, point, scope, request: { subject } });
    if (all.length === 0) return NOTHING;
    const isAllowed = (id: string): boolean => mayAny(all, questionOf({ ...resource, id }, action.name, scope));
    const results: { type: string; id: string }[] = [];
    if (!isStored(type)) {
      const names = await listExactNames(ctx, scope, type, point.options.edition);
      const allowed = names.filter(({ key, name }) => key > after && isAllowed(name)).slice(0, limit + 1);
      const shown = allowed.slice(0, limit);
      return {
        results: shown.map(({ name }) => ({ type, id: name })),
        next: allowed.length > limit ? shown.at(-1)?.key : undefined,
      };
    }
    let at = after;
    for (let looked = 0; looked < MAX_CANDIDATES; looked += SLICE) {
      const { resources, last } = await listResources(ctx, type, at, SLICE);
      for (const { name, key } of resources) {
        if (!isAllowed(name)) continue;
        if (results.length === limit) return { results, next: at };
        results.push({ type, id: name });
        at = key;
      }
      if (last === undefined) return { results, next: undefined };
      at = last;
    }
    return { results, next: at };
  },

  async action({ ctx, point, scope, request: { subject, resource }, after, limit }) {
    const { type } = resource;
    if (!isResource(type) || !(await isKnown(ctx, scope, resource, point.options.edition))) return NOTHING;
    const all = await rightsOf({ ctx, point, scope, request: { subject } });
    const names = (ACCESSES.get(type) ?? []).filter(
      (access) => access > after && mayAny(all, questionOf(resource, access, scope)),
    );
    const sorted = names.toSorted();
    const shown = sorted.slice(0, limit);
    return { results: shown.map((name) => ({ name })), next: sorted.length > limit ? shown.at(-1) : undefined };
  },
};

function rightsOf({
  ctx,
  point,
  scope,
  request: { subject },
}: Pick<Search, "ctx" | "point" | "scope"> & { request: Pick<SearchRequest, "subject"> }): Promise<
  readonly DecidingRights[]
> {
  if (isOwn(ctx, scope, subject)) return Promise.resolve([ctx.actor.rights]);
  return point.subjects.rightsOf(ctx, scope, subject).catch(orNone);
}

function mayAny(all: readonly DecidingRights[], question: ReturnType<typeof questionOf>): boolean {
  return question !== undefined && all.some((rights) => decide(rights, question, NO_FACTS).allow);
}

/** All of a request that its other pages must repeat. */
function digestOf(scope: Scope, searched: Searched, { subject, action, resource }: SearchRequest): string {
  const asked = JSON.stringify([searched, scope.partition, scope.namespace, subject, action, resource]);
  return createHash("sha256").update(asked).digest("base64url").slice(0, 22);
}

function writeToken(digest: string, limit: number, after: string): string {
  return Buffer.from(JSON.stringify([digest, limit, after])).toString("base64url");
}

const MAX_TOKEN = 4096;

/** A later page has the limit of the first one, whether its request repeats that or not. @throws AppError `bad_parameter` */
function openToken({ token, limit }: PageRequest, digest: string): { after: string; limit: number } {
  if (token === "") return { after: "", limit: limit || DEFAULT_PAGE };
  let read: unknown;
  try {
    read = token.length > MAX_TOKEN ? undefined : JSON.parse(Buffer.from(token, "base64url").toString());
  } catch {
    read = undefined;
  }
  const [of, size, after] = Array.isArray(read) ? (read as unknown[]) : [];
  const isWhole =
    Number.isSafeInteger(size) && (size as number) > 0 && typeof after === "string" && after.isWellFormed();
  if (!isWhole || after.includes("\0"))
    throw new AppError("bad_parameter", "Invalid page.token: not a token of this server");
  if (of !== digest || (limit !== undefined && limit !== size)) {
    throw new AppError("bad_parameter", "Invalid page.token: it belongs to another search");
  }
  return { after, limit: size as number };
}

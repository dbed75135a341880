/**
 * Searches of the decision point (Authorization API 1.0, section 8): who may do this to it, what may the subject do this to, what
 * may it do to that. Each result is decided by the engine of evaluations; what is not known is never a result, though a prefix
 * would allow it.
 */
import { unnoted } from "../rights/authorize.ts";
import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { checkPermission } from "../rights/permission.ts";
import { decide, type DecidingRights } from "../rights/rules/decide.ts";
import { NO_FACTS, type RightsQuestion } from "../rights/rules/question.ts";
import { ACCESSES } from "../rights/rules/rule.ts";
import { isIn, type Scope } from "../rights/scope.ts";
import { SUBJECTS_WITH_ACCESS } from "./find.ts";
import { findableResources, findableSubjects, isConditional, type FindableResources } from "./findable.ts";
import { mappedActionsOf, translateQuestion, translateSubject, type Mappings } from "./mappings.ts";
import type { AuthzenEntity, SearchPage, Searched, SearchRequest } from "./request.ts";
import { isStored, knownIn, listResources, namesIn } from "./resources.ts";
import { IDENTITIES_WITH_ACCESS } from "./identities.ts";
import { isOwn, type DecisionPoint } from "./service.ts";
import { orNone } from "./subjects.ts";
import type { Scalars } from "../acl/decision-mappings/store.ts";
import { startTurn } from "../turns.ts";

/** Results of a page, with what the standard says of the page; without it when the request asks for none and all is there. */
export interface SearchAnswer {
  page?: { next_token: string; count: number };
  context?: { search: "rules" };
  results: Result[];
}

interface FoundEntity {
  readonly type: string;
  readonly id: string;
  /** Properties beside those of the request with which the resource has the access. */
  readonly properties?: Scalars;
}

/** A subject or resource, or an action. */
type Result = FoundEntity | { readonly name: string };

/** Results of a page whose request does not say how many. */
const DEFAULT_PAGE = 100;
/** Candidates that one request looks at; a page of few results leads on. */
const MAX_CANDIDATES = 20_000;
/** Candidates that one statement reads. */
const SLICE = 500;

interface Found {
  results: Result[];
  /** Start of the next page; undefined at the end. */
  next: string | undefined;
  /** Whether they are names in policy rules, which the caller must not take for a list of all that exist. */
  isOfRules?: boolean;
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
  const isOfStored = searched !== "subject" && isStored(request.resource.type);
  if (!isOfStored || !isIn(ctx.actor.scope, scope)) checkPermission(ctx, scope, "acl", "read");
  const mappings = await point.mappings.of(scope.partition);
  const isFree = isOfStored && isOwn(ctx, scope, translateSubject(mappings, request.subject).subject);
  if (!isFree) checkPermission(ctx, scope, "acl", "read");
  const { page } = request;
  const digest = digestOf(scope, searched, request);
  const { after, limit } = openToken(page, digest);
  // A search is no use of the permissions that it finds.
  const asking: Context = { ...ctx, actor: unnoted(ctx.actor) };
  const { results, next, isOfRules } = await point.lane.run(ctx.actor, () =>
    FINDERS[searched]({ ctx: asking, point, mappings, scope, request, after, limit }),
  );
  const context: Pick<SearchAnswer, "context"> = isOfRules === true ? { context: { search: "rules" } } : {};
  if (!page.isAsked && next === undefined) return { ...context, results };
  const token = next === undefined ? "" : writeToken(digest, limit, next);
  return { page: { next_token: token, count: results.length }, ...context, results };
}

interface Search {
  ctx: Context;
  point: DecisionPoint;
  mappings: Mappings;
  scope: Scope;
  request: SearchRequest;
  after: string;
  limit: number;
}

const NOTHING: Found = { results: [], next: undefined };

const FINDERS: Readonly<Record<Searched, (search: Search) => Promise<Found>>> = {
  async subject({ ctx, point, mappings, scope, request: { subject, action, resource }, after, limit }) {
    const { type } = subject;
    const { question } = translateQuestion(mappings, action, resource, scope);
    const wanted = findableSubjects(mappings, subject);
    if (question === undefined || wanted === undefined) return NOTHING;
    if (!(await knownIn(ctx, scope, point.options.edition)(nameIn(question)))) return NOTHING;
    const { defaultPolicy, edition, datacenter } = point.options;
    const options = { defaultPolicy, edition, datacenter };
    const { kind, place } = wanted;
    const input = { question, options, scope, place, after, size: limit + 1, now: ctx.now() };
    const all = await (kind === "identity"
      ? ctx.db.apart(IDENTITIES_WITH_ACCESS, input)
      : ctx.db.apart(SUBJECTS_WITH_ACCESS, { ...input, kind }));
    const shown = all.slice(0, limit);
    return {
      results: shown.map(({ id }) => ({ type, id })),
      next: all.length > limit ? shown.at(-1)?.key : undefined,
    };
  },

  async resource(input) {
    const { ctx, mappings, scope, request, after, limit } = input;
    const { type } = request.resource;
    const ways = findableResources(mappings, request, scope);
    const [first] = ways;
    if (first === undefined) return NOTHING;
    const all = await rightsOf(input);
    const isStoredKind = isStored(first.question.resource);
    const isOfRules = first.isMapped && !isStoredKind;
    if (all.length === 0) return { ...NOTHING, isOfRules };
    if (!isStoredKind) return { ...(await findNamed(input, ways, all)), isOfRules };
    const idOf = (name: string) => (mayAny(all, { ...first.question, segment: name }) ? first.idOf(name) : undefined);
    return findStored(ctx, { first, type, idOf, after, limit });
  },

  async action(input) {
    const { ctx, point, mappings, scope, request, after, limit } = input;
    const { resource } = request;
    const isKnown = knownIn(ctx, scope, point.options.edition);
    const known: { name: string; question: RightsQuestion }[] = [];
    for (const name of actionsOf(mappings, resource.type)) {
      const { question } = translateQuestion(mappings, { name, properties: {} }, resource, scope);
      if (question !== undefined && (await isKnown(nameIn(question)))) known.push({ name, question });
    }
    if (known.length === 0) return NOTHING;
    const all = await rightsOf(input);
    const names = known.flatMap(({ name, question }) => (name > after && mayAny(all, question) ? [name] : []));
    const shown = names.slice(0, limit);
    return { results: shown.map((name) => ({ name })), next: names.length > limit ? shown.at(-1) : undefined };
  },
};

/** Returns the resource that a question is about, in built-in types. */
function nameIn({ resource, segment }: RightsQuestion): AuthzenEntity {
  return { type: resource, id: segment, properties: {} };
}

/** Returns the actions that a type may have, in order. */
function actionsOf(mappings: Mappings, type: string): string[] {
  const mapped = mappedActionsOf(mappings, type)?.map(({ action }) => action);
  return [...new Set<string>(mapped ?? ACCESSES.get(type) ?? [])].toSorted();
}

interface StoredSearch {
  first: FindableResources;
  /** Type of the results. */
  type: string;
  /** @returns undefined for a name that is no result */
  idOf(name: string): string | undefined;
  after: string;
  limit: number;
}

/** Finds stored objects that the caller may read. */
async function findStored(ctx: Context, { first, type, idOf, after, limit }: StoredSearch): Promise<Found> {
  const results: FoundEntity[] = [];
  let at = after;
  for (let looked = 0; looked < MAX_CANDIDATES; looked += SLICE) {
    const { resources, last } = await listResources(ctx, first.question.resource, at, SLICE);
    for (const { name, key } of resources) {
      const id = idOf(name);
      if (id === undefined) continue;
      if (results.length === limit) return { results, next: at };
      results.push(found(type, id, first));
      at = key;
    }
    if (last === undefined) return { results, next: undefined };
    at = last;
  }
  return { results, next: at };
}

/**
 * Finds names of exact rules, of one way after the other. An ID that an earlier way finds is not repeated. Names are read in order, so
 * that a page continues behind the last one of the page before.
 */
async function findNamed(
  { ctx, point, scope, request, after, limit }: Search,
  ways: readonly FindableResources[],
  all: readonly DecidingRights[],
): Promise<Found> {
  const { type } = request.resource;
  const listed = namesIn(ctx, scope, point.options.edition);
  const isResult = ({ question }: FindableResources, name: string): boolean =>
    mayAny(all, { ...question, segment: name });
  const [from, behind] = readPlace(after);
  const results: FoundEntity[] = [];
  const turn = startTurn();
  let last = "";
  for (const [index, way] of ways.entries()) {
    if (index < from) continue;
    const { list } = await listed(way.question.resource);
    const before = await Promise.all(
      ways.slice(0, index).map(async (each) => ({ way: each, names: (await listed(each.question.resource)).names })),
    );
    for (const name of list) {
      if (turn.isOver()) await turn.next();
      const id = index === from && name <= behind ? undefined : way.idOf(name);
      if (id === undefined || !isResult(way, name)) continue;
      const isFound = before.some(
        ({ way: each, names }) => names.has(each.nameOf(id)) && isResult(each, each.nameOf(id)),
      );
      if (isFound) continue;
      if (results.length === limit) return { results, next: last };
      results.push(found(type, id, way));
      last = `${index}/${name}`;
    }
  }
  return { results, next: undefined };
}

/** Place of the last result: the number of its way, and its name. */
function readPlace(after: string): [number, string] {
  const slash = after.indexOf("/");
  return slash < 0 ? [0, ""] : [Number(after.slice(0, slash)), after.slice(slash + 1)];
}

/** A resource, with the properties that a request about it must have as well. */
function found(type: string, id: string, way: FindableResources): FoundEntity {
  return { type, id, ...(isConditional(way) && { properties: way.properties }) };
}

function rightsOf({
  ctx,
  point,
  mappings,
  scope,
  request,
}: Pick<Search, "ctx" | "point" | "mappings" | "scope" | "request">): Promise<readonly DecidingRights[]> {
  const { subject } = translateSubject(mappings, request.subject);
  if (isOwn(ctx, scope, subject)) return Promise.resolve([ctx.actor.rights]);
  return point.subjects.rightsOf(ctx, scope, subject).then(
    (all) => all.map(({ rights }) => rights),
    (error: unknown) => orNone(error).map(({ rights }) => rights),
  );
}

function mayAny(all: readonly DecidingRights[], question: RightsQuestion): boolean {
  return all.some((rights) => decide(rights, question, NO_FACTS).allow);
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
function openToken({ token, limit }: SearchPage, digest: string): { after: string; limit: number } {
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

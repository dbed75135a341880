/** Finds the question about permissions that a request leads to, by its method and path. */
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { readProject } from "../../projects/service.ts";
import { readTag } from "../../tags/pool/service.ts";
import { getWorkspace, segment } from "../../workspaces/service.ts";
import type { Access, Resource } from "../../rights/rules/rule.ts";
import { fold } from "../../fold.ts";
import type { RightsQuestion } from "../../rights/rules/question.ts";
import { DEFAULT_SCOPE, isScopeName, type Scope } from "../../rights/scope.ts";

const FORM = /^(GET|HEAD|POST|PUT|PATCH|DELETE) (\/[^\s?#]*)(?:\?([^\s#]*))?$/;
/** Longest method and path. */
const LONGEST = 2048;

/** Resource that a path is about; the first match applies. `$1` and `$2` are its parts in parentheses. */
const ROUTES: readonly (readonly [path: RegExp, about: (ctx: Context, parts: Parts) => Promise<About> | About])[] = [
  [/^\/api\/v2\/organizations\/([^/]+)\/workspaces\/([^/]+)$/, (_ctx, [of, name]) => workspace(`${of}/${name}`)],
  [/^\/api\/v2\/organizations\/([^/]+)(?:\/.*)?$/, (_ctx, [name]) => ({ resource: "organization", segment: name })],
  [
    /^\/api\/v2\/workspaces\/([^/]+)(?:\/.*)?$/,
    async (ctx, [id]) => workspace(segment(await getWorkspace(ctx, { id }, "read"))),
  ],
  [/^\/api\/v2\/tags\/([^/]+)(?:\/.*)?$/, async (ctx, [id]) => organization(await readTag(ctx, id))],
  [/^\/api\/v2\/projects\/([^/]+)(?:\/.*)?$/, async (ctx, [id]) => organization(await readProject(ctx, id))],
  [/^\/v1\/acl\/.+$/, () => ({ resource: "acl", segment: "" })],
  [/^\/v1\/namespaces?(?:\/([^/]+))?$/, (_ctx, [name]) => ofServer("namespace", name)],
  [/^\/v1\/partitions?(?:\/([^/]+))?$/, () => ofServer("operator", "")],
  [/^\/v1\/audit$/, () => ({ resource: "operator", segment: "" })],
];

type Parts = readonly [string, string];
interface About {
  resource: Resource;
  segment: string;
  /** Whether writes of it need write permission on the whole server. */
  isOfServer?: true;
}

/** Requests that read, with a body. */
const QUESTIONS = /\/(?:check|explain|authorize|preview\/[^/]*|login)$/;

/**
 * The question that a request leads to.
 *
 * @param text such as `PATCH /api/v2/workspaces/ws-1`
 * @returns undefined when what its path names is not there, or the caller may not read it
 * @throws AppError `invalid` for what is no request, or one that no single question decides
 */
export async function questionOfRequest(ctx: Context, text: string, scope: Scope): Promise<RightsQuestion | undefined> {
  const found = text.length <= LONGEST ? FORM.exec(text) : null;
  if (found === null)
    throw invalid('Invalid Request: expected a method and a path, such as "PATCH /api/v2/workspaces/ws-1"');
  const [, method = "", path = "", query = ""] = found;
  const access: Access = method === "GET" || method === "HEAD" || QUESTIONS.test(path) ? "read" : "write";
  for (const [pattern, about] of ROUTES) {
    const parts = pattern.exec(path);
    if (parts === null) continue;
    const about_ = await visible(() => about(ctx, [unescaped(parts[1]), unescaped(parts[2])]));
    if (about_ === undefined) return undefined;
    const { resource, segment: name, isOfServer = false } = about_;
    const where = path.startsWith("/v1/") ? scopeIn(new URLSearchParams(query), scope) : DEFAULT_SCOPE;
    if (isOfServer && access === "write") return { resource: "operator", segment: "", access, scope: DEFAULT_SCOPE };
    return { resource, segment: name, access, scope: where };
  }
  throw invalid(`${method} ${path.slice(0, 200)} does not require one specific permission`);
}

function workspace(name: string): About {
  return { resource: "workspace", segment: name };
}

function organization({ organizationName }: { organizationName: string }): About {
  return { resource: "organization", segment: organizationName };
}

function ofServer(resource: "namespace" | "operator", name: string): About {
  return { resource: name === "" ? "operator" : resource, segment: name, isOfServer: true };
}

/** Returns undefined both for a missing object and for one that the caller may not read. */
async function visible(look: () => Promise<About> | About): Promise<About | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}

function unescaped(part: string | undefined): string {
  try {
    return decodeURIComponent(part ?? "");
  } catch {
    throw invalid("Invalid Request: the path has an invalid escape");
  }
}

function scopeIn(query: URLSearchParams, scope: Scope): Scope {
  const named = { namespace: query.get("ns") || scope.namespace, partition: query.get("partition") || scope.partition };
  const folded = { namespace: fold(named.namespace), partition: fold(named.partition) };
  if (!isScopeName(folded.namespace) || !isScopeName(folded.partition))
    throw invalid("Invalid Request: invalid ns or partition");
  return folded;
}

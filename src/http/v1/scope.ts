/**
 * Scope that a request asks for: datacenter, namespace and partition. The body takes precedence over the query, the
 * query over the header.
 */
import type { IncomingHttpHeaders } from "node:http";
import { fold } from "../../fold.ts";
import { ANY_NAMESPACE, DEFAULT_SCOPE, homeOf, isIn, isScopeName, type Scope } from "../../rights/scope.ts";
import { AppError } from "../../errors.ts";
import type { QueryParameters } from "../query.ts";
import { goQuote } from "../../go/quote.ts";
import { ANONYMOUS } from "../../rights/reserved-secrets.ts";
import { fromUtf8 } from "../jsonapi/auth.ts";

/** With namespaces and partitions, or without. */
export type Edition = "enterprise" | "community";

/** Names in bodies that say where an object lies; the community edition does not know them. */
export const SCOPE_MEMBERS: ReadonlySet<string> = new Set(["namespace", "partition"]);

/** Names of where a request wants to work, as it gives them; undefined or empty where it is silent. */
export interface AskedScope {
  namespace?: string | undefined;
  partition?: string | undefined;
}

const SILENT: AskedScope = Object.freeze({});

/**
 * Reads the scope from the query and the headers.
 *
 * @param hasQuery whether the URL has a query at all: most have none
 * @throws AppError `bad_parameter` when a request to the community edition names a scope
 */
export function askedScope(
  query: QueryParameters,
  headers: IncomingHttpHeaders,
  hasQuery: boolean,
  edition: Edition,
): AskedScope {
  const namespace = headerOf(headers, "namespace");
  const partition = headerOf(headers, "partition");
  if (!hasQuery && namespace === undefined && partition === undefined) return SILENT;
  if (edition === "community") {
    refuseScope(query, headers);
    return SILENT;
  }
  return {
    namespace: query["ns"] || query["namespace"] || namespace,
    partition: query["partition"] || query["ap"] || partition,
  };
}

/** Reads the scope from a body; members that are not text are ignored. */
export function scopeInBody(body: object): AskedScope {
  const { Namespace: namespace, Partition: partition } = body as Record<string, unknown>;
  return {
    namespace: typeof namespace === "string" ? namespace : undefined,
    partition: typeof partition === "string" ? partition : undefined,
  };
}

/**
 * The scope in which a request works: each name is the first that is said, and
 * that of the caller's token where nothing is. A token's namespace is one of
 * its own partition, so in another partition it is `default`. Whether the scope exists is not asked.
 *
 * @param asked in order of precedence
 * @param own where the caller's token lies
 * @param anyNamespace whether `*` is a namespace here
 * @throws AppError `bad_parameter` on what cannot be a name
 */
export function chooseScope(asked: readonly AskedScope[], own: Scope, anyNamespace: boolean): Scope {
  const partition = firstOf(asked, "partition") ?? own.partition;
  const fallback = partition === own.partition ? own.namespace : DEFAULT_SCOPE.namespace;
  const namespace = firstOf(asked, "namespace") ?? fallback;
  if (isIn({ namespace, partition }, DEFAULT_SCOPE)) return DEFAULT_SCOPE;
  if (isIn({ namespace, partition }, own)) return own;
  if (!isScopeName(partition)) throw noName("Partition", partition);
  if (!isScopeName(namespace) && !(namespace === ANY_NAMESPACE && anyNamespace)) throw noName("Namespace", namespace);
  return { namespace, partition };
}

/** The same for what lies in a partition and in none of its namespaces: nobody is asked for one. */
export function choosePartition(asked: readonly AskedScope[], own: Scope): Scope {
  const partition = firstOf(asked, "partition") ?? own.partition;
  if (partition === DEFAULT_SCOPE.partition) return DEFAULT_SCOPE;
  if (!isScopeName(partition)) throw noName("Partition", partition);
  return homeOf(partition);
}

function firstOf(asked: readonly AskedScope[], what: keyof AskedScope): string | undefined {
  for (const { [what]: name } of asked) if (name) return fold(name);
  return undefined;
}

function noName(what: "Namespace" | "Partition", name: string): AppError {
  const hint = name === ANY_NAMESPACE ? "; only lists accept * for all namespaces" : "";
  return new AppError("bad_parameter", `${what} ${goQuote(name)} is not a name${hint}`);
}

/** @throws AppError `bad_parameter` when the request names a datacenter that is not this one */
export function checkDatacenter(query: QueryParameters, datacenter: string): void {
  const asked = query["datacenter"] || query["dc"];
  if (asked !== undefined && asked !== "" && asked !== datacenter) {
    throw new AppError("bad_parameter", "No path to datacenter");
  }
}

function headerOf(headers: IncomingHttpHeaders, name: "namespace" | "partition"): string | undefined {
  const value = headers[`x-service-${name}`] || headers[`x-consul-${name}`];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Header before query, namespace before partition: the order in which clients see them refused. */
function refuseScope(query: QueryParameters, headers: IncomingHttpHeaders): void {
  refuseHeader(headers, "Namespace");
  refuseParameter(query, "ns", "Namespaces");
  refuseHeader(headers, "Partition");
  refuseParameter(query, "partition", "Partitions");
  refuseParameter(query, "authmethod-ns", "Namespaces");
}

function refuseHeader(headers: IncomingHttpHeaders, what: "Namespace" | "Partition"): void {
  for (const family of ["Service", "Consul"]) {
    const name = `X-${family}-${what}`;
    if (!headers[name.toLowerCase()]) continue;
    throw new AppError("bad_parameter", `Invalid header: "${name}" - ${what}s are a Consul Enterprise feature`);
  }
}

function refuseParameter(query: QueryParameters, name: string, what: "Namespaces" | "Partitions"): void {
  if (!query[name]) return;
  throw new AppError("bad_parameter", `Invalid query parameter: "${name}" - ${what} are a Consul Enterprise feature`);
}

/** The SecretID that a request presents; the anonymous token's where it presents none. */
export function tokenOf(query: QueryParameters, headers: IncomingHttpHeaders): string {
  return givenToken(query, headers) ?? ANONYMOUS.secretId;
}

/** Whether the token is presented as Consul's clients do it, by `?token=` or `X-Consul-Token`. */
export function isInConsulsSpelling(query: QueryParameters, headers: IncomingHttpHeaders): boolean {
  if (query["token"]) return true;
  return !headers["x-service-token"] && Boolean(headers["x-consul-token"]);
}

/**
 * The SecretID that a request presents: the parameter `token`, else `X-Service-Token`, else `X-Consul-Token`, else the
 * word behind `Authorization: Bearer`. An empty one counts as absent.
 */
export function givenToken(query: QueryParameters, headers: IncomingHttpHeaders): string | undefined {
  const parameter = query["token"];
  if (parameter !== undefined && parameter !== "") return parameter;
  const header = headers["x-service-token"] || headers["x-consul-token"];
  if (typeof header === "string" && header !== "") return fromUtf8(header);
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const [scheme = "", secret = ""] = authorization.trim().split(/[ \t]+/, 2);
  return secret === "" || scheme.toLowerCase() !== "bearer" ? undefined : fromUtf8(secret);
}

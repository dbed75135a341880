/**
 * Where a request wants to work: datacenter, namespace and partition. The body
 * wins over the query, the query over the header.
 */
import type { IncomingHttpHeaders } from "node:http";
import { DEFAULT_SCOPE, type Scope } from "../../acl/scope.ts";
import { AppError } from "../../errors.ts";
import type { Query } from "../query.ts";
import { goQuote } from "../../go/quote.ts";

/** With namespaces and partitions, or without. */
export type Edition = "enterprise" | "community";

/** Names in bodies that say where an object lies; the community edition does not know them. */
export const SCOPE_MEMBERS: ReadonlySet<string> = new Set(["namespace", "partition"]);

/** Every namespace that the caller may read: the value of `?ns=` on some lists. */
export const ANY_NAMESPACE = "*";

/**
 * The scope that query and headers name, folded. Whether it exists is not asked yet.
 *
 * @param hasQuery whether the URL has a query at all: most have none
 * @throws AppError `bad_parameter` when the community edition is asked for anything but silence
 */
export function requestedScope(query: Query, headers: IncomingHttpHeaders, hasQuery: boolean, edition: Edition): Scope {
  const namespace = headerOf(headers, "namespace");
  const partition = headerOf(headers, "partition");
  if (!hasQuery && namespace === undefined && partition === undefined) return DEFAULT_SCOPE;
  if (edition === "community") {
    refuseScope(query, headers);
    return DEFAULT_SCOPE;
  }
  return withScope(DEFAULT_SCOPE, {
    Namespace: query["ns"] || query["namespace"] || namespace,
    Partition: query["partition"] || query["ap"] || partition,
  });
}

/** The scope with what a body (or query) says instead; members that are empty or no text say nothing. */
export function withScope(scope: Scope, names: { Namespace?: unknown; Partition?: unknown }): Scope {
  const namespace = nameOf(names.Namespace) ?? scope.namespace;
  const partition = nameOf(names.Partition) ?? scope.partition;
  if (namespace === scope.namespace && partition === scope.partition) return scope;
  return { namespace, partition };
}

/**
 * Only the default scope exists so far.
 *
 * @param anyNamespace whether `*` is a namespace here
 * @throws AppError `bad_parameter` that names what does not exist
 */
export function checkScope(scope: Scope, anyNamespace: boolean): void {
  if (scope === DEFAULT_SCOPE) return;
  const { namespace, partition } = scope;
  if (partition !== DEFAULT_SCOPE.partition) throw missing("Partition", partition);
  if (namespace === DEFAULT_SCOPE.namespace || (namespace === ANY_NAMESPACE && anyNamespace)) return;
  throw missing("Namespace", namespace);
}

/** @throws AppError `bad_parameter` when the request names a datacenter that is not this one */
export function checkDatacenter(query: Query, datacenter: string): void {
  const asked = query["datacenter"] || query["dc"];
  if (asked !== undefined && asked !== "" && asked !== datacenter) {
    throw new AppError("bad_parameter", "No path to datacenter");
  }
}

function nameOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  return value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function headerOf(headers: IncomingHttpHeaders, name: "namespace" | "partition"): string | undefined {
  const value = headers[`x-service-${name}`] || headers[`x-consul-${name}`];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Header before query, namespace before partition: the order in which clients see them refused. */
function refuseScope(query: Query, headers: IncomingHttpHeaders): void {
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

function refuseParameter(query: Query, name: string, what: "Namespaces" | "Partitions"): void {
  if (!query[name]) return;
  throw new AppError("bad_parameter", `Invalid query parameter: "${name}" - ${what} are a Consul Enterprise feature`);
}

function missing(what: "Namespace" | "Partition", name: string): AppError {
  return new AppError("bad_parameter", `${what} ${goQuote(name)} does not exist`);
}

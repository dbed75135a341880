import type { FastifyContextConfig, FastifyInstance, FastifySchema } from "fastify";
import { createLatency, type Latency } from "./metrics/latency.ts";

/**
 * Facts about a route that are known when it is registered. One object per route and method; all its requests share it.
 */
export interface RouteRecord {
  method: string;
  /** The pattern, such as `/api/v2/organizations/:org/tags`: safe to log and to use as a label. */
  pattern: string;
  public: boolean;
  schema: FastifySchema | undefined;
  undocumented: boolean;
  /** Names of the query parameters that its schema declares. */
  parameters: ReadonlySet<string>;
  /** Parameters among these for which an empty text has a meaning. */
  emptyParameters: ReadonlySet<string>;
  /** Configuration that the route declares. */
  config: FastifyContextConfig;
  /** Answers so far, by status. */
  answers: Map<number, number>;
  /**
   * Expected failures so far, by status: clients know them, and the server is not at fault. `answers` has the others.
   */
  expectedAnswers: Map<number, number>;
  latency: Latency;
}

export interface RouteTable {
  readonly records: readonly RouteRecord[];
  /** Stands for every request that no route matches. */
  readonly unknown: RouteRecord;
  /** Methods that the path of this URL answers, sorted; empty when the path is unknown. */
  allowedMethods(url: string): string[];
}

/**
 * Watches the registration of routes, from then on and in all nested plugins. Fastify answers 404 when only the method
 * is wrong; this table knows better, and it is asked only after a request was not found.
 */
export function collectRoutes(app: FastifyInstance): RouteTable {
  const records: RouteRecord[] = [];
  app.addHook("onRoute", (route) => {
    const methods = Array.isArray(route.method) ? route.method : [route.method];
    if (methods.length !== 1) throw new Error(`register one method at a time: ${methods.join()} ${route.url}`);
    const config: FastifyContextConfig = route.config ?? {};
    const record = newRecord(methods[0] ?? "", route.url, config, route.schema);
    records.push(record);
    route.config = { ...config, route: record };
  });
  let patterns: { method: string; segments: string[] }[] | undefined;
  return {
    records,
    unknown: newRecord("*", "unknown", { undocumented: true }, undefined),
    allowedMethods(url) {
      patterns ??= records.map(({ method, pattern }) => ({ method, segments: pattern.split("/") }));
      const path = decodedSegments(url);
      if (path === undefined) return [];
      const found = patterns.filter(({ segments }) => matches(segments, path)).map(({ method }) => method);
      // As GET is answered, so is HEAD; see head.ts.
      return [...new Set(found.includes("GET") ? [...found, "HEAD"] : found)].toSorted();
    },
  };
}

function newRecord(
  method: string,
  pattern: string,
  config: FastifyContextConfig,
  schema: FastifySchema | undefined,
): RouteRecord {
  const declared =
    (schema?.querystring as { properties?: Record<string, { minLength?: number }> } | undefined)?.properties ?? {};
  const names = Object.keys(declared);
  return {
    method,
    pattern,
    public: config.public === true,
    schema,
    undocumented: config.undocumented === true,
    parameters: new Set(names),
    emptyParameters: new Set(names.filter((name) => declared[name]?.minLength === 0)),
    config,
    answers: new Map(),
    expectedAnswers: new Map(),
    latency: createLatency(),
  };
}

/** The path of a request target as the router reads it; as it came where it cannot be decoded. */
export function decodedPath(url: string): string {
  return decodedSegments(url)?.join("/") ?? pathOf(url);
}

function decodedSegments(url: string): string[] | undefined {
  try {
    return pathOf(url).split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  const takesRest = pattern.at(-1) === "*" && path.length >= pattern.length;
  const fixed = takesRest ? pattern.slice(0, -1) : pattern;
  return (
    (takesRest || pattern.length === path.length) &&
    fixed.every((segment, index) => (segment.startsWith(":") ? path[index] !== "" : segment === path[index]))
  );
}

/** The path of a request target, still encoded; also of an absolute one such as a proxy sends. */
export function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  const end = url.search(/[?#]/);
  return start === -1 ? "/" : url.slice(start, end === -1 ? undefined : end);
}

/** How a read wants to be answered: blocking and consistency, and the headers that say how it was. */
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import { AppError } from "../../../errors.ts";
import type { QueryParameters } from "../../query.ts";
import { parseIndex } from "../parameters.ts";
import { parseDuration } from "../../../go/duration.ts";
import { goQuote } from "../../../go/quote.ts";

export interface ReadOptions {
  /** The read waits until its index is greater; 0 answers at once. */
  index: number;
  /** How long it waits at most, before jitter. */
  waitMilliseconds: number;
  consistency: "default" | "stale" | "consistent" | "leader";
  /** How old a stale answer may be at most; undefined for any age. */
  maxStaleMilliseconds: number | undefined;
}

const DEFAULT_WAIT = 300_000;
const MAX_WAIT = 600_000;

const DEFAULTS: ReadOptions = Object.freeze({
  index: 0,
  waitMilliseconds: DEFAULT_WAIT,
  consistency: "default",
  maxStaleMilliseconds: undefined,
});

/**
 * Reads the parameters of a read; all are checked, also those that mean nothing to a single server.
 *
 * @param hasQuery whether the URL has a query at all: most have none
 * @throws AppError `bad_parameter`
 */
export function readOptions(query: QueryParameters, headers: IncomingHttpHeaders, hasQuery: boolean): ReadOptions {
  const cacheControl = headers["cache-control"];
  if (!hasQuery && cacheControl === undefined) return DEFAULTS;
  const waitMilliseconds = readWait(query["wait"]);
  const index = readIndex(query["index"]);
  const maxStaleMilliseconds = readMaxStale(query["max_stale"]);
  const consistency = readConsistency(query, maxStaleMilliseconds !== undefined);
  if (cacheControl !== undefined) checkCacheControl(cacheControl);
  return { index, waitMilliseconds, consistency, maxStaleMilliseconds };
}

function readWait(text: string | undefined): number {
  if (text === undefined || text === "") return DEFAULT_WAIT;
  let nanoseconds: bigint;
  try {
    nanoseconds = parseDuration(text);
  } catch {
    throw bad("Invalid wait time");
  }
  if (nanoseconds <= 0n) return DEFAULT_WAIT;
  return Math.min(Number(nanoseconds) / 1e6, MAX_WAIT);
}

function readIndex(text: string | undefined): number {
  const index = text === undefined || text === "" ? 0 : parseIndex(text);
  if (index === undefined) throw bad("Invalid index");
  return index;
}

function readConsistency(query: QueryParameters, hasMaxStale: boolean): ReadOptions["consistency"] {
  const isConsistent = "consistent" in query;
  const isStale = "stale" in query || hasMaxStale;
  if (isStale && isConsistent) throw bad("Cannot specify ?stale with ?consistent, conflicting semantics.");
  if ("cached" in query && isConsistent) throw bad("Cannot specify ?cached with ?consistent, conflicting semantics.");
  if (isConsistent) return "consistent";
  if (isStale) return "stale";
  return "leader" in query ? "leader" : "default";
}

/** A limit above zero asks for a stale read by itself. */
function readMaxStale(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  try {
    const nanoseconds = parseDuration(text);
    return nanoseconds > 0n ? Number(nanoseconds) / 1e6 : undefined;
  } catch {
    throw bad(`Invalid max_stale value ${goQuote(text)}`);
  }
}

/** Directives that have a number of seconds; nothing here is cached, so that they only have to be well-formed. */
const WITH_SECONDS = ["max-age", "stale-if-error"];

function checkCacheControl(header: string): void {
  for (const directive of header.toLowerCase().split(",")) {
    const [name = "", seconds = ""] = directive.trim().split("=", 2);
    if (WITH_SECONDS.includes(name) && !/^\d{1,10}$/.test(seconds)) throw bad("Invalid Cache-Control header.");
  }
}

function bad(message: string): AppError {
  return new AppError("bad_parameter", message);
}

/** How fresh an answer is. */
export interface Freshness {
  /** Milliseconds by which it may be behind the primary. */
  lastContact: number;
  /** Whether the primary is there, as far as this server knows. */
  knownLeader: boolean;
}

export const CURRENT: Freshness = Object.freeze({ lastContact: 0, knownLeader: true });

/** Values that the headers of a read's answer show. */
export interface ReadHeaders {
  /** The index, in words. */
  text: string;
  freshness: Freshness;
}

/**
 * Settles what the headers of a read's answer say, also when the answer is a refusal; see `v1Manner`.
 *
 * @param index of the table that was read; never shown as 0, which clients take for "no index"
 */
export function showIndex(request: FastifyRequest, index: number, freshness = CURRENT): void {
  request.shown = { text: index > 0 ? String(index) : "1", freshness };
}

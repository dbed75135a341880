/** Messages between bench/run.ts and the load process. */

/** One request, without the headers that all share. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/**
 * Source of a stream's requests: a list that repeats, a list sent once, or every pair of two lists in a scattered order
 * without repetition (`{a}` and `{b}` are placeholders in path and body), from the pair number `start` on.
 */
export type RequestSource =
  | { readonly kind: "cycle"; readonly requests: readonly WireRequest[] }
  | { readonly kind: "once"; readonly requests: readonly WireRequest[] }
  | {
      readonly kind: "pairs";
      readonly request: WireRequest;
      readonly a: readonly string[];
      readonly b: readonly string[];
      readonly start: number;
    };

/** Connections that send the same kind of request, each one request at a time. */
export interface LoadStream {
  readonly name: string;
  readonly connections: number;
  /** Requests a second over all connections, timed from when each was due; as fast as answers come when left out. */
  readonly rate?: number;
  /** Required status of the responses. Default: any 2xx. */
  readonly status?: number;
  readonly source: RequestSource;
}

/** An answer as it came. */
export interface SampleAnswer {
  /** Status line and headers, without the empty line behind them. */
  readonly head: string;
  readonly bodyBytes: number;
}

/** Path of the bare server that takes, in a POST of a `SampleAnswer`, the response it sends from then on. */
export const BARE_PATH = "/answer";
/** Path of the bare server whose requests are answered after a page each is written and synced, one sync for all that wait. */
export const DURABLE_PATH = "/durable";

/** A whole load. It ends after `seconds`, or when a stream that is taken once has its last answer. */
export interface LoadSpec {
  readonly url: string;
  readonly token: string;
  /** The server's process, whose processor time is taken; left out, none is. */
  readonly pid?: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
  readonly streams: readonly LoadStream[];
}

/** Loads that take turns, so that all meet the same moods of the machine: each has `rounds` parts of its time. */
export interface LoadTurns {
  readonly rounds: number;
  readonly loads: readonly LoadSpec[];
}

/** Result of a stream; times in milliseconds. */
export interface StreamResult extends SampleAnswer {
  readonly name: string;
  readonly connections: number;
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** The status that all should have had; any of 2xx when left out. */
  readonly wanted?: number;
  /** Connections that broke. */
  readonly errors: number;
  /** The first answer whose status was not 2xx, to say what went wrong. */
  readonly firstFailure: string;
}

/**
 * Result of a load in one round. `busy` is the share of its core that the generator used: near 1, the generator itself
 * was the bottleneck.
 */
export interface LoadResult {
  readonly streams: readonly StreamResult[];
  readonly busy: number;
  /** Processor time of the server, microseconds for each request of all streams; 0 where it was not taken. */
  readonly microseconds: number;
}

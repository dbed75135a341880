/** How many requests one caller may make: a bucket of reads and one of writes for each token, and for each address. */
import { AppError } from "../errors.ts";
import { createKeyedLimit, type KeyedLimit } from "./keyed-limit.ts";

/** Requests a minute, which all at once may use up; 0 for no limit. */
export interface Rates {
  reads: number;
  writes: number;
}

/** Bucket that a request is counted in. `stranger` is an address without a token, or with an unknown one. */
export type CountedBy = "token" | "stranger" | "address";

export type RequestKind = "reads" | "writes";

/** State of a bucket after a request, as headers show it. */
export interface Quota {
  /** Such as `token-reads`. */
  policy: string;
  most: number;
  left: number;
  /** Seconds until the bucket is full; for an empty bucket, until it has one more token. */
  seconds: number;
}

export interface RateLimits {
  /**
   * Counts a request.
   *
   * @param who an AccessorID, or the network of an address: see `networkOf`
   * @returns how its bucket stands; undefined where nothing is limited
   * @throws RateLimited when it is empty
   */
  take(by: CountedBy, who: string, kind: RequestKind): Quota | undefined;
  /** Callers that are remembered, and requests refused since the start, for the metrics. */
  stats(): { entries: number; refused: readonly (readonly [by: CountedBy, kind: RequestKind, count: number])[] };
}

export interface RateLimitOptions {
  /** Limits of one token, and of one address without a token. */
  perToken: Rates | undefined;
  /** Limits of one address, with any tokens. */
  perAddress: Rates | undefined;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
  /** Callers that are remembered in each bucket's list; see `createKeyedLimit`. */
  maxEntries?: number;
}

/** A refusal by one of these limits. */
export class RateLimited extends AppError {
  readonly quota: Quota;

  constructor(quota: Quota, message: string) {
    super("rate_limited", message, { retryAfterSeconds: quota.seconds, limit: quota.most });
    this.quota = quota;
  }
}

const KINDS: readonly RequestKind[] = ["reads", "writes"];

const CALLERS: Readonly<Record<CountedBy, string>> = {
  token: "token",
  stranger: "address without a token",
  address: "address",
};

/** Makes the limits of a process, which counts by itself; undefined when nothing is limited. */
export function createRateLimits({ perToken, perAddress, now, maxEntries }: RateLimitOptions): RateLimits | undefined {
  const wanted = { token: perToken, stranger: perToken, address: perAddress };
  const buckets = Object.entries(wanted).flatMap(([by, rates]) =>
    KINDS.flatMap((kind) => {
      const perMinute = rates?.[kind] ?? 0;
      if (perMinute === 0) return [];
      const limit = createKeyedLimit({ perMinute, now, ...(maxEntries === undefined ? {} : { maxEntries }) });
      return [{ by: by as CountedBy, kind, most: perMinute, limit, refused: 0 }];
    }),
  );
  if (buckets.length === 0) return undefined;

  return {
    take(by, who, kind) {
      const bucket = buckets.find((each) => each.by === by && each.kind === kind);
      if (bucket === undefined) return undefined;
      const { limit, most } = bucket;
      const seconds = limit.check(who);
      const policy = `${by}-${kind}`;
      if (seconds !== undefined) {
        bucket.refused += 1;
        throw new RateLimited(
          { policy, most, left: 0, seconds },
          `Too many ${kind} by this ${CALLERS[by]}; retry in ${seconds} s`,
        );
      }
      limit.take(who);
      return standing(limit, who, policy, most);
    },
    stats: () => ({
      entries: buckets.reduce((sum, { limit }) => sum + limit.entries(), 0),
      refused: buckets.map(({ by, kind, refused }) => [by, kind, refused] as const),
    }),
  };
}

function standing(limit: KeyedLimit, who: string, policy: string, most: number): Quota {
  const { tokens: left, fullAfter } = limit.left(who);
  return { policy, most, left, seconds: left === 0 ? (limit.check(who) ?? fullAfter) : fullAfter };
}

import { describe, expect, test } from "vitest";
import { createRateLimits, RateLimited, type RateLimitOptions, type RateLimits } from "./rate-limits.ts";

interface Clock {
  ms: number;
  limits: RateLimits;
}

function start(options: Partial<RateLimitOptions>): Clock {
  const clock: { ms: number } = { ms: 5_000_000 };
  const limits = createRateLimits({ perToken: undefined, perAddress: undefined, now: () => clock.ms, ...options });
  if (limits === undefined) throw new Error("nothing is limited");
  return Object.assign(clock, { limits });
}

function refusalOf(act: () => unknown): RateLimited {
  try {
    act();
  } catch (error) {
    if (error instanceof RateLimited) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("limits of requests", () => {
  test("there are none where none is asked for", () => {
    const now = () => 0;
    expect(createRateLimits({ perToken: undefined, perAddress: undefined, now })).toBeUndefined();
    expect(createRateLimits({ perToken: { reads: 0, writes: 0 }, perAddress: undefined, now })).toBeUndefined();
  });

  test("a bucket says what is left in it and when it is full, and when it is empty how long until there is one more", () => {
    const clock = start({ perToken: { reads: 6, writes: 0 } });
    expect(clock.limits.take("token", "a", "reads")).toEqual({ policy: "token-reads", most: 6, left: 5, seconds: 10 });
    for (let left = 4; left > 0; left--) expect(clock.limits.take("token", "a", "reads")?.left).toBe(left);
    expect(clock.limits.take("token", "a", "reads")).toEqual({ policy: "token-reads", most: 6, left: 0, seconds: 10 });
    clock.ms += 4000;
    const refusal = refusalOf(() => clock.limits.take("token", "a", "reads"));
    expect(refusal).toMatchObject({ code: "rate_limited", retryAfterSeconds: 6, limit: 6 });
    expect(refusal.message).toBe("Too many reads by this token; retry in 6 s");
    clock.ms += 6000;
    expect(clock.limits.take("token", "a", "reads")?.left).toBe(0);
  });

  test("who is refused and tries again at once waits no longer for it", () => {
    const clock = start({ perToken: { reads: 1, writes: 0 } });
    clock.limits.take("token", "a", "reads");
    for (let tries = 0; tries < 100; tries++) refusalOf(() => clock.limits.take("token", "a", "reads"));
    clock.ms += 60_000;
    expect(clock.limits.take("token", "a", "reads")?.left).toBe(0);
  });

  test("reads, writes, tokens, strangers and addresses have buckets of their own", () => {
    const { limits } = start({ perToken: { reads: 1, writes: 1 }, perAddress: { reads: 1, writes: 1 } });
    for (const by of ["token", "stranger", "address"] as const) {
      for (const kind of ["reads", "writes"] as const) {
        expect(limits.take(by, "a", kind)?.left).toBe(0);
        refusalOf(() => limits.take(by, "a", kind));
      }
    }
    expect(limits.take("token", "b", "reads")?.left).toBe(0);
    expect(limits.stats().refused.every(([, , count]) => count === 1)).toBe(true);
  });

  test("one of the two may be without a limit", () => {
    const { limits } = start({ perToken: { reads: 0, writes: 1 } });
    for (let times = 0; times < 100; times++) expect(limits.take("token", "a", "reads")).toBeUndefined();
    limits.take("token", "a", "writes");
    refusalOf(() => limits.take("token", "a", "writes"));
  });

  test("of any number of addresses no more than 10,000 are remembered, and whoever comes is counted", () => {
    const { limits } = start({ perToken: { reads: 2, writes: 2 } });
    for (let at = 0; at < 50_000; at++) limits.take("stranger", `2001:db8:${at.toString(16)}:0::/64`, "reads");
    expect(limits.stats().entries).toBe(10_000);
    limits.take("stranger", "last", "reads");
    limits.take("stranger", "last", "reads");
    refusalOf(() => limits.take("stranger", "last", "reads"));
  });

  test("nobody is remembered whose bucket is full again", () => {
    const clock = start({ perAddress: { reads: 100, writes: 100 } });
    for (let at = 0; at < 1000; at++) clock.limits.take("address", `10.0.0.${at}`, "reads");
    clock.ms += 121_000;
    expect(clock.limits.stats().entries).toBe(0);
  });
});

import { describe, expect, test } from "vitest";
import { randomOfRun } from "../../test/support/seeded.ts";
import { createKeyedLimit, type KeyedLimit } from "./keyed-limit.ts";

const ROUNDS = 20_000;

interface Clock {
  ms: number;
  limit: KeyedLimit;
}

function start(perMinute: number, maxEntries?: number): Clock {
  const clock: { ms: number } = { ms: 1_000_000.5 };
  const options = maxEntries === undefined ? {} : { maxEntries };
  const limit = createKeyedLimit({ perMinute, now: () => clock.ms, ...options });
  return Object.assign(clock, { limit });
}

function take(limit: KeyedLimit, key: string, times: number): void {
  for (let i = 0; i < times; i++) limit.take(key);
}

describe("what happens under a key", () => {
  test("may be as many as a minute has room for, then one after the other", () => {
    const clock = start(10);
    const { limit } = clock;
    take(limit, "a", 9);
    expect(limit.check("a")).toBeUndefined();
    limit.take("a");
    expect(limit.check("a")).toBe(6);
    clock.ms += 5000;
    expect(limit.check("a")).toBe(1);
    clock.ms += 1000;
    expect(limit.check("a")).toBeUndefined();
    limit.take("a");
    expect(limit.check("a")).toBe(6);
  });

  test("do not count for others", () => {
    const { limit } = start(3);
    take(limit, "a", 3);
    expect([limit.check("a"), limit.check("b")]).toEqual([20, undefined]);
  });

  test("that were under way together count all, up to a minute's worth", () => {
    const clock = start(10);
    const { limit } = clock;
    take(limit, "a", 15);
    expect(limit.check("a")).toBe(36);
    take(limit, "a", 1000);
    expect(limit.check("a")).toBe(66);
    clock.ms += 66_000;
    expect(limit.check("a")).toBeUndefined();
  });

  test("are forgotten when their bucket is full, however long nobody asks", () => {
    const clock = start(10);
    const { limit } = clock;
    for (let i = 0; i < 100; i++) take(limit, `key ${i}`, 1 + (i % 10));
    expect(limit.entries()).toBe(100);
    clock.ms += 31_000;
    expect(limit.entries()).toBe(50);
    clock.ms += 1e12;
    expect(limit.entries()).toBe(0);
    take(limit, "a", 10);
    expect(limit.check("a")).toBe(6);
  });

  test("are not counted where there is no limit", () => {
    const { limit } = start(0);
    take(limit, "a", 1000);
    expect([limit.check("a"), limit.entries()]).toEqual([undefined, 0]);
  });
});

describe("a table that is full", () => {
  test("forgets those first that are nearest to full, and remembers whoever comes", () => {
    const { limit } = start(10, 100);
    for (let i = 0; i < 99; i++) take(limit, `often ${i}`, 10);
    for (let i = 0; i < 100_000; i++) limit.take(`once ${i}`);
    expect(limit.entries()).toBe(100);
    expect(Array.from({ length: 99 }, (_, i) => limit.check(`often ${i}`))).toEqual(
      Array.from({ length: 99 }, () => 6),
    );
    take(limit, "late", 10);
    expect(limit.check("late")).toBe(6);
  });

  test("is full with 10,000", () => {
    const { limit } = start(60);
    for (let i = 0; i < 50_000; i++) limit.take(`key ${i}`);
    expect(limit.entries()).toBe(10_000);
  });
});

/** The same, written down without a thought for time. */
function createNaiveLimit(perMinute: number, maxEntries: number) {
  interface Bucket {
    key: string;
    missing: number;
    fullSecond: number;
  }
  let buckets: Bucket[] = [];
  let last = 0;
  const refill = (now: number): void => {
    const ms = Math.floor(now);
    for (const bucket of buckets) bucket.missing = Math.max(0, bucket.missing - (ms - last) * perMinute);
    buckets = buckets.filter(({ fullSecond }) => fullSecond >= Math.floor(ms / 1000));
    last = ms;
  };
  return {
    check(key: string, now: number): number | undefined {
      refill(now);
      const missing = buckets.find((bucket) => bucket.key === key)?.missing ?? 0;
      const wait = missing - (perMinute - 1) * 60_000;
      return wait <= 0 ? undefined : Math.ceil(wait / perMinute / 1000);
    },
    take(key: string, now: number): void {
      refill(now);
      const before = buckets.find((bucket) => bucket.key === key);
      if (before === undefined && buckets.length >= maxEntries) {
        const nearest = Math.min(...buckets.map(({ fullSecond }) => fullSecond));
        buckets.splice(
          buckets.findIndex(({ fullSecond }) => fullSecond === nearest),
          1,
        );
      }
      const missing = Math.min((before?.missing ?? 0) + 60_000, 120_000 * perMinute);
      const fullSecond = Math.floor((last * perMinute + missing) / perMinute / 1000);
      buckets = [...buckets.filter((bucket) => bucket !== before), { key, missing, fullSecond }];
    },
    entries(now: number): number {
      refill(now);
      return buckets.length;
    },
  };
}

describe("a limit", () => {
  test.each([
    [1, 5],
    [7, 10],
    [10, 3],
    [60, 20],
    [100, 30],
    [2, 1],
  ])(`of %i a minute and %i entries is what a naive one is, for ${ROUNDS} random steps`, (perMinute, maxEntries) => {
    const random = randomOfRun(perMinute * 31 + maxEntries);
    const clock = start(perMinute, maxEntries);
    const naive = createNaiveLimit(perMinute, maxEntries);
    let limited = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const key = `key ${Math.floor(random() ** 2 * maxEntries * 2)}`;
      if (random() < 0.3) clock.ms += (random() ** 6 * 28_000) / perMinute;
      if (random() < 0.0005) clock.ms += random() * 200_000;
      if (random() < 0.6) {
        clock.limit.take(key);
        naive.take(key, clock.ms);
      }
      const [waits, wanted] = [clock.limit.check(key), naive.check(key, clock.ms)];
      if (waits !== wanted) expect({ round, waits }).toEqual({ round, waits: wanted });
      if (waits !== undefined) limited++;
      const [entries, kept] = [clock.limit.entries(), naive.entries(clock.ms)];
      if (entries !== kept || entries > maxEntries) expect({ round, entries }).toEqual({ round, entries: kept });
    }
    // It varies with the seed, and says only that something was limited at all.
    expect(limited).toBeGreaterThan(ROUNDS / 200);
    expect(limited).toBeLessThan(ROUNDS * 0.98);
  });
});

/** Callers whose requests are counted hold memory, which has a bound however many addresses there are. */
import { expect, test } from "vitest";
import { networkOf } from "../../src/limits/network.ts";
import { createRateLimits } from "../../src/limits/rate-limits.ts";
import { heldBytes } from "./heap.ts";

/** Entries that each list remembers; see `createKeyedLimit`. */
const REMEMBERED = 10_000;
/**
 * Lists that contain a caller without a token: one of addresses and one of strangers, each for reads and for writes.
 */
const LISTS = 4;
/** Measured: 3.8 MB. */
const ALLOWED_BYTES = LISTS * REMEMBERED * 300;
/** Spare room of tables beside their entries. Later addresses would hold 19 MB if they were remembered. */
const NOISE_BYTES = 6 * 1024 * 1024;

test("10,000 addresses hold some megabytes, and five times as many no more", () => {
  const limits = createRateLimits({
    perToken: { reads: 6000, writes: 600 },
    perAddress: { reads: 60_000, writes: 6000 },
    // All come within a moment: none is forgotten for having been quiet.
    now: () => 1000,
  });
  let named = 0;
  const ask = (count: number): void => {
    for (const last = named + count; named < last; named++) {
      const who = networkOf(`2001:db8:${(named >> 16).toString(16)}:${(named & 0xffff).toString(16)}::1`);
      for (const kind of ["reads", "writes"] as const)
        for (const by of ["address", "stranger"] as const) limits?.take(by, who, kind);
    }
  };
  const empty = heldBytes();
  ask(REMEMBERED);
  const full = heldBytes();
  expect(limits?.stats().entries).toBe(LISTS * REMEMBERED);
  expect(full - empty).toBeLessThan(ALLOWED_BYTES);
  ask(5 * REMEMBERED);
  expect(limits?.stats().entries).toBe(LISTS * REMEMBERED);
  expect(heldBytes() - full).toBeLessThan(NOISE_BYTES);
});

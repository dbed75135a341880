import { afterEach, expect, it, vi } from "vitest";
import { collectGarbage, watchSurges } from "./after-surge.ts";

const MIB = 1024 * 1024;
const LOOK_MS = 5;

afterEach(() => vi.useRealTimers());

it("a surge is told once, when it is over, and what stays small is none", () => {
  vi.useFakeTimers();
  const looks = (count: number) => vi.advanceTimersByTime(count * LOOK_MS);
  let used = 10 * MIB;
  let told = 0;
  const stop = watchSurges({ used: () => used, total: () => 0 }, () => (told += 1), LOOK_MS);
  looks(8);
  used = 0;
  looks(8);
  expect(told).toBe(0);
  used = 100 * MIB;
  looks(8);
  expect(told).toBe(0);
  used = MIB;
  looks(2);
  expect(told).toBe(1);
  looks(12);
  expect(told).toBe(1);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

it("many answers of which few are on their way at once are a surge too, and a few in a long time are none", () => {
  vi.useFakeTimers();
  let total = 0;
  let told = 0;
  const sent = { used: () => 0, total: () => total };
  const stop = watchSurges(sent, () => (told += 1), LOOK_MS);
  const send = (bytes: number) => {
    total += bytes;
    vi.advanceTimersByTime(LOOK_MS);
  };
  for (let look = 0; look < 100; look++) send(MIB);
  expect(told).toBe(0);
  for (let look = 0; look < 10; look++) send(5 * MIB);
  expect(told).toBe(0);
  send(0);
  send(0);
  expect(told).toBe(1);
  for (let look = 0; look < 10; look++) send(0);
  expect(told).toBe(1);
  stop();
});

it("what nobody uses any more is collected", async () => {
  let kept: number[][] = Array.from({ length: 100 }, () => new Array<number>(50_000).fill(0.5));
  const before = process.memoryUsage().heapUsed;
  kept = kept.slice(0, 1);
  collectGarbage();
  await expect.poll(() => before - process.memoryUsage().heapUsed).toBeGreaterThan(20 * MIB);
  expect(kept).toHaveLength(1);
});

import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { collectGarbage, watchSurges } from "./after-surge.ts";

const MIB = 1024 * 1024;

it("a surge is told once, when it is over, and what stays small is none", async () => {
  let used = 10 * MIB;
  let told = 0;
  const stop = watchSurges(
    () => used,
    () => (told += 1),
    5,
  );
  await sleep(40);
  used = 0;
  await sleep(40);
  expect(told).toBe(0);
  used = 100 * MIB;
  await sleep(40);
  expect(told).toBe(0);
  used = MIB;
  await expect.poll(() => told).toBe(1);
  await sleep(60);
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

import { expect, test } from "vitest";
import { createKeptCounts } from "./kept-counts.ts";
import { expectMadeAgain, expectSharedToLast } from "../../test/support/callers.ts";

test("a count is made once for each version, also for those who ask meanwhile", async () => {
  const kept = createKeptCounts(10_000);
  let made = 0;
  const ask = (key: string, version: string) => kept.count({ key, version }, () => Promise.resolve(++made));
  expect(await Promise.all([ask("a", "1"), ask("a", "1"), ask("b", "1")])).toEqual([1, 1, 2]);
  expect([await ask("a", "2"), await ask("a", "2"), await ask("b", "1")]).toEqual([3, 3, 2]);
});

test("what fails is made again, and does not take a later one with it", async () => {
  const kept = createKeptCounts(10_000);
  const failing = kept.count({ key: "a", version: "1" }, () => Promise.reject(new Error("away")));
  const later = kept.count({ key: "a", version: "2" }, () => Promise.resolve(7));
  await expect(failing).rejects.toThrow("away");
  expect(await later).toBe(7);
  expect(await kept.count({ key: "a", version: "2" }, () => Promise.resolve(8))).toBe(7);
  await expect(kept.count({ key: "b", version: "1" }, () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  expect(await kept.count({ key: "b", version: "1" }, () => Promise.resolve(9))).toBe(9);
});

test("what was used longest ago makes room", async () => {
  const kept = createKeptCounts(2_000);
  let made = 0;
  for (let at = 0; at < 100; at++) await kept.count({ key: `k${at}`, version: "1" }, () => Promise.resolve(++made));
  await kept.count({ key: "k0", version: "1" }, () => Promise.resolve(++made));
  expect(made).toBe(101);
  await kept.count({ key: "k0", version: "1" }, () => Promise.resolve(++made));
  expect(made).toBe(101);
});

/** Asks one count. */
function askCount() {
  const kept = createKeptCounts(10_000);
  return (make: () => Promise<number>) => kept.count({ key: "a", version: "1" }, make);
}

test("incident 68: what several wait for goes on without who asked first, and ends with the last of them", () =>
  expectSharedToLast(askCount()));

test("incident 68: what ended with its last caller is made again for the next", () => expectMadeAgain(askCount()));

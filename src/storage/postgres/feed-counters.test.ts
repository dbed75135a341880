import { expect, test } from "vitest";
import { createKnownWrites, type KnownWrites } from "./feed-counters.ts";

/** Counters that a poll finds unexplained when it is sent now and returns these values. */
function poll(known: KnownWrites, values: Record<string, number>): string[] {
  return known.findUnexplained(new Map(Object.entries(values)), known.values());
}

function started(values: Record<string, number>): KnownWrites {
  const known = createKnownWrites();
  for (const [name, value] of Object.entries(values)) known.settle(name, value);
  return known;
}

test("a partition that was never polled is unexplained, and explained once it is settled", () => {
  const known = createKnownWrites();
  expect(poll(known, { a: 7 })).toEqual(["a"]);
  known.settle("a", 7);
  expect(poll(known, { a: 7 })).toEqual([]);
});

test("a counter that moved is explained when every write up to it is known, in whatever order they came", () => {
  const known = started({ a: 7, b: 1 });
  for (const index of [10, 8]) expect(known.note("a", index)).toBe(true);
  expect(poll(known, { a: 8, b: 1 })).toEqual([]);
  expect(poll(known, { a: 10, b: 1 })).toEqual(["a"]);
  known.note("a", 9);
  expect(poll(known, { a: 10, b: 1 })).toEqual([]);
  expect(poll(known, { a: 11, b: 2 })).toEqual(["a", "b"]);
});

test("a write is new once only, and not after a poll has covered it", () => {
  const known = started({ a: 7 });
  expect(known.note("a", 9)).toBe(true);
  expect(known.note("a", 9)).toBe(false);
  known.settle("a", 8);
  for (const index of [7, 8, 9]) expect(known.note("a", index)).toBe(false);
  expect(known.note("a", 10)).toBe(true);
  expect(poll(known, { a: 10 })).toEqual([]);
});

test("an answer that is older than the writes known meanwhile explains itself", () => {
  const known = started({ a: 7 });
  const before = known.values();
  known.note("a", 8);
  expect(known.findUnexplained(new Map([["a", 7]]), before)).toEqual([]);
});

test("a counter that fell or is gone is unexplained, and its partition starts anew", () => {
  const known = started({ a: 7, b: 7, c: 7 });
  known.note("a", 9);
  expect(poll(known, { a: 3, c: 7 })).toEqual(["a", "b"]);
  known.settle("a", 3);
  known.settle("b", undefined);
  expect(poll(known, { a: 3, c: 7 })).toEqual([]);
  expect(known.note("a", 4)).toBe(true);
  expect(poll(known, { a: 4, c: 7 })).toEqual([]);
  expect(poll(known, { a: 9, b: 1, c: 7 })).toEqual(["a", "b"]);
});

test("what is kept beyond a missing write is bounded, and losing it only makes the partition unexplained", () => {
  const known = started({ a: 0 });
  for (let index = 2; index < 30_000; index++) known.note("a", index);
  known.note("a", 1);
  expect(poll(known, { a: 29_999 })).toEqual(["a"]);
});

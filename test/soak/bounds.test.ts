import { expect, test } from "vitest";
import { ATTACKS } from "./attacks/attacks.ts";
import { findGaps, findMissed, type Measured } from "./bounds.ts";

const attacks = ATTACKS.slice(0, 2);
const good: Measured = {
  seconds: 100,
  memory: { early: 200e6, end: 239e6 },
  latency: { count: 20_000, p50: 1, p99: 49, max: 400 },
  waits: 200,
  wrong: 0,
  turns: Array.from({ length: 100 }, () => ({ at: 0, wall: 60, waited: 11 })),
  attacked: attacks.map(({ name, meets, perSecond }) => ({
    name,
    begun: perSecond * 100,
    outcomes: Object.fromEntries(meets.map((outcome) => [outcome, 1])),
  })),
  faults: 0,
  quiet: 1,
};

test("a soak within its bounds that did enough has no findings", () => {
  expect([...findMissed(good), ...findGaps(good, attacks)]).toEqual([]);
});

test("each bound that is missed has a line", () => {
  const turns = [...good.turns, { at: 0, wall: 60, waited: 9 }];
  const missed = { memory: { early: 200e6, end: 241e6 }, latency: { ...good.latency, p99: 51 }, turns };
  expect(findMissed({ ...good, ...missed, wrong: 1, faults: 2 })).toEqual([
    "memory at the end is 1.21 × of before, not ≤ 1.2",
    "p99 of normal clients is 51.0 ms, not ≤ 50",
    "the longest turn is 51.0 ms, not ≤ 50",
    "1 answers to normal clients were wrong",
    "2 answers were 500",
  ]);
});

test("incident 37: a soak that did too little has findings, though it missed no bound", () => {
  const idle: Measured = {
    ...good,
    memory: { early: NaN, end: 239e6 },
    latency: { count: 0, p50: 0, p99: 0, max: 0 },
    waits: 0,
    turns: [],
    attacked: [],
    faults: 0,
  };
  const lines = findGaps(idle, attacks);
  for (const part of ["requests", "waits", "longest turn", "memory", ...attacks.map(({ name }) => name)]) {
    expect(lines).toContainEqual(expect.stringContaining(part));
  }
  const unmet = good.attacked.map((one) => ({ ...one, outcomes: { 404: 1000 } }));
  expect(findGaps({ ...good, attacked: unmet }, attacks)).toHaveLength(attacks.flatMap(({ meets }) => meets).length);
});

test("a soak on a machine that was given to others proves nothing", () => {
  expect(findGaps({ ...good, quiet: 0.2 }, attacks)).toEqual([
    "enough: the machine had its processors for only 20 % of the time",
  ]);
});

test("what could not be measured is missed", () => {
  expect(findMissed({ ...good, memory: { early: NaN, end: NaN }, faults: NaN })).toHaveLength(2);
});

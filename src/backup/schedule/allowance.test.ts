import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { createAllowance, type Moment, noteIn } from "./allowance.ts";

const HOUR = 3_600_000;
const EVERY = 6 * HOUR;
const [ONE, OTHER] = ["1".repeat(32), "2".repeat(32)];

/** A folder, and the moment of the server that is asked. */
function folderAt(start: Partial<Moment> = {}) {
  const folder = temporaryDirectory();
  const moment: Moment = { boot: ONE, up: 500, wall: Date.parse("2026-03-01T00:00:00Z"), ...start };
  return {
    folder,
    moment,
    /** As a server does that was just started. */
    taken: (times = 2) =>
      Array.from({ length: times }, () => createAllowance(EVERY, () => moment, noteIn(folder)).take()),
    pass(milliseconds: number, jump = 0) {
      moment.up += milliseconds;
      moment.wall += milliseconds + jump;
    },
  };
}

test("incident 62: one goes for each interval that has really passed, and what was not used is not saved up", () => {
  const { taken, pass } = folderAt();
  expect(taken()).toEqual([true, false]);
  pass(EVERY * 0.9 - 1);
  expect(taken()).toEqual([false, false]);
  pass(1);
  expect(taken()).toEqual([true, false]);
  pass(1000 * HOUR);
  expect(taken()).toEqual([true, false]);
});

test("incident 62: a server that is started again and again with a clock that jumps removes no more for it", () => {
  const { taken, pass, folder } = folderAt();
  expect(taken(1)).toEqual([true]);
  for (let start = 0; start < 20; start++) {
    pass(8000, 2 * EVERY);
    expect(taken(1)).toEqual([false]);
  }
  expect(readdirSync(folder)).toEqual([".tessera-removals"]);
});

test("asked all the time it never gives more than one for each interval", () => {
  const { taken, pass } = folderAt();
  let given = 0;
  for (let hours = 0; hours < 600; hours++) {
    pass(HOUR);
    given += taken(3).filter(Boolean).length;
  }
  expect(given).toBe(100);
});

test("after another start of the machine the trusted clock tells what has passed, and one that went back begins anew", () => {
  const { taken, pass, moment } = folderAt();
  expect(taken(1)).toEqual([true]);
  Object.assign(moment, { boot: OTHER, up: 0 });
  pass(EVERY - HOUR);
  expect(taken()).toEqual([false, false]);
  pass(HOUR);
  expect(taken()).toEqual([true, false]);
  Object.assign(moment, { boot: ONE, up: 0 });
  pass(0, -100 * EVERY);
  expect(taken()).toEqual([false, false]);
  pass(EVERY);
  expect(taken()).toEqual([true, false]);
});

test("a note that nobody can read counts as one of now, and without the machine's run the trusted clock tells", () => {
  const { taken, pass, folder } = folderAt({ boot: "0".repeat(32) });
  writeFileSync(join(folder, ".tessera-removals"), "garbled");
  expect(taken()).toEqual([false, false]);
  pass(0, EVERY);
  expect(taken()).toEqual([true, false]);
});

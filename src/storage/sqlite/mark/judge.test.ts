import { expect, test } from "vitest";
import { judge, NO_BOOT } from "./judge.ts";
import { type LogWalk, NO_WALK } from "./log-frames.ts";
import type { Slot } from "./slots.ts";

const BOOT = "1".repeat(32);
const SLOT: Slot = {
  sequence: 5,
  instance: "0".repeat(32),
  kind: "live",
  salts: [100, 7],
  frames: 20,
  copied: 8,
  sums: [3, 4],
  pageSize: 4096,
  commit: 50,
  copiedCommit: 44,
  commitBefore: 40,
  at: 0,
  boot: BOOT,
  counted: 60,
};
const WALK: LogWalk = {
  ...NO_WALK,
  state: "log",
  salts: SLOT.salts,
  verified: 22,
  committed: 22,
  commits: 11,
  sums: SLOT.sums,
};

const asked = (slot: Partial<Slot>, walk: Partial<LogWalk>, boot = BOOT) =>
  judge({ ...SLOT, ...slot }, { ...WALK, ...walk }, boot);
const whole = (handling: string) => ({ kind: "whole", handling });
const lost = (from: number, handling: string) => ({ kind: "lost", from, handling });

// The database has to say whether it has come as far.
const anew = { ...whole("keep"), isBegunAnew: true };

const short = { verified: 12, committed: 11, commits: 5, sums: undefined, lostCommits: 6, behind: 9, commitsBehind: 6 };
const isCopied = { copied: 20, copiedCommit: 50 };

test.each<[string, Partial<Slot>, Partial<LogWalk>, object]>([
  ["a log that reaches beyond its mark", {}, {}, whole("keep")],
  ["one that ends at it", {}, { verified: 20, committed: 20, commits: 10 }, whole("keep")],
  ["one with another frame at the mark", {}, { sums: [3, 5] }, lost(52, "clean")],
  ["one that ends before it, behind what is copied", {}, short, lost(46, "clean")],
  ["one that ends before what is copied", {}, { ...short, verified: 5, committed: 5, commits: 2 }, lost(45, "aside")],
  ["the same, copied as a whole", isCopied, { ...short, commitsBehindSought: 0 }, whole("aside")],
  ["and with commits behind the mark", isCopied, { ...short, commitsBehindSought: 2 }, lost(51, "aside")],
  ["one that is missing", {}, { ...NO_WALK, salts: SLOT.salts }, lost(45, "keep")],
  ["one that is empty", {}, { ...NO_WALK, state: "empty", salts: SLOT.salts }, lost(45, "keep")],
  ["one that is missing and copied", isCopied, { ...NO_WALK, salts: SLOT.salts }, whole("keep")],
  ["one without its header", {}, { ...NO_WALK, state: "headless", salts: SLOT.salts }, lost(45, "aside")],
  ["the next run of one that is copied", isCopied, { salts: [101, 9], sums: undefined }, anew],
  ["the next run of one that is not marked as copied", {}, { salts: [101, 9], sums: undefined }, anew],
  ["a run before", isCopied, { salts: [99, 9], sums: undefined }, lost(51, "aside")],
  ["a foreign one", {}, { salts: [4000, 9], sums: undefined }, lost(45, "aside")],
  ["any, while a start begins one", { kind: "starting" }, { salts: [4000, 9], sums: undefined }, whole("keep")],
])("%s", (_name, slot, walk, verdict) => {
  expect(asked(slot, walk)).toMatchObject(verdict);
});

test("what is damaged behind the mark is refused with commits behind it, unless the machine had stopped", () => {
  const damaged = { behind: 3, commitsBehind: 2, lostCommits: 2 };
  expect(asked({}, damaged)).toMatchObject(lost(52, "clean"));
  expect(asked({ boot: NO_BOOT }, damaged)).toMatchObject(lost(52, "clean"));
  // Nobody can tell what of them was acknowledged.
  const unsure = { note: expect.stringContaining("may have been acknowledged"), unsure: { from: 52, upTo: 53 } };
  expect(asked({}, damaged, "2".repeat(32))).toMatchObject({ ...whole("clean"), ...unsure });
  const atTheMark = { ...damaged, verified: 19, committed: 18, commits: 9, sums: undefined };
  expect(asked({}, atTheMark, "2".repeat(32))).toMatchObject(lost(50, "clean"));
  // As a transaction that was given up leaves them.
  expect(asked({}, { ...damaged, commitsBehind: 0, lostCommits: 0 })).toMatchObject(whole("clean"));
});

test("without a mark nothing is said of a log", () => {
  expect(judge(undefined, WALK, BOOT)).toEqual({ kind: "whole", handling: "keep" });
});

import { expect, test } from "vitest";
import type { History } from "../history.ts";
import { assign, done, follow, historyOf, job, progress, refused, unknown } from "./build.ts";
import { followed } from "./followed.ts";

const begun = done(100, "1-50", follow(5, "2=a"));
const a = done(0, "10-20", assign("a"));
const b = done(0, "100-200", assign("b"));

const fine: readonly [what: string, history: History][] = [
  ["all of it, in two parts", historyOf([begun, a, b, done(100, "60-300", follow(60, "7=b", "2"))])],
  ["nothing of before it began", historyOf([done(0, "3-8", assign("z")), begun, a])],
  [
    "what may not have happened",
    historyOf([begun, a, unknown(0, "60-", assign("c")), refused(0, "70-80", assign("d"))]),
  ],
  ["a job that was not seen to end", historyOf([begun, a, done(0, "60-70", job("j"))])],
  ["a part that was refused", historyOf([begun, a, refused(100, "60-70", follow(60, "", "2"), { status: 503 })])],
];

test.each(fine)("fine: %s", (_, history) => {
  expect(followed(history)).toEqual([]);
});

const broken: readonly [what: string, history: History, finding: RegExp][] = [
  [
    "something is left out between two parts",
    historyOf([begun, a, b]),
    /follower 100 was never told of .*assign k = "b"/,
  ],
  [
    "a job that ended is left out",
    historyOf([begun, a, done(0, "60-70", job("j")), done(0, "80-90", progress("j"))]),
    /never told of .*job for k/,
  ],
  [
    "something is told twice",
    historyOf([begun, a, done(100, "60-300", follow(60, "2=a", "2"))]),
    /follow after 2 .*tells 2 after 2/,
  ],
];

test.each(broken)("found: %s", (_, history, finding) => {
  expect(followed(history)).toEqual([expect.stringMatching(finding)]);
});

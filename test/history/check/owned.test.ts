import { expect, test } from "vitest";
import type { History } from "../history.ts";
import { ask, assign, done, grant, historyOf, job, progress, refused, shows, unknown } from "./build.ts";
import { rights, rightsWithin, values } from "./owned.ts";

const given = done(0, "10-20", grant(true));
const taken = done(0, "100-200", grant(false));
const allowed = (times: string, manner?: "default" | "consistent") => done(1, times, ask(true, manner));
const denied = (times: string, manner?: "default" | "consistent") =>
  refused(1, times, ask(false, manner), { status: 403 });

const fineRights: readonly [what: string, history: History][] = [
  ["allowed for a second in the default mode", historyOf([given, taken, allowed("1200-1210"), denied("1201-1210")])],
  ["asked for the newest while it is taken", historyOf([given, taken, allowed("200-210", "consistent")])],
  ["refused while it is taken", historyOf([given, taken, denied("150-160", "consistent")])],
  [
    "allowed again while it is given back",
    historyOf([given, taken, done(0, "300-400", grant(true)), allowed("350-360", "consistent")]),
  ],
  [
    "it may never have been taken, or be taken yet",
    historyOf([given, unknown(0, "100-", grant(false)), allowed("5000-5001"), denied("6000-6001", "consistent")]),
  ],
  [
    "it may be given back yet",
    historyOf([given, unknown(0, "50-", grant(true)), taken, allowed("5000-5001", "consistent")]),
  ],
  ["neither, for another reason", historyOf([given, refused(1, "5-6", { kind: "ask", right: "p", consistent: true })])],
];

test.each(fineRights)("fine: %s", (_, history) => {
  expect(rights(history)).toEqual([]);
});

const brokenRights: readonly [what: string, history: History, finding: RegExp][] = [
  [
    "incident 67: allowed after the answer to who asks for the newest",
    historyOf([given, taken, allowed("201-210", "consistent")]),
    /with \?consistent → done 200, allowed\] shows what was over 1 ms before/,
  ],
  ["allowed after a second", historyOf([given, taken, allowed("1201-1210")]), /over 1001 ms before/],
  [
    "refused though it was given back",
    historyOf([given, taken, done(0, "300-400", grant(true)), denied("401-402", "consistent")]),
    /not allowed\] shows what was over/,
  ],
  [
    "allowed though taking it was refused",
    historyOf([given, refused(0, "30-40", grant(false)), denied("50-60")]),
    /nobody/,
  ],
  ["known before it was given", historyOf([given, allowed("5-9")]), /nobody had given by then/],
];

test.each(brokenRights)("found: %s", (_, history, finding) => {
  expect(rights(history)).toEqual([expect.stringMatching(finding)]);
});

test("who must know sooner has no second", () => {
  const history = historyOf([given, taken, allowed("201-210")]);
  expect([rights(history), rightsWithin(0)(history)]).toEqual([[], [expect.stringMatching(/over 1 ms/)]]);
});

const a = done(0, "10-20", assign("a"));
const b = done(0, "100-200", assign("b"));
const seen = (times: string, found: string | null) => done(1, times, shows(found));

const fineValues: readonly [what: string, history: History][] = [
  [
    "the last one, and none before the first",
    historyOf([seen("1-11", null), a, seen("30-40", "a"), b, seen("201-202", "b")]),
  ],
  ["either of two while it changes", historyOf([a, b, seen("150-160", "a"), seen("150-160", "b")])],
  ["one that came late, of unknown outcome", historyOf([a, unknown(0, "30-", assign("c")), b, seen("300-310", "c")])],
  [
    "either while a job is under way",
    historyOf([a, done(0, "30-40", job("j")), seen("50-60", "a"), seen("70-80", "j"), done(0, "90-95", progress("j"))]),
  ],
  ["a job that was never seen to end", historyOf([a, done(0, "30-40", job("j")), seen("5000-5001", "a")])],
];

test.each(fineValues)("fine: %s", (_, history) => {
  expect(values(history)).toEqual([]);
});

const brokenValues: readonly [what: string, history: History, finding: RegExp][] = [
  ["the one before", historyOf([a, b, seen("201-210", "a")]), /value of k → done 200, "a"\] shows what was over 1 ms/],
  ["none, though it has one", historyOf([a, seen("21-30", null)]), /nothing\] shows what was over 1 ms/],
  ["what was refused", historyOf([a, refused(0, "30-40", assign("c")), seen("50-60", "c")]), /nobody had given/],
  [
    "the one before a job that has ended",
    historyOf([a, done(0, "30-40", job("j")), done(0, "90-95", progress("j")), seen("96-97", "a")]),
    /over 1 ms/,
  ],
];

test.each(brokenValues)("found: %s", (_, history, finding) => {
  expect(values(history)).toEqual([expect.stringMatching(finding)]);
});

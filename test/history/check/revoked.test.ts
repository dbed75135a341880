import { expect, test } from "vitest";
import type { History } from "../history.ts";
import { done, historyOf, refused, revoke, unknown, use } from "./build.ts";
import { revoked } from "./revoked.ts";

const answered = done(0, "100-200", revoke());
const rejected = { status: 403 };

const fine: readonly [what: string, history: History][] = [
  ["accepted before, and for 1 s", historyOf([done(1, "1-2", use(true)), answered, done(1, "1200-1300", use(true))])],
  [
    "asked for the newest before the answer",
    historyOf([answered, done(1, "150-230", use(true, "t", true)), done(1, "199-230", use(true, "t", true))]),
  ],
  ["refused at once", historyOf([answered, refused(1, "150-160", use(false), rejected)])],
  [
    "refused while it is revoked without an answer",
    historyOf([unknown(0, "100-", revoke()), refused(1, "150-160", use(false), rejected)]),
  ],
  [
    "accepted after a revocation that may not have happened",
    historyOf([unknown(0, "100-200", revoke()), done(1, "9000-9001", use(true))]),
  ],
  [
    "accepted after a refused revocation",
    historyOf([refused(0, "100-200", revoke()), done(1, "9000-9001", use(true))]),
  ],
  ["neither, for another reason", historyOf([refused(1, "9000-9001", { kind: "use", token: "t" }, { status: 503 })])],
  [
    "asked before the revocation, answered during it",
    historyOf([answered, refused(1, "50-150", use(false), rejected)]),
  ],
  ["another token", historyOf([answered, done(1, "9000-9001", use(true, "u"))])],
];

test.each(fine)("fine: %s", (_, history) => {
  expect(revoked(history)).toEqual([]);
});

const broken: readonly [what: string, history: History, finding: RegExp][] = [
  ["accepted after 1 s", historyOf([answered, done(1, "1201-1300", use(true), { node: 2 })]), /node 2.*is accepted/],
  [
    "incident 67: accepted by who asks for the newest, after the answer",
    historyOf([answered, done(1, "201-210", use(true, "t", true))]),
    /with \?consistent → done 200, accepted\] is accepted.*was answered before$/,
  ],
  [
    "a session that was ended is accepted",
    historyOf([done(0, "100-200", revoke("s", "session")), done(1, "1201-1300", use(true, "s"))]),
    /is accepted, though .*end session s/,
  ],
  [
    "accepted 1 s after the first of two answers",
    historyOf([done(3, "90-900", revoke()), answered, done(1, "1201-1300", use(true))]),
    /is accepted, though .*client 0/,
  ],
  ["refused without a revocation", historyOf([refused(1, "1-2", use(false), rejected)]), /is refused/],
  ["refused before the revocation", historyOf([refused(1, "1-99", use(false), rejected), answered]), /is refused/],
  [
    "refused after a refused revocation",
    historyOf([refused(0, "100-200", revoke()), refused(1, "300-301", use(false), rejected)]),
    /is refused/,
  ],
];

test.each(broken)("found: %s", (_, history, finding) => {
  expect(revoked(history)).toEqual([expect.stringMatching(finding)]);
});

import { expect, test } from "vitest";
import type { Entry, History } from "../history.ts";
import { done, historyOf, list, stored, unknown, watch } from "./build.ts";
import { watchers } from "./watchers.ts";

/** A history of roles that end as `a` and `b` of version 3, with an index of 9. Clients stop at 10,000 ms. */
const watched = (...entries: readonly Entry[]): History =>
  historyOf(entries, { pools: { roles: stored("a1 b1", 3) }, indexes: { roles: 9 } });

const whole = { a: 3, b: 3 };
const begun = done(8, "1-2", watch(0, { a: 3 }), { index: 8 });

const fine: readonly [what: string, history: History][] = [
  ["the last watch shows what is there", watched(begun, done(8, "3-14000", watch(8, whole), { index: 9 }))],
  [
    "later watches are not answered",
    watched(done(8, "1-2", watch(0, whole), { index: 9 }), unknown(8, "3-", watch(9))),
  ],
  [
    "later watches time out",
    watched(done(8, "1-2", watch(0, whole), { index: 9 }), done(8, "3-19000", watch(9, whole), { index: 9 })),
  ],
  [
    "watches fail in between",
    watched(begun, unknown(8, "3-4", watch(8)), done(8, "5-6", watch(8, whole), { index: 9 })),
  ],
  [
    "without the last index, the highest that was shown counts",
    historyOf([done(8, "1-2", watch(0, "a"), { index: 9 }), done(1, "1-2", list("a"), { index: 9 })], {
      pools: { roles: stored("a1") },
    }),
  ],
  ["nobody watches", watched(done(1, "1-2", list({ a: 3 }), { index: 8 }))],
];

test.each(fine)("fine: %s", (_, history) => {
  expect(watchers(history)).toEqual([]);
});

const broken: readonly [what: string, history: History, finding: RegExp][] = [
  [
    "the last change is missed",
    watched(begun, unknown(8, "3-", watch(8))),
    /not what roles holds in the end: b missing/,
  ],
  ["one of two misses it", watched(begun, done(9, "1-2", watch(0, whole), { index: 9 })), /client 8.*b missing/],
  [
    "a name is shown that is gone",
    watched(done(8, "1-2", watch(0, { ...whole, c: 1 }), { index: 9 })),
    /c shown but gone/,
  ],
  [
    "a version is old",
    watched(done(8, "1-2", watch(0, { a: 2, b: 3 }), { index: 9 })),
    /a with version 2 instead of 3/,
  ],
  ["the index is old", watched(done(8, "1-2", watch(0, whole), { index: 8 })), /another index/],
  ["the answer has no index", watched(done(8, "1-2", watch(0, whole))), /another index/],
  [
    "it comes too late",
    watched(begun, done(8, "3-15001", watch(8, whole), { index: 9 })),
    /5001 ms after the last fault/,
  ],
  ["it comes after the end", watched(begun, done(8, "3-20001", watch(8, whole), { index: 9 })), /b missing/],
  ["no watch is answered", watched(unknown(8, "1-", watch(0))), /never answered/],
  [
    "somebody was shown a higher index",
    historyOf([done(8, "1-2", watch(0, "a"), { index: 8 }), done(1, "1-2", list("a"), { index: 9 })], {
      pools: { roles: stored("a1") },
    }),
    /another index/,
  ],
];

test.each(broken)("found: %s", (_, history, finding) => {
  expect(watchers(history)).toEqual([expect.stringMatching(finding)]);
});

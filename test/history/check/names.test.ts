import { expect, test } from "vitest";
import type { History } from "../history.ts";
import { create, done, historyOf, refused, remove, stored, unknown } from "./build.ts";
import { names } from "./names.ts";

const one = done(0, "10-20", create("a", "a1"));
const two = done(1, "30-40", create("a", "a2"));
const tag = done(0, "10-20", create("a b", "a1 b1", "tags"));

const fine: readonly [what: string, history: History][] = [
  ["the second is refused", historyOf([one, refused(1, "30-40", create("a"))])],
  ["a delete in between", historyOf([one, done(2, "22-25", remove("a1")), two])],
  ["an unknown delete before", historyOf([one, unknown(2, "5-6", remove("a1")), two])],
  ["a delete while the second is made", historyOf([one, done(2, "39-60", remove("a1")), two])],
  [
    "two at once, the first of which is deleted",
    historyOf([one, done(1, "10-40", create("a", "a2")), done(2, "35-60", remove("a1"))]),
  ],
  [
    "two at once, the second of which is deleted",
    historyOf([one, done(1, "5-15", create("a", "a2")), done(2, "16-60", remove("a2"))]),
  ],
  [
    "the second is made and deleted before the first is, and answered after it",
    historyOf([one, done(1, "5-60", create("a", "a2")), done(2, "8-9", remove("a2"))]),
  ],
  ["an unknown create", historyOf([one, unknown(1, "30-", create("a"))])],
  ["other pools", historyOf([one, done(1, "30-40", create("a", "a2", "policies"))])],
  ["a tag is found", historyOf([tag, done(1, "30-40", create("c a", "c1 a1", "tags"))])],
  [
    "a tag is deleted and made again",
    historyOf([tag, done(2, "22-25", remove("a1", "tags")), done(1, "30-40", create("a b", "a2 b1", "tags"))]),
  ],
];

test.each(fine)("fine: %s", (_, history) => {
  expect(names(history)).toEqual([]);
});

const broken: readonly [what: string, history: History, finding: RegExp][] = [
  ["one after the other", historyOf([one, two]), /a twice, as a1 of .* and a2 of/],
  ["two at once", historyOf([one, done(1, "10-40", create("a", "a2"))]), /a twice/],
  ["two and a refused delete", historyOf([one, refused(2, "22-25", remove("a1")), two]), /a twice/],
  ["two and a delete that comes later", historyOf([one, two, done(2, "41-50", remove("a1"))]), /a twice/],
  [
    "two and an unknown delete that did not happen",
    historyOf([one, two, unknown(2, "22-", remove("a1"))], { pools: { roles: stored("a1") } }),
    /a twice/,
  ],
  [
    "one after many others",
    historyOf([one, done(2, "22-25", remove("a1")), two, done(3, "50-60", create("a", "a3"))]),
    /a2 of .* a3 of/,
  ],
  [
    "one beside several others",
    historyOf([one, two, done(2, "45-46", remove("a2")), done(3, "50-60", create("a", "a3"))]),
    /a1 of .* and a3 of/,
  ],
  ["two ids for one tag", historyOf([tag, done(1, "30-40", create("a", "a2", "tags"))]), /tags has a twice/],
  [
    "a tag that is found later cannot have been deleted before",
    historyOf([
      tag,
      unknown(2, "22-25", remove("a1", "tags")),
      done(1, "30-40", create("a", "a2", "tags")),
      done(1, "50-60", create("a", "a1", "tags")),
    ]),
    /tags has a twice/,
  ],
  ["one id for two names", historyOf([tag, done(1, "30-40", create("c", "a1", "tags"))]), /a1 is a of .* and c of/],
  ["one id for two creates", historyOf([one, done(1, "30-40", create("a", "a1"))]), /gives a1 to/],
  [
    "an id of what was deleted",
    historyOf([tag, done(2, "22-25", remove("a1", "tags")), done(1, "30-40", create("a", "a1", "tags"))]),
    /had deleted/,
  ],
  [
    "the end holds a name twice",
    historyOf([], { pools: { tags: stored("a1 a2") } }),
    /node 0 ends with 2 tags called a: a1 a2/,
  ],
];

test.each(broken)("found: %s", (_, history, finding) => {
  expect(names(history)).toContainEqual(expect.stringMatching(finding));
});

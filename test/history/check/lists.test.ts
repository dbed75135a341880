import { expect, test } from "vitest";
import type { History } from "../history.ts";
import { create, done, historyOf, list, refused, remove, unknown, watch } from "./build.ts";
import { lists } from "./lists.ts";

const made = done(0, "10-20", create("a", "a1"));
const bulk = done(0, "10-20", create("a b", "a1 b1", "tags"));

const fine: readonly [what: string, history: History][] = [
  [
    "lists before, during and after a create",
    historyOf([made, ...["", "a"].map((found) => done(1, "15-18", list(found)))]),
  ],
  ["a list after a create", historyOf([made, done(1, "1-9", list("")), done(1, "21-25", list("a"))])],
  [
    "lists while it is deleted",
    historyOf([made, done(2, "30-40", remove("a1")), done(1, "25-31", list("")), done(3, "39-45", list("a"))]),
  ],
  ["a list after an unknown delete", historyOf([made, unknown(2, "30-31", remove("a1")), done(1, "40-41", list("a"))])],
  ["an unknown create is shown late", historyOf([unknown(0, "10-", create("a")), done(1, "90-91", list("a"))])],
  ["names that were there before", historyOf([made, done(1, "5-6", list("z"))])],
  [
    "all of a bulk create",
    historyOf([bulk, done(1, "12-13", list("a b", "tags")), done(2, "12-13", list("", "tags"))]),
  ],
  [
    "half of a bulk create after a delete",
    historyOf([bulk, done(2, "30-40", remove("b1", "tags")), done(1, "35-36", list("a", "tags"))]),
  ],
  [
    "a name that was deleted and made again",
    historyOf([made, done(2, "30-40", remove("a1")), done(0, "50-60", create("a", "a2")), done(1, "55-56", list("a"))]),
  ],
];

test.each(fine)("fine: %s", (_, history) => {
  expect(lists(history)).toEqual([]);
});

const broken: readonly [what: string, history: History, finding: RegExp][] = [
  ["a list lacks what was there", historyOf([made, done(1, "21-25", list(""))]), /does not show a \(a1\)/],
  ["a watch lacks what was there", historyOf([made, done(1, "21-25", watch(0, ""))]), /does not show a \(a1\)/],
  ["a list shows what is not made yet", historyOf([made, done(1, "1-9", list("a"))]), /shows a, which cannot/],
  [
    "a list shows what was refused",
    historyOf([refused(0, "1-2", create("a")), done(1, "5-9", list("a"))]),
    /shows a, which/,
  ],
  [
    "a list shows what was deleted",
    historyOf([made, done(2, "30-40", remove("a1")), done(1, "41-42", list("a"))]),
    /shows a, which cannot/,
  ],
  [
    "a list shows what was deleted before it was made again",
    historyOf([made, done(2, "30-40", remove("a1")), done(0, "50-60", create("a", "a2")), done(1, "41-42", list("a"))]),
    /shows a, which cannot/,
  ],
  ["half of a bulk create", historyOf([bulk, done(1, "12-13", list("a", "tags"))]), /in part, without b/],
  [
    "half of an unknown bulk create",
    historyOf([unknown(0, "1-", create("a b", undefined, "tags")), done(1, "12-13", list("a", "tags"))]),
    /in part, without b/,
  ],
  [
    "half of a bulk delete",
    historyOf([bulk, unknown(2, "30-", remove("a1 b1", "tags")), done(1, "35-36", list("b", "tags"))]),
    /in part, without a/,
  ],
];

test.each(broken)("found: %s", (_, history, finding) => {
  expect(lists(history)).toContainEqual(expect.stringMatching(finding));
});

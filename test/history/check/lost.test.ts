import { expect, test } from "vitest";
import type { History } from "../history.ts";
import { create, done, historyOf, list, refused, remove, stored, unknown, watch } from "./build.ts";
import { lost } from "./lost.ts";

const roles = (ids: string) => ({ pools: { roles: stored(ids) } });
const tags = (ids: string) => ({ pools: { tags: stored(ids) } });

const fine: readonly [what: string, history: History][] = [
  ["an acknowledged create is there", historyOf([done(0, "1-2", create("a", "a1"))], roles("a1"))],
  [
    "an acknowledged delete took it away",
    historyOf([done(0, "1-2", create("a", "a1")), done(1, "3-4", remove("a1"))], roles("")),
  ],
  [
    "an unknown delete took it away",
    historyOf([done(0, "1-2", create("a", "a1")), unknown(1, "3-", remove("a1"))], roles("")),
  ],
  [
    "an unknown delete did not happen",
    historyOf(
      [done(0, "1-2", create("a b", "a1 b1", "tags")), unknown(1, "3-", remove("a1 b1", "tags"))],
      tags("a1 b1"),
    ),
  ],
  ["an unknown create happened", historyOf([unknown(0, "1-", create("a b", undefined, "tags"))], tags("a1 b1"))],
  ["an unknown create did not happen", historyOf([unknown(0, "1-", create("a"))], roles(""))],
  [
    "an unknown create happened, and a part of it was deleted",
    historyOf([unknown(0, "1-", create("a b", undefined, "tags")), done(1, "3-4", remove("b2", "tags"))], tags("a1")),
  ],
  [
    "an unknown create found a tag that was there",
    historyOf(
      [done(0, "1-2", create("b", "b1", "tags")), unknown(0, "3-", create("a b", undefined, "tags"))],
      tags("a1 b1"),
    ),
  ],
  ["a refused create is not there", historyOf([refused(0, "1-2", create("a"))], roles(""))],
  ["what no create names was there before", historyOf([refused(0, "1-2", create("a"))], roles("b1"))],
  [
    "a shown name was deleted while it was shown",
    historyOf([unknown(0, "1-", create("a")), done(1, "4-8", list("a")), done(2, "5-6", remove("a1"))], roles("")),
  ],
];

test.each(fine)("fine: %s", (_, history) => {
  expect(lost(history)).toEqual([]);
});

const broken: readonly [what: string, history: History, finding: RegExp][] = [
  ["an acknowledged create is lost", historyOf([done(0, "1-2", create("a", "a1"))], roles("")), /lacks a \(a1\)/],
  [
    "a refused delete took it away",
    historyOf([done(0, "1-2", create("a", "a1")), refused(1, "3-4", remove("a1"))], roles("")),
    /lacks a \(a1\).*no delete/,
  ],
  [
    "only another object of that name was deleted",
    historyOf(
      [done(0, "1-2", create("a", "a1")), done(1, "3-4", remove("a1")), done(0, "5-6", create("a", "a2"))],
      roles(""),
    ),
    /lacks a \(a2\)/,
  ],
  [
    "an acknowledged delete did not take it away",
    historyOf([done(0, "1-2", create("a", "a1")), done(1, "3-4", remove("a1"))], roles("a1")),
    /still holds a1 of .*delete roles a/,
  ],
  [
    "a refused create had an effect",
    historyOf([refused(0, "1-2", create("a"))], roles("a1")),
    /holds a \(a1\).*not refused/,
  ],
  [
    "a bulk create lost a part",
    historyOf([done(0, "1-2", create("a b", "a1 b1", "tags"))], tags("a1")),
    /lacks b \(b1\)/,
  ],
  [
    "an unknown bulk create happened by halves",
    historyOf([unknown(0, "1-", create("a b", undefined, "tags"))], tags("a1")),
    /holds a \(a1\).*not all of/,
  ],
  [
    "an unknown bulk create happened by halves, and a delete was over before",
    historyOf(
      [
        done(0, "1-2", create("b", "b1", "tags")),
        done(1, "3-4", remove("b1", "tags")),
        unknown(2, "10-", create("a b", undefined, "tags")),
      ],
      tags("a2"),
    ),
    /holds a \(a2\).*not all of/,
  ],
  [
    "an unknown bulk create happened by halves, for a name that was taken",
    historyOf([done(0, "1-2", create("b", "b1")), unknown(2, "10-", create("a b"))], roles("a2 b1")),
    /holds a \(a2\).*not all of/,
  ],
  [
    "an unknown bulk delete happened by halves",
    historyOf([done(0, "1-2", create("a b", "a1 b1", "tags")), unknown(1, "3-", remove("a1 b1", "tags"))], tags("a1")),
    /lacks b \(b1\)/,
  ],
  [
    "no choice of two unknown bulk deletes explains what is gone",
    historyOf(
      [
        done(0, "1-2", create("a b c", "a1 b1 c1", "tags")),
        unknown(1, "3-", remove("a1 b1", "tags")),
        unknown(2, "3-", remove("b1 c1", "tags")),
      ],
      tags("a1 c1"),
    ),
    /lacks b \(b1\)/,
  ],
  [
    "a shown name vanished",
    historyOf([unknown(0, "1-", create("a")), done(1, "4-8", watch(1, "a"))], roles("")),
    /lacks a in the end, which .*watch roles since 1/,
  ],
  [
    "a shown name vanished, and its delete was over before",
    historyOf([unknown(0, "1-", create("a")), done(2, "2-3", remove("a1")), done(1, "4-8", list("a"))], roles("")),
    /lacks a in the end/,
  ],
  [
    "an object has another name",
    historyOf([done(0, "1-2", create("a", "x1"))], { pools: { roles: [{ name: "b", id: "x1", version: 0 }] } }),
    /a \(x1\).*is called b/,
  ],
  ["an answer lacks ids", historyOf([done(0, "1-2", create("a"))], roles("")), /without an id/],
  [
    "nodes differ",
    historyOf([], {}, { nodes: ["a1", "a1", "a1 b1"].map((ids) => roles(ids)) }),
    /nodes 0 and 2 end with different roles/,
  ],
  [
    "nodes differ in a version",
    historyOf([], {}, { nodes: [3, 4].map((version) => ({ pools: { roles: stored("a1", version) } })) }),
    /nodes 0 and 1 end with different roles/,
  ],
  ["nobody looked", historyOf([], {}, { nodes: [] }), /no node/],
];

test.each(broken)("found: %s", (_, history, finding) => {
  expect(lost(history)).toContainEqual(expect.stringMatching(finding));
});

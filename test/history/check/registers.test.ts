import { expect, test } from "vitest";
import type { Entry, History } from "../history.ts";
import { cas, done, historyOf, read, refused, unknown, write } from "./build.ts";
import { registers } from "./registers.ts";

/** A history of the register `r`, which ends with a value and its version. */
const ending = (value: string, version: number, ...entries: readonly Entry[]): History =>
  historyOf(entries, { registers: { r: [value, version] } });

const a5 = done(0, "10-20", write("a", 5));

/** The first refusal wants version 8 to begin by 31 ms, or an unseen write before it; the second not before 40 ms. */
const late = [
  a5,
  refused(2, "30-31", cas("x", 5)),
  done(1, "28-60", write("b", 8)),
  refused(2, "40-41", cas("y", 8)),
  done(3, "70-71", cas("c", 8, 9)),
];
const seldom = unknown(4, "25-", write("z"));

const fine: readonly [what: string, history: History][] = [
  [
    "writes and reads one after the other",
    ending("b", 7, a5, done(1, "21-22", read("a", 5)), done(1, "23-24", write("b", 7))),
  ],
  ["what was there before is read", ending("x", 3, done(0, "1-2", read("x", 3)))],
  [
    "reads during a write, of before and after",
    ending("a", 5, a5, done(1, "11-12", read("x", 3)), done(2, "15-16", read("a", 5))),
  ],
  [
    "an unknown write is read late",
    ending("b", 7, a5, unknown(1, "30-", write("b")), done(2, "40-41", read("a", 5)), done(2, "50-51", read("b", 7))),
  ],
  ["an unknown write never happens", ending("a", 5, a5, unknown(1, "30-", write("b")))],
  ["a compare-and-set follows what it expected", ending("b", 7, a5, done(1, "30-31", cas("b", 5, 7)))],
  ["a compare-and-set expects what the register was made with", ending("b", 7, done(1, "30-31", cas("b", 5, 7)))],
  [
    "a refused one met a later version",
    ending("b", 7, a5, done(1, "30-40", write("b", 7)), refused(2, "35-36", cas("c", 5))),
  ],
  ["a refused one met an earlier version", ending("a", 5, a5, refused(2, "15-16", cas("c", 5)))],
  [
    "a refused one met an unknown write that was overwritten",
    ending(
      "c",
      9,
      a5,
      unknown(1, "30-", write("b")),
      refused(2, "35-36", cas("d", 5)),
      done(3, "50-51", write("c", 9)),
    ),
  ],
  [
    "a refused one met an unknown compare-and-set that was overwritten",
    ending(
      "c",
      9,
      a5,
      unknown(1, "30-", cas("b", 5)),
      refused(2, "35-36", cas("d", 5)),
      done(3, "50-51", write("c", 9)),
    ),
  ],
  ["an unseen write leaves the next one the time that another refusal needs", ending("c", 9, ...late, seldom)],
  ["a refused one expected what never was", ending("a", 5, a5, refused(2, "35-36", cas("c", 4)))],
  [
    "refusals for want of a database",
    ending(
      "a",
      5,
      a5,
      refused(1, "30-31", cas("b", 5), { status: 503 }),
      refused(1, "32-33", write("c"), { status: 429 }),
    ),
  ],
];

test.each(fine)("fine: %s", (_, history) => {
  expect(registers(history)).toEqual([]);
});

const broken: readonly [what: string, history: History, finding: RegExp][] = [
  [
    "a version has two values",
    ending("a", 5, a5, done(1, "30-31", read("b", 5)), unknown(2, "1-", write("b"))),
    /version 5 has two values/,
  ],
  ["a value has two versions", ending("a", 5, a5, done(1, "30-31", read("a", 6))), /value has two versions/],
  [
    "two writes get one version",
    historyOf([a5, done(1, "1-2", write("b", 5, "s"))], { registers: { r: ["a", 5], s: ["b", 5] } }),
    /version 5 is given to/,
  ],
  ["a value is written twice", ending("a", 5, a5, unknown(1, "30-31", write("a"))), /written twice/],
  ["a value that nobody wrote", ending("a", 5, a5, done(1, "30-31", read("z", 7))), /nobody wrote/],
  ["a value that was refused", ending("b", 7, a5, refused(1, "30-31", write("b"))), /which was refused/],
  [
    "a later write has a lower version",
    ending("a", 5, a5, done(1, "30-31", write("b", 4))),
    /was over before .* began/,
  ],
  [
    "a stale read",
    ending("b", 7, a5, done(1, "30-31", write("b", 7)), done(2, "40-41", read("a", 5))),
    /was over before .*read r/,
  ],
  [
    "a read goes back behind another",
    ending("b", 7, a5, unknown(1, "30-", write("b")), done(2, "40-41", read("b", 7)), done(3, "42-43", read("a", 5))),
    /was over before .* began/,
  ],
  [
    "a read before the write was asked for",
    ending("a", 5, done(1, "1-2", read("a", 5)), a5),
    /was over before .* began/,
  ],
  [
    "a compare-and-set that does not follow",
    ending("c", 9, a5, done(1, "30-31", write("b", 7)), done(2, "32-33", cas("c", 5, 9))),
    /does not follow/,
  ],
  [
    "two compare-and-sets follow the same",
    ending("c", 7, a5, done(1, "30-40", cas("b", 5, 6)), done(2, "30-40", cas("c", 5, 7))),
    /does not follow/,
  ],
  [
    "an unknown compare-and-set that was seen does not follow",
    ending("c", 9, a5, done(1, "30-31", write("b", 7)), unknown(2, "25-", cas("c", 5))),
    /does not follow/,
  ],
  [
    "a compare-and-set is refused without a reason",
    ending("a", 5, a5, refused(2, "30-31", cas("c", 5))),
    /all the time/,
  ],
  [
    "a refusal whose only excuse comes later",
    ending("b", 7, a5, refused(2, "30-31", cas("c", 5)), done(1, "32-33", write("b", 7))),
    /all the time/,
  ],
  [
    "a refusal whose only excuse is not what is there in the end",
    ending("a", 5, a5, unknown(1, "25-", write("b")), refused(2, "30-31", cas("c", 5))),
    /all the time/,
  ],
  [
    "a refusal whose only excuse would part a compare-and-set from what it expected",
    ending(
      "d",
      9,
      a5,
      unknown(1, "25-", write("b")),
      refused(2, "30-31", cas("c", 5)),
      done(3, "40-41", cas("d", 5, 9)),
    ),
    /all the time/,
  ],
  [
    "a refusal whose only excuse would need a version that there is not",
    ending(
      "c",
      6,
      a5,
      unknown(1, "25-", write("b")),
      refused(2, "30-31", cas("d", 5)),
      done(3, "50-51", write("c", 6)),
    ),
    /all the time/,
  ],
  ["two refusals between which a write would have to be both early and late", ending("c", 9, ...late), /all the time/],
  [
    "two refusals with one excuse",
    ending(
      "e",
      9,
      a5,
      unknown(1, "25-", write("b")),
      refused(2, "30-31", cas("c", 5)),
      done(3, "40-41", write("d", 7)),
      refused(2, "50-51", cas("f", 7)),
      done(3, "60-61", write("e", 9)),
    ),
    /all the time/,
  ],
  [
    "the end is not the highest version",
    ending("a", 5, a5, unknown(1, "30-", write("b")), done(2, "40-41", read("b", 7))),
    /ends with version 5/,
  ],
  [
    "nodes end differently",
    historyOf(
      [a5, unknown(1, "30-", write("b"))],
      {},
      { registers: [5, 7].map((version) => ({ r: { value: version === 5 ? "a" : "b", version } })) },
    ),
    /node 0 ends with version 5/,
  ],
  [
    "a node lacks a register",
    historyOf([a5], {}, { registers: [{ r: { value: "a", version: 5 } }, {}] }),
    /not in the final state/,
  ],
  ["the end is not recorded", historyOf([a5]), /not in the final state/],
  [
    "a register is not found",
    ending("a", 5, a5, refused(1, "30-31", { kind: "read", register: "r" }, { status: 404 })),
    /does not find/,
  ],
  [
    "an answer has no version",
    ending("a", 5, a5, done(1, "30-31", { kind: "read", register: "r" })),
    /without a value or a version/,
  ],
];

test.each(broken)("found: %s", (_, history, finding) => {
  expect(registers(history)).toContainEqual(expect.stringMatching(finding));
});

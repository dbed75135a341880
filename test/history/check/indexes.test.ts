import { expect, test } from "vitest";
import { done, historyOf, list, unknown, watch } from "./build.ts";
import { indexes } from "./indexes.ts";

test("fine: indexes of a client rise or stay, and others and other pools have their own", () => {
  const history = historyOf([
    done(0, "1-2", list(""), { index: 5 }),
    done(1, "3-4", list(""), { index: 4 }),
    done(0, "3-4", list("", "policies"), { index: 2 }),
    done(0, "5-6", watch(5, ""), { index: 5 }),
    unknown(0, "7-8", list(""), { index: 1 }),
    done(0, "9-10", list("", "tags")),
    done(0, "11-12", list(""), { index: 7 }),
  ]);
  expect(indexes(history)).toEqual([]);
});

test("found: an index goes back, on another node", () => {
  const history = historyOf([
    done(0, "1-2", list(""), { index: 5, node: 0 }),
    done(0, "3-4", list(""), { index: 4, node: 1 }),
  ]);
  expect(indexes(history)).toEqual([expect.stringMatching(/goes back from .*node 0.* to .*node 1/)]);
});

test("found: the index of a watch goes back behind that of a list", () => {
  const history = historyOf([done(0, "1-2", list(""), { index: 5 }), done(0, "3-4", watch(0, ""), { index: 4 })]);
  expect(indexes(history)).toEqual([expect.stringMatching(/goes back/)]);
});

test("found: a watch is answered with an index below its own", () => {
  const history = historyOf([done(0, "1-2", watch(5, ""), { index: 4 })]);
  expect(indexes(history)).toEqual([expect.stringMatching(/watch roles since 5 .*below its own/)]);
});

test("found: an index that rises again, but not to where it was", () => {
  const history = historyOf([5, 3, 4].map((index, turn) => done(0, `${turn}-${turn}`, list(""), { index })));
  expect(indexes(history)).toHaveLength(2);
});

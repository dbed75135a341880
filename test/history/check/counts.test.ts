import { expect, test } from "vitest";
import { historyOf } from "./build.ts";
import { counts } from "./counts.ts";

test("fine: the recount finds what was counted", () => {
  expect(counts(historyOf([]))).toEqual([]);
});

test("found: each contradiction, on one line", () => {
  const contradictions = ["tag_count of an organization: a", "a link of no tag: b\nc"];
  expect(counts(historyOf([], { contradictions }))).toEqual([
    "tag_count of an organization: a",
    "a link of no tag: b c",
  ]);
});

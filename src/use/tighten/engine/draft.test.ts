import { expect, test, vi } from "vitest";
import type { RuleEdit } from "./edit.ts";
import { writeDraft } from "./draft.ts";
import { readSource } from "./source.ts";

test("a draft of thousands of rules is written without another look at what was written before", () => {
  const text = Array.from({ length: 1000 }, (_, index) => `key "${index}" { policy = "read" }\n`).join("");
  const reading = readSource(text, { edition: "enterprise" });
  let step = reading.next();
  while (step.done !== true) step = reading.next();
  const source = step.value;
  // Every second one goes: the rest of the text grows.
  const edits = new Map(source.lines.filter((_, index) => index % 2 === 1).map(({ at }) => [at, DROPPED]));
  const looks = vi.spyOn(RegExp.prototype, "exec");
  try {
    const draft = writeDraft(source, edits);
    const looked = looks.mock.calls.reduce((sum, [part]) => sum + part.length, 0);
    expect(draft.split("\n").length).toBe(501);
    expect(looks).toHaveBeenCalled();
    expect(looked).toBeLessThan(20 * text.length);
  } finally {
    looks.mockRestore();
  }
});

const DROPPED: RuleEdit = { action: "dropped" };

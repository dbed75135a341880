import { expect, test } from "vitest";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { lineFinder, positionOf } from "../../rights/rules/scanner.ts";
import { renderTightenedPolicy } from "./schema.ts";
import type { TightenedPolicyDraft } from "./service.ts";

test("the line of an index is that of its position", () => {
  const random = randomOfRun();
  for (let round = 0; round < 200; round++) {
    const text = Array.from({ length: Math.floor(random() * 30) }, () => (random() < 0.3 ? "\n" : "a")).join("");
    const lineOf = lineFinder(text);
    for (let at = 0; at <= text.length; at++) expect(lineOf(at), text).toBe(positionOf(text, at).line);
  }
});

test("the text is not read from its start for each of its lines: there may be thousands on half a megabyte", () => {
  let reads = 0;
  const text = "a\n".repeat(3);
  const read = <T>(value: T): T => {
    reads += 1;
    return value;
  };
  const rules = {
    slice: (from: number, to: number) => read(text.slice(from, to)),
    indexOf: (part: string, from: number) => read(text.indexOf(part, from)),
  } as unknown as string;
  const kept = { name: 'key "a"', blocks: [], action: "kept", reason: "used", met: [] };
  const lines = Array.from({ length: 1000 }, (_, index) => ({ ...kept, at: index % text.length }));
  const grounds = { days: 90, since: 0, gap: undefined, holders: { role: 0, "binding-rule": 0, token: 0 } };
  const draft = { id: "", name: "", rules, draft: undefined, lines, ...grounds } as unknown as TightenedPolicyDraft;
  const { Lines } = renderTightenedPolicy(draft);
  expect(Lines.slice(0, 6).map(({ Line }) => Line)).toEqual([1, 1, 2, 2, 3, 3]);
  expect(reads).toBeLessThan(10);
});

import { expect, test } from "vitest";
import { EntryTexts, hole, listText, textMaker, valueHole } from "./entry-texts.ts";
import { textOf } from "../jsonapi/documents.ts";

const TEXTS = ["", "plain", 'a "quoted" \\ text', "line\nbreak\0", "é😀", "\ud83d", "$&", "\\u0000id\\u0000"];

test.each(TEXTS)("an entry made of an example is that of JSON.stringify: %j", (text) => {
  const entry = (id: string, names: string[], count: number) => ({ id, self: `/x/${id}/y`, none: null, names, count });
  const make = textMaker<"id" | "names" | "count">(entry(hole("id"), valueHole("names"), valueHole("count")));
  for (const names of [[], [text], ["a", text, "b"]]) {
    const parts = { id: text, names: listText(names), count: "7" };
    expect(make(parts)).toBe(JSON.stringify(entry(text, names, 7)));
  }
});

test("an example without a hole is the text of every entry", () => {
  expect(textMaker({ a: 1 })({})).toBe('{"a":1}');
});

test.each([0, 1, 8, 9, 100])("a document of %i entries in words is that of the entries", async (count) => {
  const entries = Array.from({ length: count }, (_, id) => ({ id: `${id}`, text: "é😀" }));
  const texts = new EntryTexts(entries.map((entry) => JSON.stringify(entry)));
  expect(texts.length).toBe(count);
  const rest = { included: undefined, meta: { total: count } };
  const expected = JSON.stringify({ data: entries, ...rest });
  expect(await textOf({ data: texts, ...rest })).toBe(expected);
  expect(JSON.stringify({ data: texts, ...rest })).toBe(expected);
});

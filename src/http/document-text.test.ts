import { describe, expect, test } from "vitest";
import { textOf } from "./jsonapi/documents.ts";

const entry = (id: number, text: string) => ({
  id: `${id}`,
  attributes: { text, none: undefined, list: [1, "ü", null] },
});
const list = (length: number, text = "é😀") => Array.from({ length }, (_, id) => entry(id, text));

describe("the text of a document", () => {
  test.each([
    ["a number", 1],
    ["nothing", null],
    ["an empty list", { data: [], meta: { "a\nb": 1 } }],
    ["few entries", { data: list(3), included: undefined, links: { self: "/" } }],
    ["many short entries", { data: list(100), meta: { total: 100 }, included: list(9) }],
    ["a list alone, and lists in one", [list(20)]],
    ["entries that have no JSON", { data: [...list(20), undefined, () => 1] }],
  ])("is that of JSON.stringify: %s", async (_name, document) => {
    expect(await textOf(document)).toBe(JSON.stringify(document));
  });

  test("of long entries is the same in UTF-8, and others come in between", async () => {
    const document = { data: list(200, "é😀".repeat(20_000)), meta: { total: 200 }, links: null };
    let others = 0;
    const ticking = setInterval(() => (others += 1), 1);
    const text = await textOf(document);
    clearInterval(ticking);
    expect(Buffer.isBuffer(text)).toBe(true);
    expect(text.toString()).toBe(JSON.stringify(document));
    expect(others).toBeGreaterThan(2);
  });
});

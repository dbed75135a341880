import { expect, test } from "vitest";
import { PrefixTable } from "./prefix-table.ts";

/** Looks at every prefix. */
function findPlainly(prefixes: readonly string[], text: string): string | undefined {
  return prefixes.filter((prefix) => text.startsWith(prefix)).sort((a, b) => b.length - a.length)[0];
}

const table = (prefixes: readonly string[]) => new PrefixTable(prefixes.map((prefix) => [prefix, prefix] as const));

test.each([
  ["a chain", Array.from({ length: 300 }, (_, i) => "a".repeat(i + 1))],
  ["a chain that begins with the empty text", Array.from({ length: 300 }, (_, i) => "a".repeat(i))],
  ["a comb", Array.from({ length: 300 }, (_, i) => `${"b".repeat(i)}a`)],
  ["chains beside each other", Array.from({ length: 300 }, (_, i) => `${i % 7}${"ab".repeat(i % 30)}`)],
  ["texts beyond the first plane", ["\u{1f600}", "\u{1f600}\u{1f601}", "\uffff", "é", "e\u0301"]],
])("the longest prefix is found in %s", (_what, prefixes) => {
  const found = table(prefixes);
  const texts = prefixes.flatMap((prefix) => [
    prefix,
    `${prefix}b`,
    `${prefix}a`,
    prefix.slice(0, -1),
    `${prefix}\uffff`,
  ]);
  for (const text of ["", "z", ...texts]) expect([text, found.find(text)]).toEqual([text, findPlainly(prefixes, text)]);
});

test("what is below a text is listed in order, the text itself left out", () => {
  const found = table(["", "a", "ab", "abc", "b", "ac"]);
  expect(Array.from(found.below("a"), ([prefix]) => prefix)).toEqual(["ab", "abc", "ac"]);
  expect(Array.from(found.below(""), ([prefix]) => prefix)).toEqual(["a", "ab", "abc", "ac", "b"]);
  expect(Array.from(found.below("c"), ([prefix]) => prefix)).toEqual([]);
});

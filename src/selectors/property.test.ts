import { describe, expect, test } from "vitest";
import { randomOfRun } from "../../test/support/seeded.ts";
import { sized } from "../../test/support/length.ts";
import { parseSelector } from "./parse.ts";
import { printSelector } from "./print.ts";
import type { Path, Selector, Test } from "./tree.ts";

const TREES = sized(3000, 100_000);

const random = randomOfRun();
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const many = <T>(least: number, most: number, make: () => T): T[] =>
  Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, make);

const PLACE = { start: 0, end: 0 };
const IDENTIFIERS = ["a", "value", "Team_1", "and", "or", "not", "in", "is", "empty", "contains", "matches"];
const CHARACTERS = [
  "a",
  "B",
  " ",
  '"',
  "`",
  "\\",
  "\n",
  "\r",
  "\t",
  "\0",
  "]",
  ".",
  "(",
  "'",
  "é",
  "😀",
  "\u0085",
  "\ud800",
];
const OPERATORS = ["==", "!=", "in", "not in", "matches", "not matches", "is empty", "is not empty"] as const;

describe("a selector that was printed", () => {
  test(`reads as the same tree, ${TREES} random ones`, () => {
    for (let round = 0; round < TREES; round++) {
      const tree = randomTree(4);
      const text = printSelector(tree);
      const again = parseSelector(text);
      if (JSON.stringify(withoutPlaces(again)) !== JSON.stringify(withoutPlaces(tree))) {
        expect({ text, tree: withoutPlaces(again) }).toEqual({ text, tree: withoutPlaces(tree) });
      }
      expect(printSelector(again)).toBe(text);
      expectPlaces(text, again);
    }
  });
});

function randomTree(depth: number): Selector {
  const kind = depth === 0 ? "test" : pick(["test", "not", "and", "or"] as const);
  if (kind === "test") return randomTest();
  if (kind === "not") return { kind, operand: randomTree(depth - 1), ...PLACE };
  return { kind, operands: many(2, 4, () => randomTree(depth - 1)), ...PLACE };
}

function randomTest(): Test {
  const operator = pick(OPERATORS);
  const path: Path = [pick(IDENTIFIERS), ...many(0, 3, () => (random() < 0.5 ? pick(IDENTIFIERS) : randomText()))];
  // No text reads as this tree: `not not matches x` is the negation of `not matches x`, as `not` binds first.
  if (operator === "not matches" && path.length === 1 && path[0] === "not") return randomTest();
  if (operator === "is empty" || operator === "is not empty") return { kind: "test", operator, path, ...PLACE };
  return { kind: "test", operator, path, value: randomText(), ...PLACE };
}

function randomText(): string {
  return many(0, 4, () => pick(CHARACTERS)).join("");
}

/** Every part of a tree, cut out of the text by its place, reads as that part. */
function expectPlaces(text: string, tree: Selector): void {
  const parts: readonly Selector[] = tree.kind === "test" ? [] : tree.kind === "not" ? [tree.operand] : tree.operands;
  for (const part of parts) {
    const cut = parseSelector(text.slice(part.start, part.end));
    if (printSelector(cut) !== printSelector(part)) expect(printSelector(cut)).toBe(printSelector(part));
    expectPlaces(text, part);
  }
}

function withoutPlaces(tree: Selector): unknown {
  const { start: _start, end: _end, ...rest } = tree;
  if (rest.kind === "test") {
    // The order of keys is the printer's business, not the tree's.
    return [rest.operator, rest.path, "value" in rest ? rest.value : null];
  }
  if (rest.kind === "not") return ["not", withoutPlaces(rest.operand)];
  return [rest.kind, ...rest.operands.map(withoutPlaces)];
}

import { quoteForMessage } from "./quoted-text.ts";
import { SelectorError } from "./selector-error.ts";
import type { IdentityShape, Structure } from "./shape.ts";
import type { Operator, Selector, Test } from "./tree.ts";

const OPERATOR_NAMES: Readonly<Record<Operator, string>> = {
  "==": "Equal",
  "!=": "Not Equal",
  in: "In",
  "not in": "Not In",
  "is empty": "Is Empty",
  "is not empty": "Is Not Empty",
  matches: "Matches",
  "not matches": "Not Matches",
};

const OF_TEXT: readonly Operator[] = ["==", "!=", "in", "not in", "matches", "not matches"];
const OF_MANY: readonly Operator[] = ["in", "not in", "is empty", "is not empty"];
const OPERATORS: Readonly<Record<IdentityShape["kind"], readonly Operator[]>> = {
  text: OF_TEXT,
  list: OF_MANY,
  map: OF_MANY,
  structure: [],
};

/**
 * Checks that a selector asks only for what an identity can hold, and only what can be asked of it. A map has every key.
 * @throws {SelectorError} for the first test that does not fit
 */
export function checkSelector(selector: Selector, identity: Structure): void {
  switch (selector.kind) {
    case "test":
      checkTest(selector, identity);
      return;
    case "not":
      checkSelector(selector.operand, identity);
      return;
    case "and":
    case "or":
      for (const operand of selector.operands) checkSelector(operand, identity);
  }
}

function checkTest(test: Test, identity: Structure): void {
  let shape: IdentityShape = identity;
  for (const [depth, name] of test.path.entries()) {
    const next = shapeOf(name, shape);
    if (next === undefined) {
      const known = quoteForMessage(test.path.slice(0, depth + 1).join("."));
      throw new SelectorError(`Selector ${known} is not valid`, test.start);
    }
    shape = next;
  }
  if (OPERATORS[shape.kind].includes(test.operator)) return;
  const path = quoteForMessage(test.path.join("."));
  const name = OPERATOR_NAMES[test.operator];
  throw new SelectorError(`Invalid match operator "${name}" for selector ${path}`, test.start);
}

function shapeOf(name: string, shape: IdentityShape): IdentityShape | undefined {
  if (shape.kind === "structure") return shape.fields.get(name);
  return shape.kind === "map" ? shape.values : undefined;
}

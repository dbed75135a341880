import { quote } from "./quoted-text.ts";
import type { Path, Selector, Test } from "./tree.ts";

/**
 * Writes a selector in one spelling: `in` for `contains`, values in quotes, parentheses only where they say something.
 * Reading the text again gives the same tree, places aside, for every tree that was read.
 */
export function printSelector(selector: Selector): string {
  switch (selector.kind) {
    case "test":
      return printTest(selector);
    case "not":
      return `not ${printOperand(selector.operand, isJoined)}`;
    case "and":
      return selector.operands.map((operand) => printOperand(operand, isJoined)).join(" and ");
    case "or":
      return selector.operands.map((operand) => printOperand(operand, isOr)).join(" or ");
  }
}

function printOperand(operand: Selector, needsParentheses: (selector: Selector) => boolean): string {
  const text = printSelector(operand);
  return needsParentheses(operand) ? `(${text})` : text;
}

function isJoined({ kind }: Selector): boolean {
  return kind === "and" || kind === "or";
}

function isOr({ kind }: Selector): boolean {
  return kind === "or";
}

function printTest(test: Test): string {
  switch (test.operator) {
    case "is empty":
    case "is not empty":
      return `${printPath(test.path)} ${test.operator}`;
    case "in":
    case "not in":
      return `${quote(test.value)} ${test.operator} ${printPath(test.path)}`;
    case "==":
    case "!=":
    case "matches":
    case "not matches":
      return `${printPath(test.path)} ${test.operator} ${quote(test.value)}`;
  }
}

const IDENTIFIER = /^[a-zA-Z][a-zA-Z0-9_]*$/;

function printPath([first, ...rest]: Path): string {
  return first + rest.map((name) => (IDENTIFIER.test(name) ? `.${name}` : `[${quote(name)}]`)).join("");
}

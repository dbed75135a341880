import { utf8Length, SelectorScanner } from "./scanner.ts";
import { SelectorError } from "./selector-error.ts";
import type { Path, Selector, Test, ValueOperator } from "./tree.ts";

/** Longest selector, in bytes of UTF-8. */
export const MAX_BYTES = 8192;
/** Most parentheses and `not`s around each other. */
export const MAX_DEPTH = 100;

/**
 * Reads a selector. The empty text is none: who gives a meaning to it asks before.
 *
 * Below, what returns undefined found nothing at its place and has left word of what it looked for; the text as a whole may
 * still have a meaning. What can only be a mistake is thrown at once.
 *
 * @throws {SelectorError} whose message begins with `line:column (byte offset)`, or says that the text is too long
 */
export function parseSelector(text: string): Selector {
  if (text.length > MAX_BYTES || utf8Length(text) > MAX_BYTES) {
    throw new SelectorError(`longer than ${MAX_BYTES} bytes`);
  }
  const scanner = new SelectorScanner(text);
  scanner.skipSpace();
  const selector = parseOr(scanner, 0);
  if (selector === undefined) throw scanner.noMatch();
  scanner.skipSpace();
  if (!scanner.isAtEnd()) throw scanner.noMatch();
  return selector;
}

type Parse = (scanner: SelectorScanner, depth: number) => Selector | undefined;

function parseOr(scanner: SelectorScanner, depth: number): Selector | undefined {
  return parseJoined(scanner, depth, "or", parseAnd);
}

function parseAnd(scanner: SelectorScanner, depth: number): Selector | undefined {
  return parseJoined(scanner, depth, "and", parseNot);
}

/** A loop, not a recursion: a selector may join a thousand tests without being deep. */
function parseJoined(scanner: SelectorScanner, depth: number, word: "and" | "or", parse: Parse): Selector | undefined {
  const first = parse(scanner, depth);
  if (first === undefined) return undefined;
  let operands: Selector[] | undefined;
  let last = first;
  let before = scanner.at;
  while (scanner.takeSpace() && scanner.take(word) && scanner.takeSpace()) {
    const next = parse(scanner, depth);
    // Nothing else can begin with this word here, so the text as a whole means nothing.
    if (next === undefined) return undefined;
    operands ??= [first];
    operands.push(next);
    last = next;
    before = scanner.at;
  }
  scanner.at = before;
  return operands === undefined ? first : { kind: word, operands, start: first.start, end: last.end };
}

/** `not` may also be a name or a value (`not == x`, `not in x`): it is one where nothing to negate follows. */
function parseNot(scanner: SelectorScanner, depth: number): Selector | undefined {
  const start = scanner.at;
  if (scanner.take("not") && scanner.takeSpace()) {
    const operand = parseNot(scanner, deeper(scanner, depth, start));
    if (operand !== undefined) return { kind: "not", operand, start, end: operand.end };
  }
  scanner.at = start;
  return scanner.take("(") ? parseGroup(scanner, depth, start) : parseTest(scanner);
}

function parseGroup(scanner: SelectorScanner, depth: number, start: number): Selector | undefined {
  const inside = deeper(scanner, depth, start);
  scanner.skipSpace();
  const inner = parseOr(scanner, inside);
  if (inner === undefined) return undefined;
  scanner.skipSpace();
  if (!scanner.take(")")) throw scanner.error("grouping", "Unmatched parentheses");
  return { ...inner, start, end: scanner.at };
}

function deeper(scanner: SelectorScanner, depth: number, start: number): number {
  if (depth >= MAX_DEPTH) throw scanner.tooDeep(MAX_DEPTH, start);
  return depth + 1;
}

function parseTest(scanner: SelectorScanner): Test | undefined {
  const start = scanner.at;
  const literal = scanner.quoted() ?? scanner.number();
  if (literal !== undefined) {
    if (!scanner.takeSpace()) return undefined;
    const isNegated = takeNot(scanner);
    return parseMembership(scanner, start, literal, isNegated);
  }
  const path = parsePath(scanner);
  if (path === undefined) return undefined;
  const end = scanner.at;
  const hasSpace = scanner.takeSpace();
  if (scanner.take("==")) return parseValueTest(scanner, start, path, "==", true);
  if (scanner.take("!=")) return parseValueTest(scanner, start, path, "!=", true);
  return hasSpace ? parseWordTest(scanner, start, path, end) : undefined;
}

/** A test whose operator is made of words. @param pathEnd where the path ended, which is a value before `in` */
function parseWordTest(scanner: SelectorScanner, start: number, path: Path, pathEnd: number): Test | undefined {
  if (scanner.take("is")) return parseEmptiness(scanner, start, path);
  const isNegated = takeNot(scanner);
  if (scanner.take("contains")) {
    return parseValueTest(scanner, start, path, isNegated ? "not in" : "in", scanner.takeSpace());
  }
  if (scanner.take("matches")) {
    return parseValueTest(scanner, start, path, isNegated ? "not matches" : "matches", scanner.takeSpace());
  }
  const word = scanner.text.slice(start, pathEnd);
  // With an index it can be nothing but a field, and fields are not compared with each other.
  return word.includes("[") ? undefined : parseMembership(scanner, start, word, isNegated);
}

function parseEmptiness(scanner: SelectorScanner, start: number, path: Path): Test | undefined {
  if (!scanner.takeSpace()) return undefined;
  const isNegated = takeNot(scanner);
  if (!scanner.take("empty")) return undefined;
  return { kind: "test", operator: isNegated ? "is not empty" : "is empty", path, start, end: scanner.at };
}

function parseValueTest(
  scanner: SelectorScanner,
  start: number,
  path: Path,
  operator: ValueOperator,
  isSeparated: boolean,
): Test | undefined {
  if (!isSeparated) return undefined;
  scanner.skipSpace();
  const value = scanner.quoted() ?? scanner.number() ?? parseWord(scanner);
  return value === undefined ? undefined : { kind: "test", operator, path, value, start, end: scanner.at };
}

function parseMembership(scanner: SelectorScanner, start: number, value: string, isNegated: boolean): Test | undefined {
  if (!scanner.take("in") || !scanner.takeSpace()) return undefined;
  const path = parsePath(scanner);
  if (path === undefined) throw scanner.error("match", "Invalid selector");
  return { kind: "test", operator: isNegated ? "not in" : "in", path, value, start, end: scanner.at };
}

function takeNot(scanner: SelectorScanner): boolean {
  const start = scanner.at;
  if (scanner.take("not") && scanner.takeSpace()) return true;
  scanner.at = start;
  return false;
}

/** A value without quotes: words joined by dots. */
function parseWord(scanner: SelectorScanner): string | undefined {
  const start = scanner.at;
  do if (scanner.identifier() === undefined) return undefined;
  while (scanner.take("."));
  return scanner.text.slice(start, scanner.at);
}

function parsePath(scanner: SelectorScanner): Path | undefined {
  const start = scanner.at;
  const first = scanner.identifier();
  if (first === undefined) return undefined;
  const path: [string, ...string[]] = [first];
  for (;;) {
    if (scanner.take("[")) path.push(parseIndex(scanner));
    else if (scanner.take(".")) {
      const name = scanner.identifier();
      if (name === undefined) {
        scanner.at = start;
        return undefined;
      }
      path.push(name);
    } else return path;
  }
}

function parseIndex(scanner: SelectorScanner): string {
  scanner.skipSpace();
  const name = scanner.quoted();
  if (name === undefined) throw scanner.error("index", "Invalid index");
  scanner.skipSpace();
  if (!scanner.take("]")) throw scanner.error("index", "Unclosed index expression");
  return name;
}

/**
 * Scanner of both spellings: positions in a text, limited nesting, quoted strings, and errors with position and reason.
 */
import { AppError } from "../../errors.ts";

const MAX_DEPTH = 100;

/** Work that can pause wherever it yields: a long text takes longer than one turn of the event loop may. */
export type Steps<T> = Generator<void, T>;

/** Number of members between two pauses. */
const STEPS_BETWEEN = 16;
/** Parts of one string between two pauses: half a megabyte may be one string, of nothing but escape sequences. */
const PARTS_BETWEEN = 256;

/** How a spelling writes quoted strings. Both patterns are sticky. */
export interface StringSyntax {
  /** Characters that stand for themselves. */
  readonly plain: RegExp;
  /** One escape sequence. */
  readonly escape: RegExp;
}

export class RuleScanner {
  readonly text: string;
  /** Index of the next character. */
  at = 0;
  #depth = 0;
  #steps = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The next character; empty at the end. */
  get next(): string {
    return this.text.charAt(this.at);
  }

  /** Goes over what a sticky pattern matches here. */
  take(pattern: RegExp): string | undefined {
    // The patterns are shared constants: their state is set here each time.
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /** Goes over one character if it is the next. */
  takeCharacter(character: string): boolean {
    if (this.next !== character) return false;
    this.at++;
    return true;
  }

  /** Runs a parser one level deeper. @throws {RulesError} when that is too deep */
  *nested<T>(levels: number, parse: Steps<T>): Steps<T> {
    this.#depth += levels;
    if (this.#depth > MAX_DEPTH) throw this.error(`nested deeper than ${MAX_DEPTH} levels`);
    const result = yield* parse;
    this.#depth -= levels;
    return result;
  }

  /** Whether so much was read since the last pause that there may be one. */
  isDue(): boolean {
    this.#steps++;
    return this.#steps % STEPS_BETWEEN === 0;
  }

  /** Reads a quoted string; the next character is its opening quote. @throws {RulesError} */
  *quoted({ plain, escape }: StringSyntax): Steps<string> {
    const start = this.at;
    const parts: string[] = [];
    this.at++;
    while (!this.takeCharacter('"')) {
      const part = this.take(plain);
      if (part !== undefined) parts.push(part);
      else if (this.next === "\\") parts.push(this.#escaped(escape));
      else if (this.next === "" || this.next === "\n") throw this.expected(`a closing "`);
      else throw this.expected("a character that needs no escape");
      if (parts.length % PARTS_BETWEEN === 0) yield;
    }
    return this.wellFormed(parts.join(""), start);
  }

  /** Text that every store and client can hold. @throws {RulesError} for NUL and halves of surrogate pairs */
  wellFormed(text: string, at: number): string {
    if (text.includes("\0") || !text.isWellFormed()) {
      throw this.error("a string contains NUL or an unpaired surrogate", at);
    }
    return text;
  }

  /** The error for something else than `what` at the present place. */
  expected(what: string): RulesError {
    const { at } = this;
    return this.error(`expected ${what}, found ${this.#found()}`, at);
  }

  error(detail: string, at = this.at): RulesError {
    return RulesError.syntax(this.text, at, detail);
  }

  #escaped(pattern: RegExp): string {
    const sequence = this.take(pattern);
    if (sequence === undefined) throw this.error("unknown escape sequence in a string");
    const code = sequence.slice(1);
    const simple = ESCAPES.get(code);
    if (simple !== undefined) return simple;
    const octal = /^[0-7]{3}$/.test(code);
    const point = octal ? Number.parseInt(code, 8) : Number.parseInt(code.slice(1), 16);
    if (point > 0x10ffff) throw this.error("an escape sequence names no character", this.at - sequence.length);
    return String.fromCodePoint(point);
  }

  #found(): string {
    if (this.next === "") return "the end of the text";
    if (this.next === "\n") return "the end of the line";
    return JSON.stringify(shorten(this.take(/[\p{L}\p{N}_.-]+|./suy) ?? ""));
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

/** Value of a field that is none of its values. */
export interface InvalidValue {
  readonly field: string;
  readonly value: string;
}

/** The same with the values that the field has. */
export interface WrongValue extends InvalidValue {
  readonly expected: readonly string[];
}

/** Text of rules that cannot be taken. `line` and `column` (in characters) count from 1. */
export class RulesError extends AppError {
  readonly line: number;
  readonly column: number;
  /** The words that may stand there, where these are few: the text of the error is one that clients know, and has none of them. */
  readonly expected: readonly string[];
  /** The value that stands there in place of one of them, and what it is of; `value` is empty where there is none. */
  readonly found: InvalidValue | undefined;

  private constructor(
    message: string,
    { line, column }: { line: number; column: number },
    expected: readonly string[] = [],
    found?: InvalidValue,
  ) {
    super("invalid", message);
    this.name = "RulesError";
    this.line = line;
    this.column = column;
    this.expected = expected;
    this.found = found;
  }

  /** The text is not in the rule language. @param at where, as an index into `text` */
  static syntax(text: string, at: number, detail: string): RulesError {
    const place = positionOf(text, at);
    return new RulesError(`Failed to parse ACL rules: line ${place.line}, column ${place.column}: ${detail}`, place);
  }

  /** An argument stands in one block twice; in the words that clients know. @param at where it stands again */
  static repeated(text: string, at: number, name: string): RulesError {
    const place = positionOf(text, at);
    const what = `The argument ${JSON.stringify(shorten(name))} at ${place.line}:${place.column}`;
    const message = `Failed to parse ACL rules: ${what} was already set. Each argument can only be defined once`;
    return new RulesError(message, place);
  }

  /** A rule has a permission that its kind does not have. @param message in the words that clients know */
  static invalid(text: string, at: number, message: string, { expected, ...found }: WrongValue): RulesError {
    return new RulesError(message, positionOf(text, at), expected, found);
  }
}

/** Line and column (in characters), from 1. Few ask for a position, so the parsers carry plain indexes. */
export function positionOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let end = before.indexOf("\n"); end >= 0; end = before.indexOf("\n", end + 1)) line++;
  return { line, column: Array.from(before.slice(lineStart)).length + 1 };
}

/** Returns what finds the line of an index, from 1: for many places of one text, each of which `positionOf` would read from its start. */
export function lineFinder(text: string): (at: number) => number {
  const ends: number[] = [];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) ends.push(end);
  return (at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? at) < at) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

/** The tree that both spellings of the rule language are read into. */

/** A value and where it begins and ends, as indexes into the text. `end` is that of the character behind it. */
export type ScannedValue = TextValue | NullValue | ListValue | ObjectValue;

/** Strings, and numbers and booleans as they are written. */
export interface TextValue {
  readonly type: "text";
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/** Only in JSON; stands for absence. */
export interface NullValue {
  readonly type: "null";
  readonly at: number;
  readonly end: number;
}

export interface ListValue {
  readonly type: "list";
  readonly at: number;
  readonly end: number;
  readonly items: readonly ScannedValue[];
}

/** Members in the order of the text; a key may come several times, and any text is only a text (`__proto__`). */
export interface ObjectValue {
  readonly type: "object";
  readonly at: number;
  readonly end: number;
  readonly members: readonly ScannedMember[];
}

export interface ScannedMember {
  readonly key: string;
  readonly at: number;
  readonly value: ScannedValue;
}

/** How a value is called in an error. */
export function describe(value: ScannedValue): string {
  switch (value.type) {
    case "text":
      return JSON.stringify(shorten(value.text));
    case "null":
      return "null";
    case "list":
      return "a list";
    case "object":
      return "an object";
  }
}

const SHOWN = 64;

/** Errors repeat what was sent, up to some length. */
export function shorten(text: string): string {
  if (text.length <= SHOWN) return text;
  // Half of a surrogate pair is no text.
  return `${text
    .slice(0, SHOWN)
    .toWellFormed()
    .replace(/\ufffd$/, "")}…`;
}

import { decodeEscapes } from "./quoted-text.ts";
import { SelectorError } from "./selector-error.ts";

const SPACE = String.raw`[ \t\r\n]`;
const WORD_START = "[a-zA-Z]";
const WORD_REST = "[a-zA-Z0-9_]";
const END = "EOF";

/**
 * A place in a text, and what was looked for in vain at the farthest place that was reached: that is what the message for a
 * text without a meaning names. What does not find its thing says so and stays where it is.
 */
export class SelectorScanner {
  readonly text: string;
  /** Index of the next character. */
  at = 0;
  #farthest = 0;
  readonly #expected: string[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** Goes over white space, of which there may be none. */
  skipSpace(): void {
    while (isSpace(this.text.charCodeAt(this.at))) this.at++;
    this.#miss(SPACE);
  }

  /** Goes over white space. @returns whether there was any */
  takeSpace(): boolean {
    const start = this.at;
    this.skipSpace();
    return this.at > start;
  }

  /** Goes over a keyword or a sign if it is next. */
  take(literal: string): boolean {
    if (!this.text.startsWith(literal, this.at)) return this.#miss(`"${literal}"`);
    this.at += literal.length;
    return true;
  }

  /** Whether all was read. */
  isAtEnd(): boolean {
    return this.at === this.text.length || this.#miss(END);
  }

  /** Reads an identifier. */
  identifier(): string | undefined {
    const start = this.at;
    if (!isLetter(this.text.charCodeAt(start))) {
      this.#miss(WORD_START);
      return undefined;
    }
    do this.at++;
    while (isWordCharacter(this.text.charCodeAt(this.at)));
    this.#miss(WORD_REST);
    return this.text.slice(start, this.at);
  }

  /** Reads a text in double quotes or backquotes. @throws {SelectorError} when it does not end or has a wrong escape */
  quoted(): string | undefined {
    const start = this.at;
    const mark = this.text.charAt(start);
    if (mark !== '"' && mark !== "`") {
      this.#miss(String.raw`"\""`);
      this.#miss('"`"');
      return undefined;
    }
    const end = this.text.indexOf(mark, start + 1);
    if (end < 0) throw this.error("string", "Unterminated string literal", this.text.length);
    const raw = this.text.slice(start + 1, end);
    const value = mark === "`" ? raw : decodeEscapes(raw);
    if (value === undefined) throw this.error("string", "invalid syntax", start);
    this.at = end + 1;
    return value;
  }

  /** Reads a number as it is written: fields are texts, so `1.0` is not `1`. @throws {SelectorError} for one that goes on wrongly */
  number(): string | undefined {
    const start = this.at;
    this.take("-");
    if (!this.take("0") && !this.#takeDigits()) {
      this.#miss("[1-9]");
      this.at = start;
      return undefined;
    }
    if (this.text.charAt(this.at) === "." && isDigit(this.text.charCodeAt(this.at + 1))) {
      this.at++;
      this.#takeDigits();
    }
    const next = this.text.charCodeAt(this.at);
    const ends = this.at === this.text.length || isSpace(next) || next === RIGHT_PARENTHESIS;
    if (!ends) throw this.error("number", "Invalid number literal");
    return this.text.slice(start, this.at);
  }

  /** The error of one rule of the grammar. */
  error(rule: string, detail: string, at = this.at): SelectorError {
    return this.#errorAt(at, `rule "${rule}": ${detail}`);
  }

  /** The error for nesting that is too deep. */
  tooDeep(levels: number, at: number): SelectorError {
    return this.#errorAt(at, `nested deeper than ${levels} levels`);
  }

  /** The error for a text that has no meaning. */
  noMatch(): SelectorError {
    const expected = [...new Set(this.#expected)].filter((item) => item !== END).sort();
    if (this.#expected.includes(END)) expected.push(END);
    const last = expected.pop() ?? END;
    const list = expected.length === 0 ? last : `${expected.join(", ")} or ${last}`;
    return this.#errorAt(this.#farthest, `no match found, expected: ${list}`);
  }

  #takeDigits(): boolean {
    const start = this.at;
    while (isDigit(this.text.charCodeAt(this.at))) this.at++;
    return this.at > start;
  }

  #errorAt(at: number, detail: string): SelectorError {
    return new SelectorError(`${describePosition(this.text, at)}: ${detail}`, at);
  }

  #miss(item: string): false {
    if (this.at > this.#farthest) {
      this.#farthest = this.at;
      this.#expected.length = 0;
    }
    if (this.at === this.#farthest) this.#expected.push(item);
    return false;
  }
}

const RIGHT_PARENTHESIS = 0x29;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isWordCharacter(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 0x5f;
}

/** How many bytes of UTF-8 `text` has up to the index `end`. Half of a surrogate pair counts as the three bytes that replace it. */
export function utf8Length(text: string, end = text.length): number {
  let bytes = 0;
  for (let at = 0; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isPair(text, at, end)) {
      bytes += 4;
      at++;
    } else bytes += 3;
  }
  return bytes;
}

/** `line:column (offset)`: lines and columns count from 1, columns in characters, the offset in bytes. */
function describePosition(text: string, at: number): string {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let end = before.indexOf("\n"); end >= 0; end = before.indexOf("\n", end + 1)) line++;
  const column = Array.from(before.slice(lineStart)).length + 1;
  return `${line}:${column} (${utf8Length(before)})`;
}

function isPair(text: string, at: number, end: number): boolean {
  const high = text.charCodeAt(at);
  const low = at + 1 < end ? text.charCodeAt(at + 1) : 0;
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
}

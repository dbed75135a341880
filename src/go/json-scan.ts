/**
 * Reads JSON as Go's decoder does: its texts for what is wrong, numbers as they are written, members in the order in
 * which they come, and nothing behind the first value looked at. `JSON.parse` gives none of these.
 */
import { quoteByte } from "./quote.ts";

/** Nesting that no document of ours needs; bounds the recursion. */
const MAX_DEPTH = 100;

/** Values in one document: more than the largest bulk request holds, and read in a few milliseconds. */
const MAX_VALUES = 20_000;

/** Error of a body; the decoder puts the name of the object in front of its message. */
export class DecodeError extends Error {}

/** A number in its own spelling: an int64 of nanoseconds is more than a double can hold. */
export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Members in the order of the text, names as they are written; a name may come twice. */
export class JsonObject {
  readonly members: readonly (readonly [name: string, value: JsonNode])[];
  constructor(members: JsonObject["members"]) {
    this.members = members;
  }
}

export type JsonNode = string | boolean | null | JsonNumber | JsonObject | JsonNode[];

const [SPACE, TAB, LINE_FEED, RETURN] = [0x20, 0x09, 0x0a, 0x0d];
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [MINUS, PLUS, POINT, ZERO, NINE, UPPER_E, LOWER_E, LOWER_U] = [0x2d, 0x2b, 0x2e, 0x30, 0x39, 0x45, 0x65, 0x75];

const NEEDS_CARE = /[\\\p{Cc}]/u;
const ESCAPES = '"\\/bfnrtu';
const HEX = /[0-9a-fA-F]/;

/**
 * Reads the first value of a document.
 *
 * @throws DecodeError with Go's text when it is empty, broken off, malformed, too deep or too large
 */
export function scanJson(text: string): JsonNode {
  const scanner = new Scanner(text);
  return scanner.document();
}

class Scanner {
  private readonly text: string;
  private position = 0;
  private values = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): JsonNode {
    this.skipSpace();
    if (this.position === this.text.length) throw new DecodeError("EOF");
    return this.value(0);
  }

  private value(depth: number): JsonNode {
    this.values += 1;
    if (this.values > MAX_VALUES) throw new DecodeError(`more than ${MAX_VALUES} values`);
    const code = this.skipSpace();
    if (code === QUOTE) return this.string();
    if (code === OPEN_BRACE) return this.object(depth + 1);
    if (code === OPEN_BRACKET) return this.array(depth + 1);
    if (code === MINUS || isDigit(code)) return this.number();
    switch (this.text[this.position]) {
      case "t":
        return this.literal("true", true);
      case "f":
        return this.literal("false", false);
      case "n":
        return this.literal("null", null);
      default:
        // words-ok: the text of Go
        throw this.unexpected("looking for beginning of value");
    }
  }

  private object(depth: number): JsonObject {
    checkDepth(depth);
    this.position += 1;
    const members: [string, JsonNode][] = [];
    if (this.skipSpace() === CLOSE_BRACE) {
      this.position += 1;
      return new JsonObject(members);
    }
    for (;;) {
      // words-ok: the text of Go
      if (this.skipSpace() !== QUOTE) throw this.unexpected("looking for beginning of object key string");
      const name = this.string();
      if (this.skipSpace() !== COLON) throw this.unexpected("after object key");
      this.position += 1;
      members.push([name, this.value(depth)]);
      const next = this.skipSpace();
      if (next !== COMMA && next !== CLOSE_BRACE) throw this.unexpected("after object key:value pair");
      this.position += 1;
      if (next === CLOSE_BRACE) return new JsonObject(members);
    }
  }

  private array(depth: number): JsonNode[] {
    checkDepth(depth);
    this.position += 1;
    const entries: JsonNode[] = [];
    if (this.skipSpace() === CLOSE_BRACKET) {
      this.position += 1;
      return entries;
    }
    for (;;) {
      entries.push(this.value(depth));
      const next = this.skipSpace();
      if (next !== COMMA && next !== CLOSE_BRACKET) throw this.unexpected("after array element");
      this.position += 1;
      if (next === CLOSE_BRACKET) return entries;
    }
  }

  private literal<T>(word: string, value: T): T {
    for (const letter of word) {
      if (this.text[this.position] !== letter) throw this.unexpected(`in literal ${word} (expecting '${letter}')`);
      this.position += 1;
    }
    return value;
  }

  private number(): JsonNumber {
    const start = this.position;
    if (this.code() === MINUS) this.position += 1;
    if (this.code() === ZERO) this.position += 1;
    else this.digits("in numeric literal");
    if (this.code() === POINT) {
      this.position += 1;
      this.digits("after decimal point in numeric literal");
    }
    if (this.code() === LOWER_E || this.code() === UPPER_E) {
      this.position += 1;
      if (this.code() === PLUS || this.code() === MINUS) this.position += 1;
      this.digits("in exponent of numeric literal");
    }
    return new JsonNumber(this.text.slice(start, this.position));
  }

  private digits(where: string): void {
    if (!isDigit(this.code())) throw this.unexpected(where);
    while (isDigit(this.code())) this.position += 1;
  }

  private string(): string {
    const start = this.position + 1;
    const end = this.text.indexOf('"', start);
    const plain = this.text.slice(start, end === -1 ? undefined : end);
    if (end !== -1 && !NEEDS_CARE.test(plain)) {
      this.position = end + 1;
      return plain;
    }
    this.position = start;
    this.skipString();
    // Its escapes have been checked, so the platform's own parser cannot refuse it.
    return (JSON.parse(this.text.slice(start - 1, this.position)) as string).toWellFormed();
  }

  private skipString(): void {
    for (let code = this.code(); code !== QUOTE; code = this.code()) {
      // Also at the end of the text, where there is no code.
      if (!(code >= SPACE)) throw this.unexpected("in string literal");
      this.position += 1;
      if (code === BACKSLASH) this.skipEscape();
    }
    this.position += 1;
  }

  private skipEscape(): void {
    const letter = this.text[this.position];
    if (letter === undefined || !ESCAPES.includes(letter)) throw this.unexpected("in string escape code");
    const digits = this.code() === LOWER_U ? 4 : 0;
    this.position += 1;
    for (let digit = 0; digit < digits; digit++) {
      if (!HEX.test(this.text[this.position] ?? "")) throw this.unexpected("in \\u hexadecimal character escape");
      this.position += 1;
    }
  }

  /** Not a number at the end of the text, which no comparison takes for a character. */
  private code(): number {
    return this.text.charCodeAt(this.position);
  }

  private skipSpace(): number {
    let code = this.code();
    while (code === SPACE || code === LINE_FEED || code === RETURN || code === TAB) {
      this.position += 1;
      code = this.code();
    }
    return code;
  }

  private unexpected(where: string): DecodeError {
    const point = this.text.codePointAt(this.position);
    if (point === undefined) return new DecodeError("unexpected EOF");
    // Go looks at bytes: of a character beyond ASCII it names the first one.
    const byte = Buffer.from(String.fromCodePoint(point))[0] ?? 0;
    return new DecodeError(`invalid character ${quoteByte(byte)} ${where}`);
  }
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new DecodeError("exceeded max depth");
}

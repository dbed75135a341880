/** Parts of a JSON value, read as Go's decoder reads them, with its texts of errors. */
import { quoteByte } from "./quote.ts";

/** Nesting that no document of ours needs; bounds the recursion. */
export const MAX_DEPTH = 100;

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
export const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
export const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [MINUS, PLUS, POINT, ZERO, NINE, UPPER_E, LOWER_E, LOWER_U] = [0x2d, 0x2b, 0x2e, 0x30, 0x39, 0x45, 0x65, 0x75];

const NEEDS_CARE = /[\\\p{Cc}]/u;
const ESCAPES = '"\\/bfnrtu';
/** Blanks and digits behind so many others are passed by the platform: a body of nothing else is no step of many milliseconds. */
const LONG_RUN = 64;
const SPACES = /[ \t\r\n]+/y;
const DIGITS = /[0-9]+/y;
const HEX = /[0-9a-fA-F]/;

/** Reads values that hold no others, from a place in a text. */
export class JsonReader {
  protected readonly text: string;
  protected position = 0;
  private values = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Goes to the first value. @throws DecodeError when there is none */
  protected start(): void {
    this.skipSpace();
    if (this.position === this.text.length) throw new DecodeError("EOF");
  }

  /** Goes to the beginning of a value, and returns its first character. */
  protected beginValue(): number {
    this.values += 1;
    if (this.values > MAX_VALUES) throw new DecodeError(`more than ${MAX_VALUES} values`);
    return this.skipSpace();
  }

  /** Reads a number, a boolean or null. */
  protected scalar(code: number): JsonNumber | boolean | null {
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
    for (let run = 0; isDigit(this.code()); run++) {
      if (run < LONG_RUN) this.position += 1;
      else this.skip(DIGITS);
    }
  }

  /** Reads a string that needs no care, as nearly all do; of another one nothing is read but its quote. */
  protected plainString(): string | undefined {
    const start = this.position + 1;
    const end = this.text.indexOf('"', start);
    const plain = this.text.slice(start, end === -1 ? undefined : end);
    const isPlain = end !== -1 && !NEEDS_CARE.test(plain);
    this.position = isPlain ? end + 1 : start;
    return isPlain ? plain : undefined;
  }

  /** Goes on to the quote that ends a string, or behind the character that reaches so far. Returns whether the quote is there. */
  protected skipString(most: number): boolean {
    for (let code = this.code(); code !== QUOTE; code = this.code()) {
      if (this.position >= most) return false;
      // Also at the end of the text, where there is no code.
      if (!(code >= SPACE)) throw this.unexpected("in string literal");
      this.position += 1;
      if (code === BACKSLASH) this.skipEscape();
    }
    return true;
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

  protected skipSpace(): number {
    let code = this.code();
    for (let run = 0; code === SPACE || code === LINE_FEED || code === RETURN || code === TAB; run++) {
      if (run < LONG_RUN) this.position += 1;
      else this.skip(SPACES);
      code = this.code();
    }
    return code;
  }

  private skip(run: RegExp): void {
    run.lastIndex = this.position;
    run.test(this.text);
    this.position = run.lastIndex;
  }

  protected unexpected(where: string): DecodeError {
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

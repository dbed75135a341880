/** Reads JSON as `scanJson` does, in steps: a body of a megabyte shall not hold the event loop, whatever is in it. */
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DecodeError,
  JsonObject,
  JsonReader,
  MAX_DEPTH,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  type JsonNode,
} from "./json-reader.ts";

/** Bodies of more bytes are read in steps: shorter ones take less than a turn of other work. */
export const LONG_BODY_BYTES = 64 * 1024;

/** Characters of one step, which take well under a millisecond; a string is read in pieces of as many. */
const STEP_CHARACTERS = 2 * 1024;

/**
 * Reads the first value of a document, and pauses between its steps. A string of any length takes as many as it needs.
 *
 * @param characters of one step @throws DecodeError the same as in one piece
 */
export function* scanJsonInSteps(text: string, characters = STEP_CHARACTERS): Generator<void, JsonNode> {
  const scanner = new SteppingScanner(text, characters);
  for (;;) {
    const node = scanner.goOn();
    if (node !== undefined) return node;
    yield;
  }
}

/** A list or an object that has begun. */
interface Open {
  readonly outer: Open | undefined;
  readonly depth: number;
  /** Set for a list; undefined for an object. */
  readonly entries: JsonNode[] | undefined;
  readonly members: [string, JsonNode][];
  name: string;
  /** Whether a value comes next: always in a list, and behind its name in an object. */
  isNamed: boolean;
}

const NO_MEMBERS: [string, JsonNode][] = [];

/** A string that is longer than a step: where its next piece begins, and the pieces before. */
interface Begun {
  readonly pieces: string[];
  from: number;
}

/** Reads in steps: the state lies in fields and not in nested calls, so that a step can end anywhere. */
class SteppingScanner extends JsonReader {
  private readonly characters: number;
  private inner: Open | undefined;
  private begun: Begun | undefined;

  /** @param characters of a step, and of a piece of a string */
  constructor(text: string, characters: number) {
    super(text);
    this.characters = characters;
  }

  /** Does one step. Returns the document, or undefined when it has not come to its end. */
  goOn(): JsonNode | undefined {
    if (this.position === 0) this.start();
    const end = this.position + this.characters;
    do {
      const inner = this.inner;
      const value = inner === undefined || inner.isNamed ? this.value() : this.member(inner);
      const whole = value === undefined ? undefined : this.close(value);
      if (whole !== undefined) return whole;
    } while (this.position < end && this.begun === undefined);
    return undefined;
  }

  /** Reads a value; undefined when it only began. */
  private value(): JsonNode | undefined {
    if (this.begun !== undefined) return this.pieceOfString(this.begun);
    const code = this.beginValue();
    if (code === QUOTE) return this.string();
    if (code === OPEN_BRACE) return this.begin(CLOSE_BRACE, undefined);
    if (code === OPEN_BRACKET) return this.begin(CLOSE_BRACKET, []);
    return this.scalar(code);
  }

  private begin(end: number, entries: JsonNode[] | undefined): JsonNode | undefined {
    const outer = this.inner;
    const depth = outer === undefined ? 1 : outer.depth + 1;
    if (depth > MAX_DEPTH) throw new DecodeError("exceeded max depth");
    this.position += 1;
    const isList = entries !== undefined;
    if (this.skipSpace() === end) {
      this.position += 1;
      return entries ?? new JsonObject([]);
    }
    this.inner = { outer, depth, entries, members: isList ? NO_MEMBERS : [], name: "", isNamed: isList };
    return undefined;
  }

  /** Reads the name of a member and what begins its value. */
  private member(inner: Open): JsonNode | undefined {
    let name: string | undefined;
    if (this.begun !== undefined) name = this.pieceOfString(this.begun);
    else {
      // words-ok: the text of Go
      if (this.skipSpace() !== QUOTE) throw this.unexpected("looking for beginning of object key string");
      name = this.string();
    }
    if (name === undefined) return undefined;
    if (this.skipSpace() !== COLON) throw this.unexpected("after object key");
    this.position += 1;
    inner.name = name;
    inner.isNamed = true;
    return this.value();
  }

  /** Puts a value where it belongs, with all that ends behind it. Returns the document when that is whole. */
  private close(value: JsonNode): JsonNode | undefined {
    for (let whole = value, inner = this.inner; ; inner = this.inner) {
      if (inner === undefined) return whole;
      const { entries, members } = inner;
      const isList = entries !== undefined;
      if (isList) entries.push(whole);
      else members.push([inner.name, whole]);
      const next = this.skipSpace();
      if (next === COMMA) {
        this.position += 1;
        inner.isNamed = isList;
        return undefined;
      }
      if (next !== (isList ? CLOSE_BRACKET : CLOSE_BRACE))
        throw this.unexpected(isList ? "after array element" : "after object key:value pair");
      this.position += 1;
      this.inner = inner.outer;
      whole = entries ?? new JsonObject(members);
    }
  }

  /** Undefined when it is longer than a step. */
  private string(): string | undefined {
    return this.plainString() ?? this.pieceOfString({ pieces: [], from: this.position });
  }

  /** Reads the next piece of a string; returns the string when that was its last. */
  private pieceOfString(begun: Begun): string | undefined {
    const isEnd = this.skipString(begun.from + this.characters);
    // Its escapes have been checked, so the platform's own parser cannot refuse it.
    begun.pieces.push(JSON.parse(`"${this.text.slice(begun.from, this.position)}"`) as string);
    begun.from = this.position;
    this.begun = isEnd ? undefined : begun;
    if (!isEnd) return undefined;
    this.position += 1;
    // The two escapes of a surrogate pair may be in different pieces.
    return begun.pieces.join("").toWellFormed();
  }
}

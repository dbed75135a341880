/**
 * Reads JSON as Go's decoder does: its texts for what is wrong, numbers as they are written, members in the order in
 * which they come, and nothing behind the first value looked at. `JSON.parse` gives none of these.
 */
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

/**
 * Reads the first value of a document in one piece: for long ones see `scanJsonInSteps`.
 *
 * @throws DecodeError with Go's text when it is empty, broken off, malformed, too deep or too large
 */
export function scanJson(text: string): JsonNode {
  return new Scanner(text).document();
}

const ANY_LENGTH = 2 ** 30;

class Scanner extends JsonReader {
  document(): JsonNode {
    this.start();
    return this.value(0);
  }

  private value(depth: number): JsonNode {
    const code = this.beginValue();
    if (code === QUOTE) return this.string();
    if (code === OPEN_BRACE) return this.object(depth + 1);
    if (code === OPEN_BRACKET) return this.array(depth + 1);
    return this.scalar(code);
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

  private string(): string {
    const plain = this.plainString();
    if (plain !== undefined) return plain;
    const start = this.position;
    this.skipString(ANY_LENGTH);
    this.position += 1;
    // Its escapes have been checked, so the platform's own parser cannot refuse it.
    return (JSON.parse(this.text.slice(start - 1, this.position)) as string).toWellFormed();
  }
}

function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new DecodeError("exceeded max depth");
}

/** Texts in double quotes, with the escapes of Go. */

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ['"', '"'],
]);
const RADIX_AND_LENGTH: ReadonlyMap<string, readonly [radix: number, length: number]> = new Map([
  ["x", [16, 2]],
  ["u", [16, 4]],
  ["U", [16, 8]],
]);
const OCTAL_LENGTH = 3;
const HEXADECIMAL = "0123456789abcdefABCDEF";
const OCTAL = "01234567";

/** Decodes the text between double quotes. Undefined when an escape is wrong or the text contains a line break. */
export function decodeEscapes(raw: string): string | undefined {
  if (raw.includes("\n")) return undefined;
  let next = raw.indexOf("\\");
  if (next < 0) return raw;
  const reader = new EscapeReader(raw);
  let text = raw.slice(0, next);
  while (next >= 0) {
    const piece = reader.read(next);
    if (piece === undefined) return undefined;
    next = raw.indexOf("\\", reader.end);
    text += piece + raw.slice(reader.end, next < 0 ? raw.length : next);
  }
  return text;
}

class EscapeReader {
  readonly #raw: string;
  /** Index behind what was read last. */
  end = 0;

  constructor(raw: string) {
    this.#raw = raw;
  }

  /** The escape at an index; bytes that follow each other make characters together, so they are read in one go. */
  read(at: number): string | undefined {
    const code = this.#raw.charAt(at + 1);
    const simple = SIMPLE.get(code);
    if (simple !== undefined) {
      this.end = at + 2;
      return simple;
    }
    if (code !== "u" && code !== "U") return this.#bytes(at);
    const point = this.#number(at);
    const isCharacter = point !== undefined && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : undefined;
  }

  #bytes(start: number): string | undefined {
    const bytes: number[] = [];
    for (let at = start; this.#raw.charAt(at) === "\\" && this.#isByte(at + 1); at = this.end) {
      const byte = this.#number(at);
      if (byte === undefined || byte > 0xff) return undefined;
      bytes.push(byte);
    }
    return bytes.length === 0 ? undefined : decodeUtf8(bytes);
  }

  #isByte(at: number): boolean {
    const code = this.#raw.charAt(at);
    return code === "x" || isDigitIn(OCTAL, code);
  }

  #number(at: number): number | undefined {
    const code = this.#raw.charAt(at + 1);
    const [radix, length] = RADIX_AND_LENGTH.get(code) ?? [8, OCTAL_LENGTH];
    const start = radix === 8 ? at + 1 : at + 2;
    const digits = this.#raw.slice(start, start + length);
    const allowed = radix === 8 ? OCTAL : HEXADECIMAL;
    this.end = start + length;
    const isNumber = digits.length === length && Array.from(digits).every((digit) => isDigitIn(allowed, digit));
    return isNumber ? Number.parseInt(digits, radix) : undefined;
  }
}

function isDigitIn(digits: string, digit: string): boolean {
  return digit !== "" && digits.includes(digit);
}

function decodeUtf8(bytes: readonly number[]): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

/**
 * A text as a selector can write it. Inside double quotes a selector cannot say `\"`, so a text with quotes is put into
 * backquotes where that changes nothing, and else the quotes are written as `\x22`.
 */
export function quote(text: string): string {
  if (text.includes('"') && !text.includes("`") && !text.includes("\r")) return `\`${text}\``;
  return `"${encodeEscapes(text, "\\x22")}"`;
}

/** A text in an error message, in double quotes. */
export function quoteForMessage(text: string): string {
  return `"${encodeEscapes(text, '\\"')}"`;
}

function encodeEscapes(text: string, doubleQuote: string): string {
  return text.replaceAll(/["\\\p{Cc}]/gu, (character) => {
    if (character === '"') return doubleQuote;
    if (character === "\\") return "\\\\";
    if (character === "\n") return "\\n";
    if (character === "\r") return "\\r";
    if (character === "\t") return "\\t";
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** More of a client's text than this is not repeated to it. */
const MAX_QUOTED = 256;

const ESCAPED = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

const SHORT: ReadonlyMap<string, string> = new Map([
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ['"', '\\"'],
]);

/** Text in double quotes as Go's `%q` writes it, which is how clients expect names in messages; long text is cut. */
export function goQuote(text: string): string {
  return `"${cut(text).replaceAll(ESCAPED, escapeCharacter)}"`;
}

/** Whether the text holds a character that Go does not count as printable, such as a line break or a zero-width space. */
export function hasUnprintable(text: string): boolean {
  return UNPRINTABLE.test(text);
}

/**
 * A byte between single quotes, as the JSON decoder names the one it stumbled over.
 *
 * @param byte 0 to 255
 */
export function quoteByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  return `'${goQuote(character).slice(1, -1)}'`;
}

/** Text in double quotes as messages about durations have it: whatever is not ASCII as escaped bytes. */
export function quoteBytes(text: string): string {
  let quoted = "";
  for (const byte of Buffer.from(cut(text))) {
    if (byte === 0x22 || byte === 0x5c) quoted += `\\${String.fromCharCode(byte)}`;
    else if (byte < 0x20 || byte >= 0x80) quoted += `\\x${hex(byte, 2)}`;
    else quoted += String.fromCharCode(byte);
  }
  return `"${quoted}"`;
}

function cut(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).toWellFormed()}…` : text;
}

function escapeCharacter(character: string): string {
  const short = SHORT.get(character);
  if (short !== undefined) return short;
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x20 || point === 0x7f) return `\\x${hex(point, 2)}`;
  return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

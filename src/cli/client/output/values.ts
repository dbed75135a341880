/** Values as text for people: in one line, and without characters that a terminal would obey. */

/** Characters that a terminal obeys, or that change the order in which it shows text. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// oxlint-disable-next-line no-control-regex -- the same, but for line breaks and tabs
const UNSAFE_IN_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /\p{Mn}|\u200d|\ufe0f/u;

/** Text from a server in one line: whatever a terminal would obey is written out. */
export function visible(text: string): string {
  return text.replaceAll(UNSAFE, escaped);
}

/** The same for text of several lines. */
export function visibleLines(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(UNSAFE_IN_LINES, escaped);
}

/** A value as JSON, of which a terminal obeys nothing: `JSON.stringify` leaves the second set of controls, and marks of direction. */
export function jsonText(value: unknown, indent?: number): string {
  // They stand in its texts only, where the escapes mean the same.
  return visibleLines(JSON.stringify(value, undefined, indent));
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  return `\\u${code.toString(16).padStart(4, "0")}`;
}

/** The value at a path such as `attributes.name`. */
export function at(item: unknown, path: string): unknown {
  let value = item;
  for (const member of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, member)) return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return value;
}

/** A text or a number as text; whatever else there is, and nothing, is `otherwise`. */
export function plain(value: unknown, otherwise = ""): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : otherwise;
}

/** A value as one cell. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null || value === "") return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" || typeof value === "number") return visible(String(value));
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(cellText).join(", ");
  return objectText(value);
}

/** Links are told by their names; what else there is, as `name=value`. */
function objectText(value: object): string {
  const named = value as {
    Name?: unknown;
    ServiceName?: unknown;
    NodeName?: unknown;
    TemplateName?: unknown;
    ID?: unknown;
  };
  const name = named.Name ?? named.ServiceName ?? named.NodeName ?? named.TemplateName ?? named.ID;
  if (typeof name === "string" && name !== "") return visible(name);
  const pairs = Object.entries(value).map(([key, each]) => `${visible(key)}=${cellText(each)}`);
  return pairs.length === 0 ? "-" : pairs.join(" ");
}

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  // Plain ASCII, which nearly all is.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** A text cut to a number of columns. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = "";
  let width = 1;
  for (const character of text) {
    width += widthOf(character);
    if (width > columns) break;
    kept += character;
  }
  return `${kept}…`;
}

/** A line broken between words, as far as it has to be; a word is never broken, so that it can be copied. @param indent of the lines behind the first */
export function brokenLines(text: string, room: number, indent: number): string[] {
  const made: string[] = [];
  let current: string | undefined;
  for (const word of text.split(" ")) {
    const longer: string = current === undefined ? word : `${current} ${word}`;
    if (current === undefined || current.trim() === "" || widthOf(longer) <= room) {
      current = longer;
      continue;
    }
    made.push(current.trimEnd());
    current = " ".repeat(indent) + word;
  }
  return [...made, current ?? ""];
}

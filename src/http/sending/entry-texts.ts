/** Entries of a list as JSON text: what is the same in all of them is put in words once for a page, and not once for each. */

/** Entries that are JSON already; a document may have them in place of a list of objects. */
export class EntryTexts {
  /** One each; or as UTF-8, several with commas between them. */
  readonly texts: readonly string[] | readonly Uint8Array[];
  readonly length: number;

  /** @param length how many entries there are */
  constructor(texts: EntryTexts["texts"], length = texts.length) {
    this.texts = texts;
    this.length = length;
  }

  /** As objects, for who writes a document otherwise. */
  toJSON(): unknown[] {
    const texts = this.texts.map((text) => (typeof text === "string" ? text : Buffer.from(text).toString()));
    return JSON.parse(`[${texts.join()}]`) as unknown[];
  }
}

/** Nothing that is stored holds a NUL, so that no text is taken for a hole. */
const MARK = "\0";

/** Stands in an example for a text of each entry. @param name of the member of what `textMaker` takes */
export function hole(name: string): string {
  return `${MARK}${name}${MARK}`;
}

/** The same for a number, or for a list of texts: its whole value is put in, as JSON. */
export function valueHole<T>(name: string): T {
  return `${MARK}=${name}${MARK}` as T;
}

/** Both as JSON.stringify writes them; a value loses the quotes around its hole. */
const HOLE = /"\\u0000=(\w+)\\u0000"|\\u0000(\w+)\\u0000/;

/**
 * Makes the JSON of entries that are alike but for what is in the holes of an example.
 *
 * @returns a function that takes texts by the names of the holes: they are escaped here; values come as JSON
 */
export function textMaker<Names extends string>(example: object): (parts: Record<Names, string>) => string {
  const [first = "", ...rest] = JSON.stringify(example).split(HOLE);
  const holes: { name: Names; isValue: boolean; behind: string }[] = [];
  for (let at = 0; at < rest.length; at += 3) {
    const [value, text, behind = ""] = rest.slice(at, at + 3);
    holes.push({ name: (value ?? text ?? "") as Names, isValue: value !== undefined, behind });
  }
  return (parts) => {
    let made = first;
    for (const { name, isValue, behind } of holes) made += (isValue ? parts[name] : escaped(parts[name])) + behind;
    return made;
  };
}

// oxlint-disable-next-line no-control-regex -- those that JSON escapes
const UNSAFE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A text as it stands between the quotes of JSON. */
function escaped(text: string): string {
  return UNSAFE.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

/** A list of texts as JSON. */
export function listText(texts: readonly string[]): string {
  if (texts.length === 0) return "[]";
  return UNSAFE.test(texts.join("")) ? JSON.stringify(texts) : `["${texts.join('","')}"]`;
}

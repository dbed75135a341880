/** The tree that both spellings of the rule language are read into. */

/** A value and where it begins, as an index into the text. */
export type Value = TextValue | NullValue | ListValue | ObjectValue;

/** Strings, and numbers and booleans as they are written. */
export interface TextValue {
  readonly type: "text";
  readonly at: number;
  readonly text: string;
}

/** Of JSON only; stands for absence. */
export interface NullValue {
  readonly type: "null";
  readonly at: number;
}

export interface ListValue {
  readonly type: "list";
  readonly at: number;
  readonly items: readonly Value[];
}

/** Members in the order of the text; a key may come several times, and any text is only a text (`__proto__`). */
export interface ObjectValue {
  readonly type: "object";
  readonly at: number;
  readonly members: readonly Member[];
}

export interface Member {
  readonly key: string;
  readonly at: number;
  readonly value: Value;
}

/** How a value is called in an error. */
export function describe(value: Value): string {
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

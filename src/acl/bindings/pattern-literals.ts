/**
 * What a pattern of RE2 says in plain text. Thousands of rules ask for patterns that differ by a name: most are decided by
 * looking for that name, long before an engine must be asked, or even compile them.
 */

/** What a text must hold for the pattern to be found in it. */
export type Required =
  | { readonly kind: "text"; readonly text: string; readonly atStart: boolean; readonly atEnd: boolean }
  | { readonly kind: "all" | "any"; readonly of: readonly Required[] };

export interface PatternLiterals {
  /** The only texts in which the pattern is found; undefined when there are others, or too many to list. */
  readonly exact: readonly string[] | undefined;
  readonly required: Required;
}

/** Texts that are listed instead of the parts that they are made of, and their characters together. */
const MAX_TEXTS = 64;
const MAX_CHARACTERS = 4096;
/** Texts that are made by joining parts, over a whole pattern. */
const MAX_JOINED = 512;
/** Groups in each other. */
const MAX_DEPTH = 50;

/** Literal text in front of a repeat ends before the character that is repeated. */
const PLAIN = String.raw`[^\\[(){*+?|^$.\u{80}-\u{10ffff}]`;
const TOKEN = new RegExp(
  [
    String.raw`(?<plain>${PLAIN}+(?![*+?{])|${PLAIN})`,
    String.raw`\\(?<escaped>[!-/:-@[-\x60{-~])`,
    String.raw`(?<repeat>[*+?]|\{(?<least>\d+)(?:,\d*)?\})\??`,
    String.raw`(?<open>\((?:(?!\?)|\?:|\?P?<\w+>))`,
    String.raw`(?<syntax>[)|^$])`,
    String.raw`(?<unknown>\.|\\[dDsSwWbBAz]|\[\^?\]?(?:\\[dDsSwW!-/:-@[-\x60{-~]|[^\\[\]])*\]|[\u{80}-\u{10ffff}])`,
  ].join("|"),
  "suy",
);

type Token = Readonly<Record<string, string | undefined>>;

/** Reads a pattern; undefined when it says something that is not followed here, such as a flag, or is malformed. */
export function literalsOf(pattern: string): PatternLiterals | undefined {
  const tokens = tokensOf(pattern);
  if (tokens === undefined) return undefined;
  const reader: Reader = { tokens, at: 0, joined: 0 };
  const { exact, required } = readAlternatives(reader, true);
  return reader.at === tokens.length ? { exact, required } : undefined;
}

/** Whether a text has what is required. */
export function hasRequired(text: string, required: Required): boolean {
  switch (required.kind) {
    case "text":
      if (required.atStart && !text.startsWith(required.text)) return false;
      return required.atEnd ? text.endsWith(required.text) : required.atStart || text.includes(required.text);
    case "all":
      return required.of.every((part) => hasRequired(text, part));
    case "any":
      return required.of.some((part) => hasRequired(text, part));
  }
}

/** How many texts are looked for all over a text, at most. */
export function searchesOf(required: Required): number {
  if (required.kind === "text") return required.atStart || required.atEnd ? 0 : 1;
  return required.of.reduce((searches, part) => searches + searchesOf(part), 0);
}

function tokensOf(pattern: string): Token[] | undefined {
  const tokens: Token[] = [];
  let depth = 0;
  // The expression is a shared constant: its state is set here each time.
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < pattern.length) {
    const token = TOKEN.exec(pattern)?.groups;
    if (token === undefined) return undefined;
    if (token["open"] !== undefined) depth++;
    if (token["syntax"] === ")") depth--;
    if (depth > MAX_DEPTH) return undefined;
    tokens.push(token);
  }
  return tokens;
}

interface Reader {
  readonly tokens: readonly Token[];
  at: number;
  /** Texts that were made by joining parts. */
  joined: number;
}

/** @param isWhole whether this is the pattern as a whole, where `^` and `$` are the ends of the text */
function readAlternatives(reader: Reader, isWhole: boolean): PatternLiterals {
  const alternatives = [readSequence(reader, isWhole)];
  while (reader.tokens[reader.at]?.["syntax"] === "|") {
    reader.at++;
    alternatives.push(readSequence(reader, isWhole));
  }
  return { exact: unitedOf(alternatives), required: anyOf(alternatives.map(({ required }) => required)) };
}

function unitedOf(alternatives: readonly PatternLiterals[]): readonly string[] | undefined {
  const united: string[] = [];
  for (const { exact } of alternatives) {
    if (exact === undefined) return undefined;
    united.push(...exact);
  }
  return united.length > MAX_TEXTS ? undefined : united;
}

/** Texts that may stand where the reader is, since the last place that says nothing; and what was required before. */
interface Sequence {
  texts: readonly string[];
  /** Whether the texts begin where the pattern's text does. */
  atStart: boolean;
  /** Whether nothing but the texts is there. */
  isExact: boolean;
  readonly required: Required[];
}

function readSequence(reader: Reader, isWhole: boolean): PatternLiterals {
  const sequence: Sequence = { texts: [""], atStart: false, isExact: true, required: [] };
  const first = reader.at;
  let isEnded = false;
  for (;;) {
    const token = reader.tokens[reader.at];
    const { syntax, repeat } = token ?? {};
    if (token === undefined || repeat !== undefined || syntax === ")" || syntax === "|") break;
    reader.at++;
    const part = readPart(reader, token);
    const isAnchor = isWhole && repeatAt(reader) === undefined;
    if (isAnchor && syntax === "^" && reader.at === first + 1) sequence.atStart = true;
    else if (isAnchor && syntax === "$" && isAtEnd(reader)) isEnded = true;
    else addRepeated(sequence, part, reader);
  }
  const { texts, atStart, isExact, required } = sequence;
  const isBounded = !isWhole || (atStart && isEnded);
  const exact = isExact && isBounded ? texts : undefined;
  endTexts(sequence, isEnded);
  return { exact, required: allOf(required) };
}

function readPart(reader: Reader, { plain, escaped, open }: Token): PatternLiterals {
  const literal = plain ?? escaped;
  if (literal !== undefined) return { exact: [literal], required: NOTHING };
  if (open === undefined) return { exact: undefined, required: NOTHING };
  const group = readAlternatives(reader, false);
  // Beyond the last token is no place where a pattern that was understood ends.
  if (reader.tokens[reader.at]?.["syntax"] !== ")") reader.at = reader.tokens.length;
  reader.at++;
  return group;
}

const NOTHING: Required = { kind: "all", of: [] };

function repeatAt({ tokens, at }: Reader): Token | undefined {
  const token = tokens[at];
  return token?.["repeat"] === undefined ? undefined : token;
}

function isAtEnd({ tokens, at }: Reader): boolean {
  const token = tokens[at];
  return token === undefined || token["syntax"] === "|";
}

/** Adds a part with the repeat that follows it, if one does. */
function addRepeated(sequence: Sequence, { exact, required }: PatternLiterals, reader: Reader): void {
  const repeat = repeatAt(reader);
  if (repeat !== undefined) reader.at++;
  const sign = repeat?.["repeat"];
  const isOptional = sign === "*" || sign === "?" || Number(repeat?.["least"] ?? 1) === 0;
  if (exact !== undefined && (!isOptional || sign === "?")) {
    addTexts(sequence, isOptional ? [...exact, ""] : exact, reader);
    if (repeat !== undefined && !isOptional) endTexts(sequence, false);
    return;
  }
  endTexts(sequence, false);
  if (!isOptional) sequence.required.push(required);
}

/** Goes on with each of the texts; where that comes to too many, with them alone. */
function addTexts(sequence: Sequence, next: readonly string[], reader: Reader): void {
  const { texts } = sequence;
  if (texts.length === 1 && texts[0] === "") {
    sequence.texts = next;
    return;
  }
  const count = texts.length * next.length;
  if (count > 1) {
    const characters = lengthOf(texts) * next.length + lengthOf(next) * texts.length;
    if (count > MAX_TEXTS || characters > MAX_CHARACTERS || reader.joined + count > MAX_JOINED) {
      endTexts(sequence, false);
      sequence.texts = next;
      return;
    }
    reader.joined += count;
  }
  sequence.texts = texts.flatMap((text) => next.map((more) => text + more));
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((length, text) => length + text.length, 0);
}

/** Requires the texts that were gathered, of which there is nothing to be said when one of them may be empty. */
function endTexts(sequence: Sequence, atEnd: boolean): void {
  const { texts, atStart, required } = sequence;
  if (!texts.includes("")) {
    required.push(anyOf(texts.map((text) => ({ kind: "text", text, atStart, atEnd }))));
  }
  sequence.texts = [""];
  sequence.atStart = false;
  sequence.isExact = false;
}

function allOf(parts: readonly Required[]): Required {
  return oneOr(
    "all",
    parts.filter((part) => !isNothing(part)),
  );
}

function anyOf(parts: readonly Required[]): Required {
  return parts.some(isNothing) ? NOTHING : oneOr("any", parts);
}

function oneOr(kind: "all" | "any", parts: readonly Required[]): Required {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : { kind, of: parts };
}

function isNothing(required: Required): boolean {
  return required.kind === "all" && required.of.length === 0;
}

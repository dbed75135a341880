/**
 * Extracts the plain text that an RE2 pattern contains. Thousands of rules may have patterns that differ by a name:
 * most are decided by a search for that name, long before an engine must evaluate them, or even compile them.
 */
import { tokensOf, type PatternToken } from "./pattern-tokens.ts";

/** Texts that a text must contain for the pattern to be found in it. */
export type Required =
  | { readonly kind: "text"; readonly text: string; readonly atStart: boolean; readonly atEnd: boolean }
  | { readonly kind: "all" | "any"; readonly of: readonly Required[] };

export interface PatternLiterals {
  /** The only texts in which the pattern is found; undefined when there are others, or too many to list. */
  readonly exact: readonly string[] | undefined;
  readonly required: Required;
  /** If true, the required texts are in lower case, and are searched for in a text's `toLowerCase`. */
  readonly ignoresCase: boolean;
}

/** Limits of the literals of a pattern. */
export interface LiteralBudget {
  /** Maximum number of texts that are listed instead of the parts that they consist of, and of their characters together. */
  readonly texts: number;
  readonly characters: number;
  /** Maximum number of texts that are made by joining parts, over a whole pattern. */
  readonly joined: number;
}

export const LITERAL_BUDGET: LiteralBudget = { texts: 64, characters: 4096, joined: 512 };

/** Groups in each other. */
const MAX_DEPTH = 50;
/** Flags that are known: of them, only those that ignore case and make lines of a text change what a literal is. */
const FLAGS = /^[imsU]*(?:-[imsU]+)?$/;
/** Escapes that stand for a character, or for a place. */
const LETTERS = /^[dDsSwWbBAzafnrtv]$/;

/** Literals of one part of a pattern. */
type Part = Pick<PatternLiterals, "exact" | "required">;

/** Reads a pattern; undefined when it is malformed as far as that is seen, or its groups lie too deep in each other. */
export function literalsOf(pattern: string, budget: LiteralBudget): PatternLiterals | undefined {
  const read = [...tokensOf(pattern)];
  if (!isFollowed(read)) return undefined;
  const ignoresCase = read.some((token) => setsFlag(token, "i"));
  const tokens = ignoresCase ? read.flatMap(folded) : read;
  const reader: Reader = { tokens, budget, hasLines: read.some((token) => setsFlag(token, "m")), at: 0, joined: 0 };
  const { exact, required } = readAlternatives(reader, true);
  if (reader.at !== tokens.length) return undefined;
  return { exact: ignoresCase ? undefined : exact, required, ignoresCase };
}

/**
 * Characters as they are looked for in lower case; unknown where that may not find them. It says for ASCII what the engine
 * says, but for the long s, which is the same letter only to the engine.
 */
function folded(token: PatternToken): PatternToken[] {
  if (token.kind !== "literal") return [token];
  return Array.from(token.text.toLowerCase(), (text) =>
    /^[^s\x80-\u{10ffff}]$/u.test(text) ? { kind: "literal", text } : { kind: "other" },
  );
}

/** Whether a text has what a pattern requires. */
export function mayMatch(text: string, { required, ignoresCase }: PatternLiterals): boolean {
  return hasRequired(ignoresCase ? text.toLowerCase() : text, required);
}

function hasRequired(text: string, required: Required): boolean {
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

function isFollowed(tokens: readonly PatternToken[]): boolean {
  let depth = 0;
  return tokens.every((token) => {
    if (token.kind === "open") depth++;
    if (token.kind === "close") depth--;
    if (token.kind === "letter") return LETTERS.test(token.name);
    if (token.kind === "flags") return FLAGS.test(token.flags);
    if (token.kind === "open" && (token.flags === undefined || !FLAGS.test(token.flags))) return false;
    // A repeat after an empty quotation is left to the engine.
    return token.kind !== "malformed" && token.kind !== "nothing" && depth <= MAX_DEPTH;
  });
}

/** Whether it counts for a part or for all of the pattern: as if for all, since that is right for both. */
function setsFlag(token: PatternToken, flag: string): boolean {
  return "flags" in token && token.flags?.split("-")[0]?.includes(flag) === true;
}

interface Reader {
  readonly tokens: readonly PatternToken[];
  readonly budget: LiteralBudget;
  /** Whether `^` and `$` may be the ends of lines. */
  readonly hasLines: boolean;
  at: number;
  /** Texts that were made by joining parts. */
  joined: number;
}

/** @param isWhole whether this is the pattern as a whole, where `^` and `$` are the ends of the text */
function readAlternatives(reader: Reader, isWhole: boolean): Part {
  const alternatives = [readSequence(reader, isWhole)];
  while (kindAt(reader) === "or") {
    reader.at++;
    alternatives.push(readSequence(reader, isWhole));
  }
  return {
    exact: unitedOf(alternatives, reader.budget.texts),
    required: anyOf(alternatives.map(({ required }) => required)),
  };
}

function unitedOf(alternatives: readonly Part[], most: number): readonly string[] | undefined {
  const united: string[] = [];
  for (const { exact } of alternatives) {
    if (exact === undefined) return undefined;
    united.push(...exact);
  }
  return united.length > most ? undefined : united;
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

function readSequence(reader: Reader, isWhole: boolean): Part {
  const sequence: Sequence = { texts: [""], atStart: false, isExact: true, required: [] };
  let isFirst = true;
  let isEnded = false;
  for (;;) {
    const token = reader.tokens[reader.at];
    if (token === undefined || token.kind === "repeat" || token.kind === "close" || token.kind === "or") break;
    reader.at++;
    if (token.kind === "flags") continue;
    const part = readPart(reader, token);
    const isAnchor = isWhole && !reader.hasLines && kindAt(reader) !== "repeat";
    if (isAnchor && token.kind === "start" && isFirst) sequence.atStart = true;
    else if (isAnchor && token.kind === "end" && isAtEnd(reader)) isEnded = true;
    else addRepeated(sequence, part, reader);
    isFirst = false;
  }
  const { texts, atStart, isExact, required } = sequence;
  const isBounded = !isWhole || (atStart && isEnded);
  const exact = isExact && isBounded ? texts : undefined;
  endTexts(sequence, isEnded);
  return { exact, required: allOf(required) };
}

function readPart(reader: Reader, token: PatternToken): Part {
  if (token.kind === "literal") return { exact: [token.text], required: NOTHING };
  if (token.kind !== "open") return UNKNOWN;
  const group = readAlternatives(reader, false);
  // Beyond the last token is no place where a pattern that was understood ends.
  if (kindAt(reader) !== "close") reader.at = reader.tokens.length;
  reader.at++;
  return group;
}

function kindAt({ tokens, at }: Reader): PatternToken["kind"] | undefined {
  return tokens[at]?.kind;
}

const NOTHING: Required = { kind: "all", of: [] };

const UNKNOWN: Part = { exact: undefined, required: NOTHING };

function isAtEnd(reader: Reader): boolean {
  const kind = kindAt(reader);
  return kind === undefined || kind === "or";
}

/** Adds a part with the repeat that follows it, if one does. */
function addRepeated(sequence: Sequence, { exact, required }: Part, reader: Reader): void {
  const { least, most } = readRepeat(reader);
  const isOptional = least === 0;
  if (exact !== undefined && (!isOptional || most === 1)) {
    addTexts(sequence, isOptional ? [...exact, ""] : exact, reader);
    if (most !== 1) endTexts(sequence, false);
    return;
  }
  endTexts(sequence, false);
  if (!isOptional) sequence.required.push(required);
}

function readRepeat(reader: Reader): { least: number; most: number } {
  const repeat = reader.tokens[reader.at];
  if (repeat?.kind !== "repeat") return { least: 1, most: 1 };
  reader.at++;
  // How much it prefers to take makes no difference. Another repeat is malformed, and the reader ends there.
  const next = reader.tokens[reader.at];
  if (next?.kind === "repeat" && next.text === "?") reader.at++;
  return repeat;
}

/** Goes on with each of the texts; where that comes to too many, with them alone. */
function addTexts(sequence: Sequence, next: readonly string[], reader: Reader): void {
  const { texts } = sequence;
  const { budget } = reader;
  if (texts.length === 1 && texts[0] === "") {
    sequence.texts = next;
    return;
  }
  const count = texts.length * next.length;
  if (count > 1) {
    const characters = lengthOf(texts) * next.length + lengthOf(next) * texts.length;
    if (count > budget.texts || characters > budget.characters || reader.joined + count > budget.joined) {
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

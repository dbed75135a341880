/** The parts of a pattern of RE2, in the order of its text. Whether they make a pattern is the engine's to say. */
export type PatternToken =
  /** Characters that stand for themselves, however they are written; one where a repeat follows. */
  | { readonly kind: "literal"; readonly text: string }
  /** Set that stands for one of many characters: in brackets, or by a property of Unicode. */
  | ({ readonly kind: "set" } & SetSize)
  /** An escape of a letter or digit: `\d`, `\b`. */
  | { readonly kind: "letter"; readonly name: string }
  /** Any other thing that takes an instruction; what nothing follows that must is malformed. */
  | { readonly kind: "other" | "start" | "end" | "malformed" }
  | { readonly kind: "or" | "close" }
  /** A quotation of nothing. A repeat behind it counts for what stands before it, also for another repeat. */
  | { readonly kind: "nothing" }
  /** The flags count in the group; undefined where the engine knows no such group. */
  | { readonly kind: "open"; readonly captures: boolean; readonly flags: string | undefined }
  /** Flags for the rest of the group. */
  | { readonly kind: "flags"; readonly flags: string }
  | { readonly kind: "repeat"; readonly text: string; readonly least: number; readonly most: number };

/** Contents of a set. */
export interface SetSize {
  readonly unicode: number;
  /** Sets such as `\d` and `[:alpha:]`. */
  readonly small: number;
  readonly ranges: number;
  /** Code points of the ranges up to where letters have cases, without the first of each. */
  readonly spread: number;
  /** Characters that the engine looks through for the end of a name. */
  readonly searched: number;
}

/** Above it nothing has another case. */
const LAST_CASED = 0x1e943;

const BRACED = String.raw`\{(?:[^}]*\}|.*)`;
const NUMBER = String.raw`(?:0|[1-9]\d*)`;
const TOKEN = new RegExp(
  [
    String.raw`(?<plain>[^\\[(){*+?|^$.\ud800-\udfff]+(?![*+?{]|\\Q))`,
    String.raw`\\Q(?<quoted>.*?)(?:\\E|$)`,
    String.raw`(?<unicode>\\[pP](?:${BRACED}|.))`,
    String.raw`\\(?:x(?:${BRACED}|..)|[0-7]{1,3})`,
    String.raw`\\(?<letter>[a-zA-Z0-9])`,
    String.raw`\\(?<escaped>.)`,
    String.raw`(?<group>\(\?P?<[^>]*(?:>|$)|\((?!\?))`,
    String.raw`\(\?(?<flags>[a-zA-Z-]*)(?<end>[:)]?)`,
    String.raw`\{(?<least>${NUMBER})(?<open>,(?<most>${NUMBER})?)?\}`,
    String.raw`(?<repeat>[*+?])`,
    String.raw`(?<syntax>[)|[.^$\\])`,
    String.raw`(?<literal>.)`,
  ].join("|"),
  "suy",
);
/** Items in brackets: sets, which stand for several characters, and single characters. */
const SET_IN_BRACKETS = new RegExp(String.raw`\[:\^?\w+:\]|\\[dDsSwW]|(?<unicode>\\[pP](?:${BRACED}|.))`, "suy");
const CHARACTER_IN_BRACKETS = /\\(?:x\{(?<wide>[^}]*)(?:\}|$)|x(?<byte>..)|(?<octal>[0-7]{1,3}))|\\?(?<character>.)/suy;

const KINDS = { ")": "close", "|": "or", "^": "start", $: "end", "\\": "malformed" } as const;
const NO_SET: SetSize = { unicode: 0, small: 0, ranges: 0, spread: 0, searched: 0 };

interface State {
  readonly pattern: string;
  at: number;
}

/** Reads a pattern of any content. Nothing is expanded, so it takes as long as the pattern is. */
export function* tokensOf(pattern: string): Generator<PatternToken, void> {
  const state: State = { pattern, at: 0 };
  while (state.at < pattern.length) {
    const { token, parts } = take(state, TOKEN);
    const { quoted } = parts;
    if (quoted === undefined) yield tokenOf(state, token, parts);
    else if (quoted === "") yield { kind: "nothing" };
    else for (const character of quoted) yield literalOf(character);
  }
}

function tokenOf(state: State, text: string, parts: Record<string, string | undefined>): PatternToken {
  const { letter, flags, end, least, open, most, repeat, syntax } = parts;
  const literal = parts["plain"] ?? parts["escaped"] ?? parts["literal"];
  if (literal !== undefined) return literalOf(literal);
  if (parts["unicode"] !== undefined) return { kind: "set", ...NO_SET, unicode: 1 };
  if (letter !== undefined) return { kind: "letter", name: letter };
  if (parts["group"] !== undefined)
    return { kind: "open", captures: true, flags: /^\((?:\?P?<\w+>)?$/.test(text) ? "" : undefined };
  if (flags !== undefined && end === ")") return { kind: "flags", flags };
  if (flags !== undefined) return { kind: "open", captures: false, flags: end === ":" ? flags : undefined };
  if (least !== undefined) {
    const bound = open === undefined ? least : most;
    return { kind: "repeat", text, least: Number(least), most: bound === undefined ? Infinity : Number(bound) };
  }
  if (repeat !== undefined) {
    return { kind: "repeat", text, least: repeat === "+" ? 1 : 0, most: repeat === "?" ? 1 : Infinity };
  }
  if (syntax === "[") return readBrackets(state);
  return { kind: KINDS[syntax as keyof typeof KINDS] ?? "other" };
}

/** Half a character stands for nothing that can be looked for in a text. */
function literalOf(text: string): PatternToken {
  return text.isWellFormed() ? { kind: "literal", text } : { kind: "other" };
}

function take(state: State, tokens: RegExp): { token: string; parts: Record<string, string | undefined> } {
  // The expressions are shared constants: their state is set here each time.
  tokens.lastIndex = state.at;
  const match = tokens.exec(state.pattern);
  const token = match?.[0] ?? "";
  state.at += token.length;
  return { token, parts: match?.groups ?? {} };
}

/** Reads on behind `[` to the closing bracket. */
function readBrackets(state: State): PatternToken {
  if (state.pattern.charAt(state.at) === "^") state.at++;
  let { unicode, small, ranges, spread, searched } = NO_SET;
  while (state.at < state.pattern.length) {
    if (unicode + small + ranges > 0 && state.pattern.charAt(state.at) === "]") break;
    const { token, parts } = take(state, SET_IN_BRACKETS);
    if (parts["unicode"] !== undefined) unicode++;
    else if (token !== "") small++;
    else {
      if (state.pattern.startsWith("[:", state.at)) searched += state.pattern.length - state.at;
      spread += readRange(state);
      ranges++;
    }
  }
  if (state.at >= state.pattern.length) return { kind: "malformed" };
  state.at++;
  return { kind: "set", unicode, small, ranges, spread, searched };
}

/** @returns how far a range reaches, up to where letters have cases; 0 for a character alone */
function readRange(state: State): number {
  const first = readCharacter(state);
  if (!/^-[^\]]/su.test(state.pattern.slice(state.at, state.at + 3))) return 0;
  state.at++;
  const last = Math.min(readCharacter(state), LAST_CASED);
  return last > first ? last - first : 0;
}

function readCharacter(state: State): number {
  const { wide, byte, octal, character } = take(state, CHARACTER_IN_BRACKETS).parts;
  if (character !== undefined) return character.codePointAt(0) ?? 0;
  return octal === undefined ? Number.parseInt(wide ?? byte ?? "", 16) : Number.parseInt(octal, 8);
}

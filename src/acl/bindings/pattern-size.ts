/**
 * What an RE2 pattern costs, known before it is compiled: its text is walked once and nothing is expanded. Whether the
 * pattern is well formed is the engine's to say.
 */

/** What can be said of a pattern without compiling it. */
export interface PatternSize {
  /**
   * No fewer than the instructions that it compiles to. What takes the engine longer than an instruction counts for
   * several: a set of Unicode characters, a wide range where case is ignored.
   */
  readonly instructions: number;
  /** Texts that every match holds, as far as they are seen easily: the longest ones. */
  readonly required: readonly string[];
  /** What is required is in lower case then, and found in a text's `toLowerCase`. */
  readonly ignoresCase: boolean;
}

/** A part may be repeated so often, repeats around repeats multiplied. */
export const MAX_REPEATS = 1000;

/** In instructions; as measured, in time and in memory. */
const UNICODE_SET = 16;
const UNICODE_SET_WITHOUT_CASE = 64;
const SMALL_SET_WITHOUT_CASE = 4;
/** Elements of a set, code points of a range that ignores case, or characters looked through, that cost one instruction. */
const ELEMENTS = 8;
const CODE_POINTS = 64;
const CHARACTERS = 512;
/** Above it nothing has another case. */
const LAST_CASED = 0x1e943;

const BRACED = String.raw`\{(?:[^}]*\}|.*)`;
const NUMBER = String.raw`(?:0|[1-9]\d*)`;
const TOKEN = new RegExp(
  [
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
/** What stands in brackets for several characters, and what for one. */
const SET_IN_BRACKETS = new RegExp(String.raw`\[:\^?\w+:\]|\\[dDsSwW]|(?<unicode>\\[pP](?:${BRACED}|.))`, "suy");
const CHARACTER_IN_BRACKETS = /\\(?:x\{(?<wide>[^}]*)(?:\}|$)|x(?<byte>..)|(?<octal>[0-7]{1,3}))|\\?(?<character>.)/suy;

interface Item {
  instructions: number;
  /** The largest product of repeats around repeats. */
  repeats: number;
}

interface Group {
  /** Instructions around those of its parts. */
  readonly own: number;
  /** All that no repeat can follow any more. */
  readonly closed: Item;
  /** What a repeat would repeat. */
  last: Item;
}

interface State {
  readonly pattern: string;
  at: number;
  readonly groups: [Group, ...Group[]];
  /** Instructions' worth of work that repeats do not repeat. */
  once: number;
  ignoresCase: boolean;
  hasAlternatives: boolean;
  /** Literal text outside of groups that ends where the state is, and all that ended before. */
  run: string;
  readonly runs: Set<string>;
}

/**
 * Measures a pattern of any content.
 *
 * @throws {Error} in the words of RE2, when a part is repeated more than {@link MAX_REPEATS} times
 */
export function measurePattern(pattern: string): PatternSize {
  const state: State = {
    pattern,
    at: 0,
    groups: [emptyGroup()],
    once: 0,
    ignoresCase: false,
    hasAlternatives: false,
    run: "",
    runs: new Set(),
  };
  while (state.at < pattern.length) readToken(state);
  endRun(state);
  // One instruction fails, one matches, and one does nothing where there is nothing. A group that nobody closes is an
  // error, which the engine finds.
  const instructions = state.groups.reduce((sum, group) => sum + total(group).instructions, 3);
  return {
    instructions: Math.ceil(instructions + state.once),
    required: requiredOf(state),
    ignoresCase: state.ignoresCase,
  };
}

/** To look for hundreds of them in a long text would take longer than it saves. */
const MAX_REQUIRED = 4;

function requiredOf(state: State): string[] {
  const required = allRequired(state);
  if (required.length <= MAX_REQUIRED) return required;
  return required.toSorted((one, other) => other.length - one.length).slice(0, MAX_REQUIRED);
}

function allRequired({ runs, ignoresCase, hasAlternatives }: State): string[] {
  if (hasAlternatives) return [];
  if (!ignoresCase) return [...runs];
  // Lower case says for ASCII what the engine says, but for the long s, which is the same letter only to the engine.
  const pieces = Array.from(runs).flatMap((run) => run.toLowerCase().split(/[^\0-\x7f]+|s+/));
  return [...new Set(pieces)].filter((piece) => piece !== "");
}

function readToken(state: State): void {
  const { token, parts } = take(state, TOKEN);
  const { quoted, escaped, flags, least, open, most, syntax, literal } = parts;
  if (quoted !== undefined) for (const character of quoted) addLiteral(state, character);
  else if (escaped !== undefined) addLiteral(state, escaped);
  else if (literal !== undefined) addLiteral(state, literal);
  else if (parts["unicode"] !== undefined) addItem(state, 1 + unicodeSet(state));
  else if (parts["letter"] !== undefined) addItem(state, smallSet(state));
  else if (parts["group"] !== undefined) openGroup(state, 2);
  else if (flags !== undefined) readFlags(state, flags, parts["end"]);
  else if (least !== undefined) repeat(state, token, Number(least), open === undefined ? Number(least) : bound(most));
  else if (parts["repeat"] !== undefined) repeat(state, token, token === "+" ? 1 : 0, token === "?" ? 1 : Infinity);
  else if (syntax === ")") closeGroup(state);
  else if (syntax === "|") readAlternative(state);
  else if (syntax === "[") addItem(state, readBrackets(state));
  else addItem(state, 1);
}

function take(state: State, tokens: RegExp): { token: string; parts: Record<string, string | undefined> } {
  // The expressions are shared constants: their state is set here each time.
  tokens.lastIndex = state.at;
  const match = tokens.exec(state.pattern);
  const token = match?.[0] ?? "";
  state.at += token.length;
  return { token, parts: match?.groups ?? {} };
}

function addLiteral(state: State, character: string): void {
  const { run } = state;
  push(state, { instructions: 1, repeats: 1 });
  state.run = state.groups.length === 1 ? run + character : "";
}

function addItem(state: State, instructions: number): void {
  endRun(state);
  push(state, { instructions, repeats: 1 });
}

function push(state: State, item: Item): void {
  const group = currentGroup(state);
  flush(group);
  group.last = item;
}

/** A character that is repeated may be absent, so it is taken back from what is required. */
function repeat(state: State, token: string, least: number, most: number): void {
  if (state.run !== "") state.run = state.run.slice(0, -(Array.from(state.run).at(-1)?.length ?? 0));
  endRun(state);
  const { last } = currentGroup(state);
  const copies = most === Infinity ? Math.max(least, 1) : most;
  last.repeats *= copies;
  if (last.repeats > MAX_REPEATS) throw new Error(`error parsing regexp: invalid repeat count: \`${token}\``);
  // Each copy that may be left out takes an instruction more; so does a loop, and two where its part may be empty.
  const choices = most === Infinity ? 1 + Number(least === 0) : Math.max(most - least, 0);
  last.instructions = copies === 0 ? 1 : copies * last.instructions + choices;
}

function bound(most: string | undefined): number {
  return most === undefined ? Infinity : Number(most);
}

function readFlags(state: State, flags: string, end: string | undefined): void {
  // Nowhere is case minded again: that some part does not ignore it is not worth following.
  if (/^[^-]*i/.test(flags)) state.ignoresCase = true;
  if (end !== ")") openGroup(state, 0);
}

function openGroup(state: State, instructions: number): void {
  endRun(state);
  state.groups.push({ ...emptyGroup(), own: instructions });
}

function closeGroup(state: State): void {
  endRun(state);
  if (state.groups.length === 1) return;
  const { instructions, repeats } = total(currentGroup(state));
  const { own } = currentGroup(state);
  state.groups.pop();
  // An empty group is an instruction that does nothing.
  push(state, { instructions: own + Math.max(instructions, 1), repeats });
}

function readAlternative(state: State): void {
  endRun(state);
  const group = currentGroup(state);
  flush(group);
  // One instruction chooses, and an empty alternative is one that does nothing.
  group.closed.instructions += 2;
  if (state.groups.length === 1) state.hasAlternatives = true;
}

/** Reads on behind `[` to the closing bracket. @returns the instructions' worth of the set */
function readBrackets(state: State): number {
  if (state.pattern.charAt(state.at) === "^") state.at++;
  let size = 1;
  let isFirst = true;
  while (state.at < state.pattern.length && (isFirst || state.pattern.charAt(state.at) !== "]")) {
    isFirst = false;
    const { token, parts } = take(state, SET_IN_BRACKETS);
    if (parts["unicode"] !== undefined) size += unicodeSet(state);
    else if (token !== "") size += smallSet(state) / ELEMENTS;
    else size += readRange(state);
  }
  state.at++;
  return size;
}

function readRange(state: State): number {
  // The engine looks for the end of a named set as far as the pattern goes.
  if (state.pattern.startsWith("[:", state.at)) state.once += (state.pattern.length - state.at) / CHARACTERS;
  const first = readCharacter(state);
  if (!/^-[^\]]/su.test(state.pattern.slice(state.at, state.at + 3))) return 1 / ELEMENTS;
  state.at++;
  const last = Math.min(readCharacter(state), LAST_CASED);
  if (state.ignoresCase && last > first) state.once += (last - first) / CODE_POINTS;
  return 1 / ELEMENTS;
}

function readCharacter(state: State): number {
  const { wide, byte, octal, character } = take(state, CHARACTER_IN_BRACKETS).parts;
  if (character !== undefined) return character.codePointAt(0) ?? 0;
  return octal === undefined ? Number.parseInt(wide ?? byte ?? "", 16) : Number.parseInt(octal, 8);
}

function unicodeSet(state: State): number {
  if (state.ignoresCase) state.once += UNICODE_SET_WITHOUT_CASE;
  return UNICODE_SET;
}

function smallSet(state: State): number {
  return state.ignoresCase ? SMALL_SET_WITHOUT_CASE : 1;
}

function endRun(state: State): void {
  if (state.run !== "") state.runs.add(state.run);
  state.run = "";
}

function currentGroup({ groups }: State): Group {
  return groups.at(-1) ?? groups[0];
}

function emptyGroup(): Group {
  return { own: 0, closed: { instructions: 0, repeats: 1 }, last: { instructions: 0, repeats: 1 } };
}

function flush(group: Group): void {
  group.closed.instructions += group.last.instructions;
  group.closed.repeats = Math.max(group.closed.repeats, group.last.repeats);
  group.last = { instructions: 0, repeats: 1 };
}

function total(group: Group): Item {
  flush(group);
  return { ...group.closed };
}

/**
 * Estimates the cost of an RE2 pattern before it is compiled: its text is walked once and nothing is expanded. The
 * engine decides whether the pattern is well formed.
 */
import { tokensOf, type PatternToken, type SetSize } from "./pattern-tokens.ts";

/** Maximum number of repeats of a part; nested repeats are multiplied. */
export const MAX_REPEATS = 1000;

/** In instructions; as measured, in time and in memory. */
const UNICODE_SET = 16;
const UNICODE_SET_WITHOUT_CASE = 64;
const SMALL_SET_WITHOUT_CASE = 4;
/** Elements of a set, code points of a range that ignores case, or characters looked through, that cost one instruction. */
const ELEMENTS = 8;
const CODE_POINTS = 64;
const CHARACTERS = 512;

interface Item {
  instructions: number;
  /** The largest product of repeats around repeats. */
  repeats: number;
}

interface Group {
  /** Instructions around those of its parts. */
  readonly own: number;
  /** Items that no repeat can follow any longer. */
  readonly closed: Item;
  /** Item that a repeat would repeat. */
  last: Item;
}

interface State {
  readonly groups: [Group, ...Group[]];
  /** Instructions' worth of work that repeats do not repeat. */
  once: number;
  ignoresCase: boolean;
}

/**
 * Measures a pattern of any content.
 *
 * @returns no fewer than the instructions that it compiles to. What takes the engine longer than an instruction counts for
 *   several: a set of Unicode characters, a wide range where case is ignored
 * @throws {Error} in the words of RE2, when a part is repeated more than {@link MAX_REPEATS} times
 */
export function measurePattern(pattern: string): number {
  const state: State = { groups: [emptyGroup()], once: 0, ignoresCase: false };
  for (const token of tokensOf(pattern)) addToken(state, token);
  // One instruction fails, one matches, and one does nothing where there is nothing. A group that nobody closes is an
  // error, which the engine finds.
  const instructions = state.groups.reduce((sum, group) => sum + total(group).instructions, 3);
  return Math.ceil(instructions + state.once);
}

function addToken(state: State, token: PatternToken): void {
  switch (token.kind) {
    case "nothing":
      return;
    case "set":
      addItem(state, sizeOfSet(state, token));
      return;
    case "letter":
      addItem(state, smallSet(state));
      return;
    case "open":
      if (token.flags !== undefined) readFlags(state, token.flags);
      state.groups.push({ ...emptyGroup(), own: token.captures ? 2 : 0 });
      return;
    case "flags":
      readFlags(state, token.flags);
      return;
    case "repeat":
      repeat(currentGroup(state).last, token);
      return;
    case "close":
      closeGroup(state);
      return;
    case "or":
      readAlternative(state);
      return;
    case "literal":
      for (let left = Array.from(token.text).length; left > 0; left--) addItem(state, 1);
      return;
    default:
      addItem(state, 1);
  }
}

function addItem(state: State, instructions: number): void {
  push(state, { instructions, repeats: 1 });
}

function push(state: State, item: Item): void {
  const group = currentGroup(state);
  flush(group);
  group.last = item;
}

function repeat(last: Item, { text, least, most }: PatternToken & { kind: "repeat" }): void {
  const copies = most === Infinity ? Math.max(least, 1) : most;
  last.repeats *= copies;
  if (last.repeats > MAX_REPEATS) throw new Error(`error parsing regexp: invalid repeat count: \`${text}\``);
  // Each copy that may be left out takes an instruction more; so does a loop, and two where its part may be empty.
  const choices = most === Infinity ? 1 + Number(least === 0) : Math.max(most - least, 0);
  last.instructions = copies === 0 ? 1 : copies * last.instructions + choices;
}

/** Nowhere is case minded again: that some part does not ignore it is not worth following. */
function readFlags(state: State, flags: string): void {
  if (/^[^-]*i/.test(flags)) state.ignoresCase = true;
}

function closeGroup(state: State): void {
  if (state.groups.length === 1) return;
  const { instructions, repeats } = total(currentGroup(state));
  const { own } = currentGroup(state);
  state.groups.pop();
  // An empty group is an instruction that does nothing.
  push(state, { instructions: own + Math.max(instructions, 1), repeats });
}

function readAlternative(state: State): void {
  const group = currentGroup(state);
  flush(group);
  // One instruction chooses, and an empty alternative is one that does nothing.
  group.closed.instructions += 2;
}

function sizeOfSet(state: State, { unicode, small, ranges, spread, searched }: SetSize): number {
  state.once += searched / CHARACTERS;
  if (state.ignoresCase) state.once += unicode * UNICODE_SET_WITHOUT_CASE + spread / CODE_POINTS;
  return 1 + unicode * UNICODE_SET + (small * smallSet(state) + ranges) / ELEMENTS;
}

function smallSet(state: State): number {
  return state.ignoresCase ? SMALL_SET_WITHOUT_CASE : 1;
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

/** Whether tags are as rules ask: pure, and bounded by counted work, so that the same tags always come to the same. */
import { createRegularExpressions, measureBounded } from "../../acl/bindings/regular-expressions.ts";
import type { RegularExpression } from "../../selectors/regular-expression.ts";
import { wholly, type TagRule } from "./rule.ts";

/** Tags and keys of a workspace. */
export interface TagState {
  projectId: string;
  /** Names of flat tags. */
  tags: readonly string[];
  /** Keys and values that apply, inherited ones too. */
  bindings: readonly { key: string; value: string }[];
}

/** A rule that is broken. */
export interface Violation {
  /** The rule's name. */
  rule: string;
  detail: string;
  kind: "required" | "value" | "name" | "limit";
  /** The name or key that it is about; empty for none. */
  subject: string;
}

/** Rules with their patterns, which are compiled when they are first asked. */
export interface CompiledTagRules {
  rules: readonly TagRule[];
  patterns: Patterns;
}

/** Instructions of patterns times characters that the patterns of one check may take, each text longer by `COMPILING`. */
const MAX_WORK = 4_000_000;
const COMPILING = 16;
/** Answers that are remembered: tags of one organization are often the same. */
const MAX_ANSWERS = 10_000;
/** In bytes: all patterns of a policy fit. */
const CACHE_BYTES = 4 * 1024 * 1024;

/** Makes rules ready to be asked. What it remembers goes with it. */
export function compileTagRules(rules: readonly TagRule[]): CompiledTagRules {
  return { rules, patterns: new Patterns() };
}

/**
 * The rules that a workspace breaks, in the order of the rules. A rule whose patterns would take too long for what there is
 * to compare counts as broken.
 */
export function checkTagRules(compiled: CompiledTagRules, state: TagState): Violation[] {
  return [...missingKeys(compiled, state), ...wrongTexts(compiled, state)];
}

/** Keys that rules require and a workspace has neither as a binding nor as a flat tag. */
export function missingKeys(compiled: CompiledTagRules, state: TagState): Violation[] {
  const present = new Set([...state.tags, ...state.bindings.map(({ key }) => key)]);
  return rulesFor(compiled, state).flatMap(({ name, requiredKeys = [] }) =>
    requiredKeys
      .filter((key) => !present.has(key))
      .map((key) => ({ rule: name, kind: "required" as const, subject: key, detail: `The key ${key} is missing` })),
  );
}

/** Amount of work that one check may still do. */
export interface Work {
  left: number;
}

/** Returns the work that one workspace, or all names of one request, may take. */
export function fullWork(): Work {
  return { left: MAX_WORK };
}

/** Values and names that rules do not allow. */
export function wrongTexts(compiled: CompiledTagRules, state: TagState, work = fullWork()): Violation[] {
  const names = [...new Set([...state.tags, ...state.bindings.map(({ key }) => key)])];
  return rulesFor(compiled, state).flatMap((rule) => {
    try {
      return [...wrongValues(compiled, rule, state, work), ...wrongNames(compiled, rule, names, work)];
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
      const detail = "The patterns of the tag policy take too long on these names and values";
      return [{ rule: rule.name, kind: "limit" as const, subject: "", detail }];
    }
  });
}

function rulesFor({ rules }: CompiledTagRules, { projectId }: TagState): TagRule[] {
  return rules.filter(({ project }) => project === undefined || project === projectId);
}

function wrongValues(
  { patterns }: CompiledTagRules,
  { name, key, allowedValues, valuePattern }: TagRule,
  { bindings }: TagState,
  work: Work,
): Violation[] {
  const held = bindings.find((binding) => binding.key === key);
  if (held === undefined || key === undefined) return [];
  const { value } = held;
  const isAllowed =
    valuePattern === undefined ? allowedValues?.includes(value) : patterns.match(valuePattern, value, work);
  if (isAllowed === true) return [];
  const wanted = valuePattern === undefined ? `be one of ${shortList(allowedValues ?? [])}` : `match ${valuePattern}`;
  const detail = `The value of ${key} must ${wanted}, and is ${JSON.stringify(value)}`;
  return [{ rule: name, kind: "value", subject: key, detail }];
}

function wrongNames(
  { patterns }: CompiledTagRules,
  { name: rule, namingPattern }: TagRule,
  names: readonly string[],
  work: Work,
): Violation[] {
  if (namingPattern === undefined) return [];
  return names
    .filter((name) => !patterns.match(namingPattern, name, work))
    .map((name) => ({ rule, kind: "name", subject: name, detail: `The name ${name} must match ${namingPattern}` }));
}

const MAX_LISTED = 10;

function shortList(values: readonly string[]): string {
  const shown = values.slice(0, MAX_LISTED).map((value) => JSON.stringify(value));
  return values.length > MAX_LISTED ? `${shown.join(", ")} and ${values.length - MAX_LISTED} more` : shown.join(", ");
}

class TooMuchWork extends Error {}

interface Pattern {
  expression: RegularExpression;
  instructions: number;
  answers: Map<string, boolean>;
}

class Patterns {
  readonly #engine = createRegularExpressions({ cacheBytes: CACHE_BYTES }).lazy;
  readonly #known = new Map<string, Pattern>();

  /** Whether the whole text fits. @throws TooMuchWork when that would take more than is left */
  match(pattern: string, text: string, work: Work): boolean {
    const { expression, instructions, answers } = this.#of(pattern);
    // Paid also for what is remembered, so that a verdict rests on nothing but itself.
    work.left -= instructions * (text.length + COMPILING);
    if (work.left < 0) throw new TooMuchWork();
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = expression.matches(text);
    if (answers.size === MAX_ANSWERS) answers.clear();
    answers.set(text, answer);
    return answer;
  }

  #of(pattern: string): Pattern {
    const known = this.#known.get(pattern);
    if (known !== undefined) return known;
    const whole = wholly(pattern);
    const made = { expression: this.#engine.compile(whole), instructions: measureBounded(whole), answers: new Map() };
    this.#known.set(pattern, made);
    return made;
  }
}

/**
 * What the regular expressions of one login may take, counted and not measured: the same identity and rules always come to
 * the same. Work is instructions of a pattern times UTF-16 code units of the text that it is asked about.
 */
import type { Identity } from "../../selectors/identity.ts";
import { MAX_SELECTOR_INSTRUCTIONS } from "./pattern-limit.ts";
import { MAX_WORK, RegularExpressionLimitError } from "./regular-expressions.ts";

/**
 * Code units that are added to each text, since the pattern may have to be compiled for it: patterns that do not fit in the
 * cache together are compiled for every login, which takes longer than a short text does.
 */
const COMPILING = 16;

/** Most work of one selector: all that its patterns may have to compile, and as much as one of them may take; 40 ms for the slowest. */
export const MAX_SELECTOR_WORK = MAX_WORK + MAX_SELECTOR_INSTRUCTIONS * COMPILING;

/** Most work of one login over the selectors that it asks; a second of it for most patterns, several to compile the slowest. */
export const MAX_LOGIN_WORK = 25_000_000;

/** Code units that are looked through for literal text in the time of an instruction for one; fewer than the least are not counted. */
const SEARCHED = 16;
const LEAST_SEARCHED = 4096;

/** What a login has left. It is used up by `askWithin`. */
export interface WorkBudget {
  /** Of all selectors, and of the one that is asked. */
  left: number;
  selectorLeft: number;
  /** How many were asked. */
  selectors: number;
  /** By patterns, what each was charged for last: its answer is known. */
  readonly charged: Map<string, Charged>;
}

interface Charged {
  readonly text: string;
  /** Number of the last selector that paid. */
  selector: number;
}

/** The whole budget of a login. */
export function startBudget(): WorkBudget {
  return { left: MAX_LOGIN_WORK, selectorLeft: 0, selectors: 0, charged: new Map() };
}

/** Whose selector is asked: that is done at one stroke, so it is never but one. */
let current: WorkBudget | undefined;

/**
 * Asks one selector, on the account of a login.
 *
 * @throws {RegularExpressionLimitError} when its regular expressions would take more than the selector or the login has left
 */
export function askWithin<T>(budget: WorkBudget, ask: (identity: Identity) => T, identity: Identity): T {
  budget.selectorLeft = MAX_SELECTOR_WORK;
  budget.selectors++;
  current = budget;
  try {
    return ask(identity);
  } finally {
    current = undefined;
  }
}

/**
 * Charges the selector that is asked for an answer of the engine. Each selector pays once also for an answer that is
 * remembered, so that its verdict rests on nothing but itself; the login pays once.
 *
 * @throws {RegularExpressionLimitError}
 */
export function charge(pattern: string, text: string, instructions: number): void {
  if (current === undefined) return;
  const { selectors, charged } = current;
  const work = instructions * (text.length + COMPILING);
  const before = charged.get(pattern);
  const isKnown = before?.text === text;
  if (isKnown && before.selector === selectors) return;
  pay(current, work, isKnown ? 0 : work);
  if (isKnown) before.selector = selectors;
  else charged.set(pattern, { text, selector: selectors });
}

/**
 * Charges the selector that is asked for looking for literal texts.
 *
 * @throws {RegularExpressionLimitError}
 */
export function chargeSearches(count: number, text: string): void {
  const searched = count * text.length;
  if (current === undefined || searched < LEAST_SEARCHED) return;
  pay(current, searched / SEARCHED, searched / SEARCHED);
}

function pay(budget: WorkBudget, ofSelector: number, ofLogin: number): void {
  if (ofSelector > budget.selectorLeft) {
    throw new RegularExpressionLimitError(
      "the values are too long for the regular expressions of the selector together",
    );
  }
  if (ofLogin > budget.left) {
    throw new RegularExpressionLimitError("the regular expressions of the rules take too long together");
  }
  budget.selectorLeft -= ofSelector;
  budget.left -= ofLogin;
}

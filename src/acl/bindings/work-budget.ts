/**
 * Limits the work of the regular expressions of one login. Work is counted and not measured: equal identities and rules
 * always cost an equal amount. Work is instructions of a pattern times UTF-16 code units of the text that it is matched
 * against.
 */
import type { Meter } from "../../selectors/regular-expression.ts";
import { MAX_SELECTOR_INSTRUCTIONS, MAX_WORK, RegularExpressionLimitError } from "./regular-expressions.ts";

/**
 * Code units that are added to each text, since the pattern may have to be compiled for it: patterns that do not fit in the
 * cache together are compiled for every login, which takes longer than a short text does.
 */
const COMPILING = 16;

/** Most work of one selector: all that its patterns may have to compile, and as much as one of them may take. */
export const MAX_SELECTOR_WORK = MAX_WORK + MAX_SELECTOR_INSTRUCTIONS * COMPILING;

/** Most work of one login over the selectors that it asks. */
export const MAX_LOGIN_WORK = 25_000_000;

/** Code units that are looked through for literal text in the time of an instruction for one; fewer than the least are not counted. */
const SEARCHED = 16;
const LEAST_SEARCHED = 4096;

/** Remaining work of a login, charged by the selector that is evaluated at the time. */
export interface WorkBudget extends Meter {
  /** Starts another selector. */
  beginSelector(): void;
}

interface Charged {
  readonly text: string;
  /** Number of the last selector that paid. */
  selector: number;
}

/**
 * The whole budget of a login. Each selector pays once also for an answer that is remembered, so that its verdict rests on
 * nothing but itself; the login pays once. Charging throws RegularExpressionLimitError when the selector, or the login, has
 * not so much left.
 */
export function startBudget(): WorkBudget {
  let left = MAX_LOGIN_WORK;
  let selectorLeft = 0;
  let selectors = 0;
  /** By patterns, what each was charged for last: its answer is known. */
  const charged = new Map<string, Charged>();

  function pay(ofSelector: number, ofLogin: number): void {
    if (ofSelector > selectorLeft) {
      throw new RegularExpressionLimitError("the values are too long for all regular expressions of the selector");
    }
    if (ofLogin > left) {
      throw new RegularExpressionLimitError(
        "the regular expressions of the binding rules take too long. Simplify the selectors",
      );
    }
    selectorLeft -= ofSelector;
    left -= ofLogin;
  }

  return {
    beginSelector() {
      selectorLeft = MAX_SELECTOR_WORK;
      selectors++;
    },
    charge(pattern, text, instructions) {
      const work = instructions * (text.length + COMPILING);
      const before = charged.get(pattern);
      const isKnown = before?.text === text;
      if (isKnown && before.selector === selectors) return;
      pay(work, isKnown ? 0 : work);
      if (isKnown) before.selector = selectors;
      else charged.set(pattern, { text, selector: selectors });
    },
    chargeSearches(count, text) {
      const searched = count * text.length;
      if (searched >= LEAST_SEARCHED) pay(searched / SEARCHED, searched / SEARCHED);
    },
  };
}

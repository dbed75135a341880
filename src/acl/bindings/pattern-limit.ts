import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { measureBounded } from "./regular-expressions.ts";

/** Most instructions of the patterns of one selector together; the slowest of that size take 26 ms to compile. */
export const MAX_SELECTOR_INSTRUCTIONS = 8000;

/**
 * An engine for patterns that must not be too large together. One that occurs again counts once, and none is compiled that
 * goes beyond.
 *
 * @param most instructions
 * @param whose patterns they are, for the error
 */
export function limitTogether(engine: RegularExpressions, most: number, whose: string): RegularExpressions {
  const counted = new Set<string>();
  let left = most;
  return {
    compile(pattern) {
      if (!counted.has(pattern)) {
        counted.add(pattern);
        left -= measureBounded(pattern);
      }
      if (left < 0) throw new Error(`the regular expressions of ${whose} are too large together`);
      return engine.compile(pattern);
    },
  };
}

import type { RegularExpression, RegularExpressions } from "../../selectors/regular-expression.ts";
import { LITERAL_BUDGET, literalsOf, mayMatch, searchesOf, type PatternLiterals } from "./pattern-literals.ts";
import type { CountedExpression } from "./regular-expressions.ts";

/** Texts that are remembered: an identity has few that are asked about. */
const MAX_TEXTS = 8;

/**
 * Makes the patterns of many rules cheap. One that several rules have is compiled for all of them, and remembers its last
 * answer, or the error that it had instead. One that its literal text decides is not asked at all: neither a limit of the
 * engine's nor what it costs to compile counts then. What the engine is asked is charged to the meter of whoever asks.
 */
export function shareExpressions(regularExpressions: RegularExpressions): RegularExpressions {
  const compiled = new Map<string, RegularExpression>();
  const numberOf = numberTexts();
  return {
    compile(pattern) {
      const known = compiled.get(pattern);
      if (known !== undefined) return known;
      const remembered = remembering(pattern, regularExpressions.compile(pattern), numberOf);
      const literals = literalsOf(pattern, LITERAL_BUDGET);
      const expression = literals === undefined ? remembered : decidedBy(literals, remembered);
      compiled.set(pattern, expression);
      return expression;
    },
  };
}

function decidedBy(literals: PatternLiterals, expression: RegularExpression): RegularExpression {
  const { exact, required } = literals;
  if (exact !== undefined) return { matches: (text) => exact.includes(text) };
  const searches = searchesOf(required);
  return {
    matches(text, meter) {
      meter?.chargeSearches(searches, text);
      return mayMatch(text, literals) && expression.matches(text, meter);
    },
  };
}

/** Gives each text a number that no other has had, so that answers need not keep the texts that they are about. */
function numberTexts(): (text: string) => number {
  const numbers = new Map<string, number>();
  let last = 0;
  return (text) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    if (numbers.size === MAX_TEXTS) numbers.clear();
    last++;
    numbers.set(text, last);
    return last;
  };
}

function remembering(
  pattern: string,
  expression: CountedExpression,
  numberOf: (text: string) => number,
): RegularExpression {
  let about = 0;
  let instructions = 0;
  let answer: boolean | Error | undefined;
  return {
    matches(text, meter) {
      const number = numberOf(text);
      if (number !== about) {
        about = number;
        const counted = attempt(() => expression.instructionsFor?.(text) ?? 0);
        instructions = counted instanceof Error ? 0 : counted;
        answer = counted instanceof Error ? counted : undefined;
      }
      // A login that cannot pay gets no answer that is kept: the next login may be able to pay.
      if (instructions > 0) meter?.charge(pattern, text, instructions);
      answer ??= attempt(() => expression.matches(text));
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

function attempt<T>(ask: () => T): T | Error {
  try {
    return ask();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

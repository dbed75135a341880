import type { RegularExpression, RegularExpressions } from "../../selectors/regular-expression.ts";
import { hasRequired, literalsOf, type PatternLiterals, type Required } from "./pattern-literals.ts";

/** Texts that are remembered: an identity has few that are asked about. */
const MAX_TEXTS = 8;

/**
 * Makes the patterns of many rules cheap. One that several rules have is compiled for all of them, and remembers its last
 * answer, or the error that it had instead. One that its literal text decides is not asked at all: neither a limit of the
 * engine's nor what it costs to compile counts then.
 */
export function shareExpressions(regularExpressions: RegularExpressions): RegularExpressions {
  const compiled = new Map<string, RegularExpression>();
  const numberOf = numberTexts();
  return {
    compile(pattern) {
      const known = compiled.get(pattern);
      if (known !== undefined) return known;
      const remembered = remembering(regularExpressions.compile(pattern), numberOf);
      const literals = literalsOf(pattern);
      const expression = literals === undefined ? remembered : decidedBy(literals, remembered);
      compiled.set(pattern, expression);
      return expression;
    },
  };
}

function decidedBy({ exact, required }: PatternLiterals, expression: RegularExpression): RegularExpression {
  return exact === undefined ? asked(required, expression) : among(exact);
}

function asked(required: Required, expression: RegularExpression): RegularExpression {
  return { matches: (text) => hasRequired(text, required) && expression.matches(text) };
}

function among(texts: readonly string[]): RegularExpression {
  return { matches: (text) => texts.includes(text) };
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

function remembering(expression: RegularExpression, numberOf: (text: string) => number): RegularExpression {
  let about = 0;
  let answer: boolean | Error = false;
  return {
    matches(text) {
      const number = numberOf(text);
      if (number !== about) {
        answer = ask(expression, text);
        about = number;
      }
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

function ask(expression: RegularExpression, text: string): boolean | Error {
  try {
    return expression.matches(text);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

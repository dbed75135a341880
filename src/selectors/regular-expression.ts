/**
 * Engine for regular expressions, as `matches` needs it. Selectors come from outside: it should take linear time, as
 * RE2 does.
 */
export interface RegularExpressions {
  /** @throws {Error} whose message says what is wrong with the pattern */
  compile(pattern: string): RegularExpression;
}

export interface RegularExpression {
  /**
   * Whether the pattern is found anywhere in the text. What it throws leaves the compiled selector as it is.
   *
   * @param meter of whoever asks, where somebody counts
   */
  matches(text: string, meter?: Meter): boolean;
}

/** Counts what regular expressions take. Each of its functions throws when that is too much. */
export interface Meter {
  /** An answer of the engine. @param instructions of the pattern */
  charge(pattern: string, text: string, instructions: number): void;
  /** Charges the search for this number of literal texts in the whole text. */
  chargeSearches(count: number, text: string): void;
}

/** What `matches` needs of an engine for regular expressions. Selectors come from outside: it should take linear time, as RE2 does. */
export interface RegularExpressions {
  /** @throws {Error} whose message says what is wrong with the pattern */
  compile(pattern: string): RegularExpression;
}

export interface RegularExpression {
  /** Whether the pattern is found anywhere in the text. What it throws leaves the compiled selector as it is. */
  matches(text: string): boolean;
}

/**
 * Nodes of a parsed selector. Places are indexes into its text, `end` exclusive; a group's parentheses belong to their
 * contents.
 */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** The names from the identity down to one field or key; there is at least one. */
export type Path = readonly [string, ...string[]];

export type ValueOperator = "==" | "!=" | "in" | "not in" | "matches" | "not matches";
export type EmptinessOperator = "is empty" | "is not empty";
export type Operator = ValueOperator | EmptinessOperator;

/** A field against a text. `x in s` and `s contains x` are the same test. */
export interface ValueTest extends Place {
  readonly kind: "test";
  readonly operator: ValueOperator;
  readonly path: Path;
  readonly value: string;
}

export interface EmptinessTest extends Place {
  readonly kind: "test";
  readonly operator: EmptinessOperator;
  readonly path: Path;
}

export type Test = ValueTest | EmptinessTest;

export interface Not extends Place {
  readonly kind: "not";
  readonly operand: Selector;
}

/** Two operands or more; one that is joined by the same word stood in parentheses. */
export interface Joined extends Place {
  readonly kind: "and" | "or";
  readonly operands: readonly Selector[];
}

export type Selector = Test | Not | Joined;

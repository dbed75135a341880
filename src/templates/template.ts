export interface Variable {
  readonly name: string;
  /** Where the name stands in the template's text, as an index. */
  readonly at: number;
}

/** Literal texts and variables, in their order. */
export interface Template {
  readonly text: string;
  readonly parts: readonly (string | Variable)[];
}

/** Whether the result depends on variables: a name that was computed may be trusted less than one that was written. */
export function isComputed({ parts }: Template): boolean {
  return parts.some((part) => typeof part !== "string");
}

/** A selector that cannot be taken: its text is malformed, it does not fit the identity, or a pattern in it is refused. */
export class SelectorError extends Error {
  /** Position of the fault in the text, as an index. Undefined when the whole text is at fault. */
  readonly at: number | undefined;

  constructor(message: string, at?: number, options?: ErrorOptions) {
    super(message, options);
    this.name = "SelectorError";
    this.at = at;
  }
}

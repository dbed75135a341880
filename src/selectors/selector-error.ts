/** A selector that cannot be taken: its text is malformed, it does not fit the identity, or a pattern in it is refused. */
export class SelectorError extends Error {
  /** Where in the text the reason lies, as an index; undefined when it is about the whole text. */
  readonly at: number | undefined;

  constructor(message: string, at?: number, options?: ErrorOptions) {
    super(message, options);
    this.name = "SelectorError";
    this.at = at;
  }
}

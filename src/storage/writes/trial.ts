/** Ends a transaction that was only tried: it would have been committed, and all of it is rolled back. */
export class TrialOver extends Error {
  override readonly name = "TrialOver";

  constructor() {
    super("the write was tried, and nothing of it is kept");
  }
}

/** Destination for lines of audit records. */
export interface AuditSink {
  /** The same for as long as it is the same place: what it has been given is stored under it. */
  name: string;
  /**
   * Takes lines, in this order. Resolves when it has them for good.
   *
   * @throws SinkFailure when it has not, or nobody knows; then the same lines come again
   */
  deliver(lines: readonly string[], signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A sink did not take what it was given. */
export class SinkFailure extends Error {
  /** How long it asks to be left alone, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

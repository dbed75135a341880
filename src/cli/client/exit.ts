/** How a command ends: the exit codes that docs/reference/cli.md promises, and the failures that carry one. */

/** Exit codes of commands. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  conflict: 5,
  unreachable: 6,
  drift: 7,
  /** As shells have it: 128 and the number of the signal. */
  interrupted: 130,
  terminated: 143,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Error that ends a command with an exit code and a message. Each of `hints` is one more line, with advice. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly hints: readonly string[];

  constructor(exitCode: ExitCode, message: string, ...hints: string[]) {
    super(message);
    this.name = "CliError";
    this.exitCode = exitCode;
    this.hints = hints;
  }
}

/** The same failure with what the server said, of which status and request are told too. */
export function withCause(error: CliError, cause: unknown): CliError {
  error.cause = cause;
  return error;
}

/** A command line, a file or a variable that cannot be meant so. */
export function usage(message: string, ...hints: string[]): CliError {
  return new CliError(EXIT.usage, message, ...hints);
}

/** The end of an edit that failed; the user's text stays in this file. */
export class TextKept extends Error {
  readonly file: string;

  constructor(file: string, options: { cause: unknown }) {
    super("text kept", options);
    this.file = file;
  }
}

/** Error that ended a list after some of it was shown; its cause is the reason. */
export class CutShort extends Error {
  readonly count: number;

  constructor(count: number, options: { cause: unknown }) {
    super("cut short", options);
    this.count = count;
  }
}

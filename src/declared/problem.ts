/**
 * Faults in a directory of files, each with its place. All are reported together, so the user can correct them
 * together.
 */

/** Place in a file. */
export interface FilePlace {
  /** Relative to the directory. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One fault. */
export interface Problem {
  readonly place: FilePlace | undefined;
  readonly message: string;
  /** The key of the object that it is about. */
  readonly key?: string;
}

/** Maximum number of problems that are shown. A user with more corrects these first. */
const TOLD = 100;

/** The files, or what is asked of them, cannot be meant so. */
export class DeclarationError extends Error {
  readonly problems: readonly Problem[];
  /** Number of all problems, including those that are not kept. */
  readonly count: number;

  /** @param uncounted how many there are beside */
  constructor(problems: readonly Problem[], uncounted = 0) {
    const lines = problems.slice(0, TOLD).map(textOf);
    const left = problems.length - lines.length + uncounted;
    const more = left > 0 ? [`and ${left} more`] : [];
    super([...lines, ...more].join("\n"));
    this.name = "DeclarationError";
    this.problems = problems;
    this.count = problems.length + uncounted;
  }
}

/** One fault as a line, in the form that editors jump to. */
export function textOf({ place, message }: Problem): string {
  return place === undefined ? message : `${place.file}:${place.line}:${place.column}: ${message}`;
}

/** The error for one fault. */
export function wrong(message: string, place?: FilePlace): DeclarationError {
  return new DeclarationError([{ place, message }]);
}

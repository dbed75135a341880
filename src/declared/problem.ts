/** What is wrong with a directory of files, with the place of each fault: all of it at once, so that it is mended at once. */

/** Where something stands in a file. */
export interface Place {
  /** Relative to the directory. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One fault. */
export interface Problem {
  readonly place: Place | undefined;
  readonly message: string;
  /** The key of the object that it is about. */
  readonly key?: string;
}

/** So many are told; who has more mends these first. */
const TOLD = 100;

/** The files, or what is asked of them, cannot be meant so. */
export class DeclarationError extends Error {
  readonly problems: readonly Problem[];
  /** All that there are, also those that are not kept. */
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
export function wrong(message: string, place?: Place): DeclarationError {
  return new DeclarationError([{ place, message }]);
}

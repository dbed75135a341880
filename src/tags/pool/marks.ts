/** As what a tag was put on a workspace: one link may be both, and each of the two is taken off alone. */

/** A flat tag. */
export const TAG = 1;
/** A key, with or without a value. */
export const BINDING = 2;
export const BOTH = TAG | BINDING;
/**
 * Beside both: a flat tag that was never asked for. A key without a value is shown as one, since Terraform asks for both in
 * turn until it finds both; it goes with the key.
 */
export const LENT = 4;

export type TagMark = typeof TAG | typeof BINDING;

/** Says that it is a flat tag that somebody asked for. */
export function asTag(marks: number): number {
  return (marks | TAG) & ~LENT;
}

/** As what it is left when it is no more one of these. */
export function without(marks: number, mark: TagMark): number {
  const gone = (marks & LENT) !== 0 ? (mark === BINDING ? BOTH | LENT : TAG | LENT) : mark;
  return marks & ~gone;
}

/** Returns the marks of two links merged into one. */
export function joined(one: number, other: number): number {
  const isAsked = [one, other].some((marks) => (marks & TAG) !== 0 && (marks & LENT) === 0);
  return isAsked ? asTag(one | other) : one | other;
}

/** Returns the marks of a link that gets this value: only a key without a value is also a flat tag for that reason. */
export function valued(marks: number, value: string): number {
  return value !== "" && (marks & LENT) !== 0 ? without(marks, TAG) : marks;
}

/** Binding columns of a link that is only a flat tag. */
export const NO_BINDING = { value: "", bindingId: "", boundAt: "" };

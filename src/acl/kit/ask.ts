/** One validation for a write and for the check that comes before it: both ask the same, and each takes a refusal in its own way. */

/**
 * Asks whether what a member of the body says may be written.
 *
 * @param member such as `Selector`
 * @param question throws an AppError when it may not
 * @returns its answer; `E` where it was refused and the questions behind it are asked all the same
 */
export type AskQuestion<E extends undefined> = <T>(member: string, question: () => T | Promise<T>) => Promise<T | E>;

/** As a write asks: its answer is the first refusal. */
export const orRefuse: AskQuestion<never> = async (_member, question) => question();

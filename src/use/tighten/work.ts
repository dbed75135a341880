/** Bounds of the search for a smaller policy or role: time, holders and rows. */
import { inTurns, type RunInTurns } from "../../explain/access/held.ts";
import { TooManyQuestions } from "./engine/holder.ts";

/** Maximum time in milliseconds: later the caller has given up. */
const LONGEST_MS = 20_000;
/** Maximum number of subjects with different policies. */
export const MOST_SETS = 500;
/** Maximum number of rows of the ledger that count. */
export const MOST_ROWS = 200_000;

/** Why there is no answer. */
export type Exceeded = "time" | "holders" | "rows" | "questions";

/** The search takes more than it may. */
export class ExceedsBudget extends Error {
  readonly what: Exceeded;

  constructor(what: Exceeded) {
    super(what);
    this.what = what;
  }
}

/** Runs all long work of one search until its time is over. */
export function runUntilLate(): RunInTurns {
  const end = performance.now() + LONGEST_MS;
  return (work) => inTurns(until(end, work));
}

function* until<T>(end: number, work: Generator<void, T>): Generator<void, T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() > end) throw new ExceedsBudget("time");
    yield;
  }
}

/** Returns the answer, or what it would have exceeded. */
export async function withinBudget<T>(work: () => Promise<T>): Promise<T | { exceeded: Exceeded }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExceedsBudget) return { exceeded: error.what };
    if (error instanceof TooManyQuestions) return { exceeded: "questions" };
    throw error;
  }
}

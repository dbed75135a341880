/** The turns of questions about rights, each of which may read and compile as many rules as a token may have, or look at all tokens. */
import { createOwnedLane } from "../limits/owned-lane.ts";
import type { Actor } from "./actor.ts";

/** How many are answered at a time; of them of tokens of one namespace, which may make more of them, and of one token. */
const RUNNING = 8;
const OF_NAMESPACE = 6;
const OF_TOKEN = 2;

export interface QuestionLane {
  /** Answers when its turn has come. @throws AppError `rate_limited` when too many ask; or what the work throws */
  run<T>(actor: Pick<Actor, "accessorId" | "scope">, work: () => Promise<T>): Promise<T>;
}

/** One for all that explains, lists who may, and compares. */
export function createQuestionLane(): QuestionLane {
  const what = "Too many access checks are running";
  const lane = createOwnedLane("questions", RUNNING, what, {
    ofOwner: OF_TOKEN,
    ofGroup: OF_NAMESPACE,
    code: "rate_limited",
  });
  return {
    run: ({ accessorId, scope }, work) => lane.run(accessorId, work, `${scope.partition}/${scope.namespace}`),
  };
}

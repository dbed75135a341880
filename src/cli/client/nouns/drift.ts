import { isDone } from "../../../declared/plan.ts";
import {
  declarationOf,
  DIRECTORY,
  MARKDOWN,
  PLAN_FLAGS,
  planFor,
  PRUNE,
  READS,
  serverOf,
  showPlan,
} from "../declared.ts";
import { CliError, EXIT } from "../exit.ts";
import type { Verb } from "../spec.ts";

/** Whether the server is still what files say; for jobs that look from time to time. */
export const verb: Verb = {
  name: "drift",
  summary: "Say whether the server is still as a directory of files declares it; exit code 7 when it is not.",
  operations: READS,
  args: [DIRECTORY],
  flags: [...PLAN_FLAGS, PRUNE, MARKDOWN],
  examples: ["tessera drift access/ --prune"],
  async run(call) {
    const declaration = await declarationOf(call);
    const told = await planFor(call, await serverOf(call), declaration);
    await showPlan(call, told);
    if (!isDone(told.plan)) throw new CliError(EXIT.drift, "the server is not as the files say");
  },
};

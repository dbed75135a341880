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
  summary: "Check whether the server matches a directory of files. Exit code 7: drift.",
  operations: READS,
  args: [DIRECTORY],
  flags: [...PLAN_FLAGS, PRUNE, MARKDOWN],
  examples: ["tessera drift access/ --prune"],
  async run(call) {
    const declaration = await declarationOf(call);
    const told = await planFor(call, await serverOf(call), declaration);
    await showPlan(call, told);
    if (!isDone(told.plan)) throw new CliError(EXIT.drift, "drift detected: the server does not match the files");
  },
};

import {
  checkPrune,
  checkTried,
  declarationOf,
  DIRECTORY,
  MARKDOWN,
  MAX_DELETES,
  meantBy,
  PLAN_FLAGS,
  planFor,
  PRUNE,
  READS,
  REQUIRE_TRIED,
  serverOf,
  showPlan,
} from "../declared.ts";
import type { Verb } from "../spec.ts";

/** Command that shows the changes that an apply would make. */
export const verb: Verb = {
  name: "plan",
  summary: "Show the changes needed to match a directory of files.",
  description:
    "Read-only. Lists the changes in the order of apply. The server tests each change. The plan lists untested changes, which depend on other changes or which the token may not write. With --require-tried, untested changes end the command with exit code 2.",
  operations: READS,
  args: [DIRECTORY],
  flags: [...PLAN_FLAGS, PRUNE, MAX_DELETES, REQUIRE_TRIED, MARKDOWN],
  examples: ["tessera plan access/", "tessera plan access/ --prune --markdown > plan.md"],
  async run(call) {
    const declaration = await declarationOf(call);
    meantBy(call);
    const told = await planFor(call, await serverOf(call), declaration);
    await showPlan(call, told);
    checkPrune(call, told);
    checkTried(call, told);
  },
};

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
  summary: "Show what would make the server as a directory of files declares it.",
  description:
    "It writes nothing. Changes are in the order in which apply makes them. The server tries each of them; what it cannot try, since it rests on others of the plan or the token may not write, is named; with --require-tried that ends the command with 2.",
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

import {
  checkPrune,
  checkReplay,
  checkTried,
  declarationOf,
  DIRECTORY,
  MARKDOWN,
  MAX_DELETES,
  MAX_REFUSED,
  MAX_UNREPLAYABLE,
  meantBy,
  PLAN_FLAGS,
  planFor,
  PRUNE,
  READS,
  REQUIRE_TRIED,
  serverOf,
  showPlan,
} from "../declared.ts";
import { findReplayed } from "../../../declared/replay.ts";
import type { Verb } from "../spec.ts";

/** Command that shows the changes that an apply would make. */
export const verb: Verb = {
  name: "plan",
  summary: "Show the changes needed to match a directory of files.",
  description:
    "Read-only. Lists the changes in the order of apply. The server tests each change, except changes that depend on other changes or that your token is not allowed to make. The plan marks these as untested. If the changes would deny recorded uses, the plan lists these uses.",
  operations: [...READS, "replayDraft"],
  args: [DIRECTORY],
  flags: [...PLAN_FLAGS, PRUNE, MAX_DELETES, REQUIRE_TRIED, MAX_REFUSED, MAX_UNREPLAYABLE, MARKDOWN],
  examples: [
    "tessera plan access/",
    "tessera plan access/ --prune --markdown > plan.md",
    "tessera plan access/ --max-refused 0 --max-unreplayable 20",
  ],
  async run(call) {
    const declaration = await declarationOf(call);
    meantBy(call);
    const server = await serverOf(call);
    const planned = await planFor(call, server, declaration);
    await call.out.progress("replaying recorded use…");
    const told = { ...planned, replayed: await findReplayed(server, planned.plan.changes) };
    await showPlan(call, told);
    checkPrune(call, told);
    checkTried(call, told);
    checkReplay(call, told);
  },
};

import { replayedJson, replayedLines } from "../../../declared/replay-lines.ts";
import { replayedOf, type ReplayPage } from "../../../declared/replay.ts";
import { BODY_FLAGS, membersOf } from "../body.ts";
import { visibleLines } from "../output/values.ts";
import type { Verb } from "../spec.ts";

/** Command that asks recorded use again by a draft. */
export const replay: Verb = {
  name: "replay",
  summary: "Compare a draft with recorded use: list the decisions that would change.",
  description:
    "Read-only. Each object of the draft has the form of a write request. Fields: Policies, Roles, Tokens, DeletedPolicies, DeletedRoles, Namespaces, BindingRules, DeletedBindingRules.",
  operations: ["replayDraft"],
  flags: [...BODY_FLAGS],
  examples: [
    "tessera access replay --file draft.json",
    `tessera access replay --set 'DeletedPolicies=[{"Name":"old"}]'`,
  ],
  async run(call) {
    const body = await membersOf(call);
    const answer = await call.read("replayDraft", { body, query: { "page-size": "100" } });
    const replayed = replayedOf(answer.body as ReplayPage);
    if (call.out.isData) {
      await call.out.value(replayedJson(replayed));
      return;
    }
    const lines = replayedLines(replayed).flat();
    const told = lines.length === 0 ? [`No differences in ${replayed.pairs} recorded uses.`] : lines;
    await call.out.text(`${told.map(visibleLines).join("\n")}\n`);
  },
};

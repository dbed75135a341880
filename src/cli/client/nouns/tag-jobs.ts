/** What is done to many at once: each begins a job on tags. */
import { BODY_FLAGS, membersOf } from "../body.ts";
import { NO_WAIT, runTagJob } from "../kit/jobs.ts";
import { tagId } from "../kit/v2.ts";
import type { Verb } from "../spec.ts";

const merge: Verb = {
  name: "merge",
  summary: "Merge tags into one: what has them has that one, and they go.",
  operations: ["createTagJob", "readTagJob"],
  args: [{ name: "tag", help: "The tags that go, by name or ID.", many: true, complete: "tag" }],
  flags: [{ name: "into", value: "NAME", help: "The tag that stays, by name or ID.", complete: "tag" }, NO_WAIT],
  examples: ["tessera tag merge cost_center costcenter --into cost-center"],
  async run(call) {
    const into = await tagId(call, call.flag("into") ?? call.arg("--into"));
    const tags: { id: string }[] = [];
    for (const text of call.args("tag")) tags.push({ id: await tagId(call, text) });
    await runTagJob(call, { action: "merge", tags, to: { id: into } }, "Merge these?");
  },
};

const run: Verb = {
  name: "run",
  summary: "Begin a job on all that a filter finds: add, remove, rename, delete, set values.",
  description:
    "Begins a job on all that a filter finds, and follows it. The attributes are those of docs/tags/jobs.md, given by --file or --set.",
  operations: ["createTagJob", "readTagJob"],
  flags: [...BODY_FLAGS, NO_WAIT],
  examples: [
    `tessera tag run --set action=add --set 'tags=[{"name":"reviewed"}]' --set 'filter.workspaces.wildcard="prod-*"'`,
  ],
  async run(call) {
    await runTagJob(call, await membersOf(call), "Begin this job?");
  },
};

/** The commands. */
export const tagJobVerbs: readonly Verb[] = [merge, run];

/** Commands for bulk operations: each starts a job on tags. */
import { BODY_FLAGS, membersOf } from "../body.ts";
import { NO_WAIT, runTagJob } from "../kit/jobs.ts";
import { usage } from "../exit.ts";
import type { Verb } from "../spec.ts";

/** Tags as a job names them. */
function tagNames(texts: readonly string[]): object[] {
  return texts.map((text) => (/^tag-[A-Za-z0-9]{16}$/.test(text) ? { id: text } : { name: text }));
}

const merge: Verb = {
  name: "merge",
  summary: "Merge tags into one: what has them gets that one, and they are deleted.",
  operations: ["createTagJob", "readTagJob"],
  args: [{ name: "tag", help: "The tags that go, by name or ID.", many: true, complete: "tag" }],
  flags: [
    {
      name: "into",
      value: "NAME",
      help: "The name of the tag that stays; it is made when it is not there.",
      complete: "tag",
    },
    NO_WAIT,
  ],
  examples: ["tessera tag merge cost_center costcenter --into cost-center"],
  async run(call) {
    const to = call.flag("into");
    if (to === undefined) throw usage("say into which tag: --into NAME");
    const tags = tagNames(call.args("tag"));
    await runTagJob(call, { action: "merge", tags, to }, "Merge these?");
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

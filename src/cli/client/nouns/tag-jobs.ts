/** Commands for bulk operations: each starts a job on tags. */
import { BODY_FLAGS, membersOf } from "../body.ts";
import { NO_WAIT, runTagJob } from "../kit/jobs.ts";
import { usage } from "../exit.ts";
import { foundTagId } from "../kit/v2.ts";
import type { Call, Verb } from "../spec.ts";

/** Tags as a job names them. */
async function tagNames(call: Call, texts: readonly string[]): Promise<object[]> {
  const names: object[] = [];
  for (const text of texts) {
    const id = await foundTagId(call, text);
    names.push(id === undefined ? { name: text } : { id });
  }
  return names;
}

const merge: Verb = {
  name: "merge",
  summary: "Merge tags into another tag and delete them.",
  operations: ["createTagJob", "readTagJob"],
  args: [{ name: "tag", help: "Names or IDs of the tags to merge and delete.", many: true, complete: "tag" }],
  flags: [
    {
      name: "into",
      value: "NAME",
      help: "Name of the target tag. Created if it does not exist.",
      complete: "tag",
    },
    NO_WAIT,
  ],
  examples: ["tessera tag merge cost_center costcenter --into cost-center"],
  async run(call) {
    const to = call.flag("into");
    if (to === undefined) throw usage("specify the target tag with --into NAME");
    const tags = await tagNames(call, call.args("tag"));
    await runTagJob(call, { action: "merge", tags, to }, "Merge these tags?");
  },
};

const run: Verb = {
  name: "run",
  summary: "Start a bulk job on matching objects: add, remove, rename, delete or set.",
  description:
    "Shows the preview, asks for confirmation, starts the job and follows it. Set the attributes of the job with --file or --set.",
  operations: ["createTagJob", "readTagJob"],
  flags: [...BODY_FLAGS, NO_WAIT],
  examples: [
    `tessera tag run --set action=add --set 'tags=[{"name":"reviewed"}]' \\
    --set 'filter.workspaces.wildcard="prod-*"'`,
  ],
  async run(call) {
    await runTagJob(call, await membersOf(call), "Start this job?");
  },
};

/** The commands. */
export const tagJobVerbs: readonly Verb[] = [merge, run];

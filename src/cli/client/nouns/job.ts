import { objectOf } from "../kit/answers.ts";
import { followJob, JOBS, NO_WAIT } from "../kit/jobs.ts";
import { LIMIT } from "../kit/v2.ts";
import type { Argument, Noun, Verb } from "../spec.ts";

const JOB: Argument = { name: "job", help: "Job ID.", complete: "job" };

const list: Verb = {
  name: "list",
  summary: "List the bulk jobs of an organization.",
  operations: ["listTagJobs"],
  flags: [LIMIT],
  async run(call) {
    await call.out.list(call.pages("listTagJobs", { path: { organization_name: call.organization() } }), JOBS);
  },
};

const get: Verb = {
  name: "get",
  summary: "Show a job.",
  operations: ["readTagJob"],
  args: [JOB],
  flags: [{ name: "follow", help: "Wait until the job ends." }],
  async run(call) {
    const job = objectOf(await call.read("readTagJob", { path: { tag_job_id: call.arg("job") } }));
    if (call.isSet("follow")) await followJob(call, job);
    else await call.out.item(job, JOBS);
  },
};

/** Makes the command for an action on an existing job. */
function action(name: string, summary: string, operation: string, question?: string): Verb {
  return {
    name,
    summary,
    operations: [operation],
    args: [JOB],
    async run(call) {
      if (question !== undefined) await call.confirm(question, [call.arg("job")]);
      const answer = await call.write(operation, { path: { tag_job_id: call.arg("job") } });
      if (answer !== undefined) await call.out.item(objectOf(answer), JOBS);
    },
  };
}

const undo: Verb = {
  name: "undo",
  summary: "Undo a job. This starts a new job.",
  operations: ["undoTagJob", "readTagJob"],
  args: [JOB],
  flags: [NO_WAIT],
  async run(call) {
    await call.confirm("Undo this job?", [call.arg("job")]);
    const answer = await call.write("undoTagJob", { path: { tag_job_id: call.arg("job") } });
    if (answer !== undefined) await followJob(call, objectOf(answer));
  },
};

export const noun: Noun = {
  name: "job",
  summary: "Bulk jobs on tags: progress, pause, resume, cancel and undo.",
  verbs: [
    list,
    get,
    action("pause", "Pause a job.", "pauseTagJob"),
    action("resume", "Resume a paused job.", "resumeTagJob"),
    action("cancel", "Cancel a job. Changes already made are kept.", "cancelTagJob", "Cancel this job?"),
    undo,
  ],
};

/** Jobs on tags: shown while they run, and followed to their end. */
import type { Call } from "../spec.ts";
import { CliError, EXIT } from "../exit.ts";
import { at, plain } from "../output/values.ts";
import type { Item } from "../output/types.ts";
import type { Flag } from "../spec.ts";
import { objectOf } from "./answers.ts";
import { attribute, shownBy } from "./v2.ts";

/** How jobs are shown. */
export const JOBS = shownBy([
  { title: "ID", value: "id" },
  attribute("Action", "action"),
  attribute("Status", "status"),
  attribute("Done", "done"),
  attribute("Total", "total"),
  attribute("Changed", "changed"),
  attribute("Refused", "refused", true),
  attribute("Reason", "reason", true),
  attribute("Created", "created-at"),
]);

/** Flag of commands that start a job. */
export const NO_WAIT: Flag = { name: "no-wait", help: "Do not wait until the job ends." };

const AT_WORK = ["pending", "queued", "running"];

/** Follows a job to its end, and shows it. @throws CliError when it failed */
export async function followJob(call: Call, first: Item): Promise<void> {
  let job = first;
  while (call.flags["wait"] !== false && AT_WORK.includes(statusOf(job))) {
    await call.out.progress(
      `${String(at(job, "attributes.action"))}: ${String(at(job, "attributes.done"))} of ${plain(at(job, "attributes.total"), "?")}`,
    );
    await call.sleep(500);
    job = objectOf(await call.read("readTagJob", { path: { tag_job_id: String(first["id"]) } }));
  }
  await call.out.item(job, JOBS);
  if (statusOf(job) === "failed")
    throw new CliError(EXIT.failed, `the job failed: ${plain(at(job, "attributes.reason"), "unknown reason")}`);
}

function statusOf(job: Item): string {
  return String(at(job, "attributes.status"));
}

/** Begins a job on tags, or with `--dry-run` shows what it would change. */
export async function runTagJob(
  call: Call,
  attributes: Record<string, unknown>,
  question: string | undefined,
): Promise<void> {
  const input = { path: { organization_name: call.organization() }, body: { data: { type: "tag-jobs", attributes } } };
  if (call.flags.dryRun === true || (question !== undefined && call.flags.yes !== true)) {
    const preview = objectOf(await call.read("createTagJob", { ...input, query: { preview: "true" } }));
    if (call.flags.dryRun === true) {
      await call.out.note("Dry run: nothing was changed.");
      return call.out.value(preview["attributes"]);
    }
    await call.confirm(question ?? "", linesOf(preview));
  }
  await followJob(call, objectOf(await call.read("createTagJob", input)));
}

function linesOf(preview: Item): string[] {
  const changes = at(preview, "attributes.changes");
  const lines = (Array.isArray(changes) ? (changes as Item[]) : []).map(
    (change) => `${String(change["kind"])} ${String(change["name"])}: ${String(change["action"])}`,
  );
  return [
    `${String(at(preview, "attributes.changed"))} of ${String(at(preview, "attributes.total"))} would change`,
    ...lines,
  ];
}

import { applyPlan, type Applied } from "../../../declared/apply.ts";
import type { DeclaredDirectory } from "../../../declared/model.ts";
import { isDone } from "../../../declared/plan.ts";
import type { Server } from "../../../declared/server.ts";
import { changeLine, planJson, type ShownPlan } from "../../../declared/show.ts";
import type { Call } from "../spec.ts";
import {
  ALLOW_LOCKOUT,
  checkLockout,
  checkPrune,
  declarationOf,
  DIRECTORY,
  homeOf,
  inWords,
  MAX_DELETES,
  meantBy,
  OWNER_WRITES,
  PLAN_FLAGS,
  planFor,
  PRUNE,
  READS,
  secretsOf,
  serverOf,
  showPlan,
} from "../declared.ts";
import { CliError, EXIT } from "../exit.ts";
import type { Verb } from "../spec.ts";
import { counted } from "../output/counted.ts";

/** Makes the server what files say. */
export const verb: Verb = {
  name: "apply",
  summary: "Change the server to match a directory of files.",
  description:
    "Shows the plan and asks for confirmation. If an object changes during the run, apply stops and does not overwrite it. Run it again. After a successful run, another run makes no changes.",
  operations: [...READS, ...OWNER_WRITES],
  args: [DIRECTORY],
  flags: [...PLAN_FLAGS, PRUNE, MAX_DELETES, ALLOW_LOCKOUT],
  examples: ["tessera apply access/", "tessera apply access/ --prune --yes"],
  async run(call) {
    const declaration = await declarationOf(call);
    meantBy(call);
    const server = await serverOf(call);
    await makeAsPlanned(call, server, declaration, await planFor(call, server, declaration));
  },
};

/** Shows a plan, asks, and makes it so. @throws CliError when it ends early */
async function makeAsPlanned(call: Call, server: Server, { root }: DeclaredDirectory, told: ShownPlan): Promise<void> {
  const { plan } = told;
  const { out, flags } = call;
  if (!out.isData) await showPlan(call, told);
  checkPrune(call, told);
  checkLockout(call, told);
  if (isDone(plan) || flags.dryRun === true) {
    if (out.isData) await out.value(planJson(told));
    if (flags.dryRun === true) await out.note("Dry run: nothing was changed.");
    return;
  }
  if (plan.changes.length > 0)
    await call.confirm(
      plan.changes.length === 1 ? "Make this change?" : `Make these ${plan.changes.length} changes?`,
      [],
    );
  const applied = await applyPlan(server, plan, {
    secrets: secretsOf(call, root),
    partition: homeOf(call).partition,
    onDone: (change, done, of) => void out.step(`${done} of ${of}: ${changeLine(change)}`),
  });
  await tell(call, told, applied);
}

async function tell(call: Call, told: ShownPlan, { done, left, failure }: Applied): Promise<void> {
  const { out } = call;
  if (out.isData) {
    const outcome = {
      ...planJson(told),
      made: done.length,
      "not-made": left.map(({ object }) => `${object.kind.name} ${object.path}`),
    };
    await out.value(outcome);
  }
  if (failure === undefined) {
    await out.note(`Applied ${counted(done.length, "change")}.`);
    return;
  }
  await out.warn(`Applied ${done.length} of ${told.plan.changes.length} changes. Run apply again to continue.`);
  if (failure.change !== undefined) await out.warn(`Stopped at: ${changeLine(failure.change)}`);
  if (call.io.signal.aborted) throw new CliError(EXIT.interrupted, "interrupted");
  await inWords(() => Promise.reject(failure.error));
}

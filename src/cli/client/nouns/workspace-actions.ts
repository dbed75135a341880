/** Deleting and locking workspaces. */
import { objectOf } from "../kit/answers.ts";
import { namedLine, readWorkspaceAt, warnOfPart, workspaceId, workspacePath } from "../kit/v2.ts";
import { at } from "../output/values.ts";
import type { Argument, Verb } from "../spec.ts";

/** The argument that names one. */
export const WORKSPACE: Argument = {
  name: "workspace",
  help: "Workspace name, ORGANIZATION/NAME or ID, or a unique prefix of the ID (ws- and at least four characters).",
  complete: "workspace",
};

const remove: Verb = {
  name: "delete",
  summary: "Delete a workspace.",
  operations: ["deleteWorkspace", "deleteWorkspaceByName", "safeDeleteWorkspace", "safeDeleteWorkspaceByName"],
  args: [WORKSPACE],
  flags: [{ name: "safe", help: "Delete only if the workspace manages no resources." }],
  async run(call) {
    const path = await workspacePath(call, call.arg("workspace"));
    const found = await readWorkspaceAt(call, path, call.arg("workspace"));
    await warnOfPart(call, "workspace", call.arg("workspace"), namedLine(found));
    await call.confirm("Delete this workspace?", [namedLine(found)]);
    const operation = call.isSet("safe") ? "safeDeleteWorkspace" : "deleteWorkspace";
    const answer = await call.write("workspace_id" in path ? operation : `${operation}ByName`, { path });
    if (answer !== undefined) await call.out.note(`Deleted workspace ${namedLine(found)}.`);
  },
};

const lock: Verb = {
  name: "lock",
  summary: "Lock a workspace.",
  operations: ["lockWorkspace"],
  args: [WORKSPACE],
  flags: [{ name: "reason", value: "TEXT", help: "Reason for the lock." }],
  async run(call) {
    const path = { workspace_id: await workspaceId(call, call.arg("workspace")) };
    const reason = call.flag("reason");
    const answer = await call.write("lockWorkspace", { path, body: reason === undefined ? {} : { reason } });
    if (answer !== undefined)
      await call.out.note(`Locked workspace ${String(at(objectOf(answer), "attributes.name"))}.`);
  },
};

const unlock: Verb = {
  name: "unlock",
  summary: "Unlock a workspace.",
  operations: ["unlockWorkspace", "forceUnlockWorkspace"],
  args: [WORKSPACE],
  flags: [{ name: "force", help: "Remove a lock of another user." }],
  async run(call) {
    const path = { workspace_id: await workspaceId(call, call.arg("workspace")) };
    if (call.isSet("force"))
      await call.confirm("Remove the lock of another user from this workspace?", [call.arg("workspace")]);
    const answer = await call.write(call.isSet("force") ? "forceUnlockWorkspace" : "unlockWorkspace", { path });
    if (answer !== undefined)
      await call.out.note(`Unlocked workspace ${String(at(objectOf(answer), "attributes.name"))}.`);
  },
};

/** The commands. */
export const workspaceActions: readonly Verb[] = [remove, lock, unlock];

/** Which records of an organization somebody may see who may read it. */
import type { Actor } from "../../rights/actor.ts";
import { authorize, visibleWorkspaces } from "../../rights/authorize.ts";
import { seesAll } from "../../storage/reads/conditions.ts";
import { REPORTED } from "./record.ts";
import type { StoredChange } from "./store.ts";

/**
 * A record as the caller may know it. A workspace is asked for by the name that it had then: who could not see it then learns
 * nothing of that later. A report counts all workspaces: who may not read each of them does not see it. One that gets a name by which the caller may not read it is gone for that caller, and the other way round.
 *
 * @returns undefined for one that is not for the caller
 */
export function changeFor(actor: Actor, organizationName: string, change: StoredChange): StoredChange | undefined {
  if (change.action === REPORTED) return seesAll(visibleWorkspaces(actor, organizationName)) ? change : undefined;
  if (change.kind !== "workspace") return change;
  const mayRead = (name: string) => authorize(actor, "workspace", `${organizationName}/${name}`, "read");
  if (change.action !== "renamed") return mayRead(change.name) ? change : undefined;
  const { from, to } = JSON.parse(change.details) as { from: string; to: string };
  const [hasSeen, sees] = [mayRead(from), mayRead(to)];
  if (hasSeen && sees) return change;
  if (hasSeen) return { ...change, action: "deleted", name: from, details: JSON.stringify({ name: from }) };
  return sees ? { ...change, action: "created", details: JSON.stringify({ name: to }) } : undefined;
}

/** Which records of an organization a caller may see. */
import type { Actor } from "../acl/actor.ts";
import { authorize, visibleWorkspaces } from "../acl/authorize.ts";
import { seesNothing } from "../storage/conditions.ts";
import type { StoredChange } from "./store.ts";

/** `all` is of who may read the organization, though not of each workspace; `workspaces` of who may see some of them alone. */
export type Sight = "all" | "workspaces";

/** @returns undefined for who may see none of it */
export function sightOf(actor: Actor, organizationName: string): Sight | undefined {
  if (authorize(actor, "organization", organizationName, "read")) return "all";
  return seesNothing(visibleWorkspaces(actor, organizationName)) ? undefined : "workspaces";
}

/**
 * A record as the caller may know it. A workspace is asked for by the name that it had then: who could not see it then learns
 * nothing of that later. One that gets a name by which the caller may not read it is gone for that caller, and the other way round.
 *
 * @returns undefined for one that is not for the caller
 */
export function changeFor(
  actor: Actor,
  organizationName: string,
  sight: Sight,
  change: StoredChange,
): StoredChange | undefined {
  if (change.kind !== "workspace") return sight === "all" ? change : undefined;
  const mayRead = (name: string) => authorize(actor, "workspace", `${organizationName}/${name}`, "read");
  if (change.action !== "renamed") return mayRead(change.name) ? change : undefined;
  const { from, to } = JSON.parse(change.details) as { from: string; to: string };
  const [hasSeen, sees] = [mayRead(from), mayRead(to)];
  if (hasSeen && sees) return change;
  if (hasSeen) return { ...change, action: "deleted", name: from, details: JSON.stringify({ name: from }) };
  return sees ? { ...change, action: "created", details: JSON.stringify({ name: to }) } : undefined;
}

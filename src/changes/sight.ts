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

/** A workspace is asked for by the name that it had then: who could not see it then learns nothing of that later. */
export function maySee(
  actor: Actor,
  organizationName: string,
  sight: Sight,
  { kind, name }: Pick<StoredChange, "kind" | "name">,
): boolean {
  if (kind !== "workspace") return sight === "all";
  return authorize(actor, "workspace", `${organizationName}/${name}`, "read");
}

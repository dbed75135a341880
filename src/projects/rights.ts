/** Rights of a caller to the projects of an organization. They are equal for each project. */
import type { Actor } from "../rights/actor.ts";
import { authorize, unnoted } from "../rights/authorize.ts";

export interface ProjectRights {
  /** Change it, and what it says about its workspaces. */
  update: boolean;
  /** Put new workspaces into it. */
  createWorkspace: boolean;
}

/** @param organization its name */
export function projectRights(actor: Actor, organization: string): ProjectRights {
  return {
    update: authorize(unnoted(actor), "organization", organization, "write"),
    // The rule that would decide on a workspace whose name nobody has thought of yet.
    createWorkspace: authorize(unnoted(actor), "workspace", `${organization}/`, "write"),
  };
}

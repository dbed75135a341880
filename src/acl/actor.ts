import type { Authorizer } from "./rules/authorizer.ts";

/** What an actor may do, as its policies say. */
export type Rights = Pick<Authorizer, "allows" | "visibleOrganizations" | "visibleWorkspaces">;

/** Who asks: a token that was resolved, and what it may do. */
export interface Actor {
  /** The token's AccessorID: safe to log. */
  accessorId: string;
  /** Whether it is the anonymous token, which `/api/v2` does not take. */
  anonymous: boolean;
  rights: Rights;
}

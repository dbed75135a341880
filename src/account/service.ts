/**
 * Account details of a token, for `GET /account/details`. There are no users: every token is a service account of its
 * own.
 */
import { authorize, unnoted } from "../rights/authorize.ts";
import type { Context } from "../context.ts";

export interface Account {
  accessorId: string;
  /** Whether it may create organizations of any name. */
  createsOrganizations: boolean;
}

/** The caller's own account. */
export function readOwnAccount({ actor }: Context): Account {
  return {
    accessorId: actor.accessorId,
    // The rule that would decide on a name that nobody has thought of yet.
    createsOrganizations: authorize(unnoted(actor), "organization", "", "write"),
  };
}

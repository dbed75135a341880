import type { Authorizer } from "./rules/authorizer.ts";
import type { Scope } from "./scope.ts";

/** What an actor may do, as its policies say. */
export type Rights = Omit<Authorizer, "explain" | "bytes">;

/** Who asks: a token that was resolved, and what it may do. */
export interface Actor {
  /** The token's AccessorID: safe to log. */
  accessorId: string;
  /** Whether it is the anonymous token, which `/api/v2` does not take. */
  anonymous: boolean;
  rights: Rights;
  /** Two actors with the same one may do the same. */
  rightsKey: string;
  /** Where its token lies. */
  scope: Scope;
  /** The auth method that made it, as changes of it are told; undefined for tokens that no login made. */
  method: (Scope & { key: string }) | undefined;
  /** When its token ends, in milliseconds since the epoch; undefined for never. */
  expiresAt: number | undefined;
}

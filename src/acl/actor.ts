import type { Rights } from "./rights.ts";

/** Who asks: a token that was resolved, and what it may do. */
export interface Actor {
  /** The token's AccessorID: safe to log. */
  accessorId: string;
  /** Whether it is the anonymous token, which `/api/v2` does not take. */
  anonymous: boolean;
  rights: Rights;
}

import type { Watched } from "../watch/watches.ts";
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
  /** The login that made its token: the name of its auth method, and whose it was, as far as is known; undefined for none. */
  login: { authMethod: string; identity: string } | undefined;
  /** Whether it has the built-in policy that allows everything. */
  isManagement?: true;
  /** Whether it was presented by a secret that the token had before it was rotated. */
  byOldSecret?: true;
  /** The session of the console that the request came by; undefined where it has a token of its own. */
  session?: string;
  /** All that it follows from, for who watches on its behalf: its token, what else ends that, and what gives it rights. */
  restsOn: readonly Watched[];
  /** When its token ends, in milliseconds since the epoch; undefined for never. */
  expiresAt: number | undefined;
}

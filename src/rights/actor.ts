import type { Watched } from "../watch/watches.ts";
import type { Authorizer } from "./rules/authorizer.ts";
import type { Scope } from "./scope.ts";

/** Permissions of an actor, by its policies. */
export type Rights = Omit<Authorizer, "bytes">;

/** Caller of a request: a resolved token, and its permissions. */
export interface Actor {
  /** The token's AccessorID: safe to log. */
  accessorId: string;
  /** Whether it is the anonymous token, which `/api/v2` does not take. */
  anonymous: boolean;
  rights: Rights;
  /** Two actors with equal keys have equal permissions. */
  rightsKey: string;
  /** Scope of its token. */
  scope: Scope;
  /** Login that made its token: the name of its auth method, and its identity, as far as known; undefined: no login. */
  login: { authMethod: string; identity: string } | undefined;
  /** Whether it has the built-in policy that allows everything. */
  isManagement?: true;
  /** Whether the request presented a secret from before a rotation. */
  byOldSecret?: true;
  /** The session of the console that the request came by; undefined where it has a token of its own. */
  session?: string;
  /** All that it follows from, for who watches on its behalf: its token, what else ends that, and what gives it rights. */
  restsOn: readonly Watched[];
  /** When its token ends, in milliseconds since the epoch; undefined for never. */
  expiresAt: number | undefined;
}

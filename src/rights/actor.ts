import type { Watched } from "../watch/watches.ts";
import type { Authorizer } from "./rules/authorizer.ts";
import type { Scope } from "./scope.ts";
import type { Access, Resource } from "./rules/rule.ts";
import type { PermissionUse } from "./uses.ts";

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
  login: ActorLogin | undefined;
  /** Whether it has the built-in policy that allows everything. */
  isManagement?: true;
  /** Whether the request presented a secret from before a rotation. */
  byOldSecret?: true;
  /** The session of the console that the request came by; undefined where it has a token of its own. */
  session?: string;
  /** All that it follows from, for who watches on its behalf: its token, what else ends that, and what gives it rights. */
  restsOn: readonly Watched[];
  /** Index of the write that created its token, which tells it from a later token of the same AccessorID. */
  createIndex?: number;
  /** Notes what is used on its account; undefined where nothing is. */
  uses?: UseRecorder;
  /** When its token ends, in milliseconds since the epoch; undefined for never. */
  expiresAt: number | undefined;
}

/** Login that made a token. */
export interface ActorLogin {
  /** Name of the auth method. */
  authMethod: string;
  methodId: string;
  identity: string;
  /** IDs of the roles that the login gave, sorted. */
  roles: readonly string[];
}

/** Notes what one request uses: each permission once. An actor without one is asked on nobody's account. */
export interface UseRecorder {
  /** The actor as it was resolved, without a recorder. */
  readonly of: Actor;
  /** Notes that a decision allowed an access. */
  note(
    by: PermissionUse["by"],
    resource: Resource,
    access: Access,
    scope: Scope,
    name: string | undefined,
    column?: PermissionUse["column"],
    askedBy?: string,
  ): void;
  /** All that was noted so far. */
  noted(): readonly PermissionUse[];
  /** Notes what a kept answer was made with. */
  noteAll(uses: readonly PermissionUse[]): void;
  /** The same recorder for questions that the caller asks; undefined where they do not count, as those of the console. */
  forQuestions: UseRecorder | undefined;
}

/** Longest name of a decision point. */
const LONGEST_POINT = 512;

/**
 * Names the caller as a decision point: a token by its AccessorID, a login by `method/identity`. Empty for a login without a
 * known identity, whose token ends with it.
 */
export function decisionPointOf({ accessorId, login }: Pick<Actor, "accessorId" | "login">): string {
  if (login === undefined) return accessorId;
  const point = `${login.authMethod}/${login.identity}`;
  return login.identity === "" || point.length > LONGEST_POINT ? "" : point;
}

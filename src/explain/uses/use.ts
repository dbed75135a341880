/** A use of an object, with the objects around it. */
import type { Scope } from "../../rights/scope.ts";

/** Object that uses the requested one. */
export interface ObjectUse {
  /** ID: of a token its AccessorID, of a namespace its name. */
  id: string;
  name: string;
  scope: Scope;
  /** Tokens that have the role. Only for a role that has a policy. */
  tokens?: CountedUses | undefined;
  /** Objects that it leads to: of a binding rule the object that it gives, of a role its policies. */
  links?: readonly UseLink[] | undefined;
}

/** Number of objects; more than `MOST_COUNTED` are not counted. */
export interface CountedUses {
  count: number;
  hasMore: boolean;
}

/** Object that a use leads to. */
export interface UseLink {
  /** As binding rules write it, such as `role`. */
  kind: string;
  /** Undefined where it is a name that nothing has, or the template of one. */
  id: string | undefined;
  name: string;
}

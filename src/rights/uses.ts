/** Permissions of its caller that a request uses, for the ledger of use. `authorize.ts` alone notes. */
import type { LayerGrant } from "./rules/layer.ts";
import type { Access, Resource } from "./rules/rule.ts";
import type { Scope } from "./scope.ts";

/** A source of questions. The console's own questions, searches, explanations, impact, replay and tests are never counted. */
export type UseColumn =
  /** A request that Tessera decided and carried out. */
  | "enforced"
  /** The caller asked about its own permissions. */
  | "own"
  /** The caller asked about somebody else's permissions. */
  | "others";

/** A permission that was used. Plain, so that a kept answer can carry it. */
export interface PermissionUse {
  /** The rule, or the rules that can show rows of a list; undefined for the default policy. */
  readonly by: LayerGrant | readonly LayerGrant[] | undefined;
  /** Resource that was asked about. */
  readonly resource: Resource;
  readonly access: Access;
  /** Scope in which it was decided. */
  readonly scope: Scope;
  /** Name that was asked about; undefined for the width of the rule. */
  readonly name: string | undefined;
  readonly column: UseColumn;
  /** Decision point that asked about somebody else (`decisionPointOf`); empty for all other uses. */
  readonly askedBy: string;
  /** All of it but the rule and the name, as one text, once it was asked for: what is counted often is not put together each time. */
  question?: string;
}

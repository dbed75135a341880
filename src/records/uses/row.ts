/** Rows of the use ledger: which subject used which rule, for which name, on which days. */
import type { Access, Permission, Resource, RuleBlock, RuleResource } from "../../rights/rules/rule.ts";
import type { Scope } from "../../rights/scope.ts";
import type { UseColumn } from "../../rights/uses.ts";

/** Days that a row can tell apart. */
export const DAYS_KEPT = 128;
/** Names that are kept of one subject, rule and question. Further names are folded to the rule. */
export const NAMES_OF_GROUP = 50;
/** Identities of one auth method that are kept by name. Further ones are folded to their roles. */
export const IDENTITIES_OF_METHOD = 1000;
/** Decision points of one scope that are kept by name. Further ones are folded to none. */
export const POINTS_OF_SCOPE = 50;
/** Rows of one scope. */
export const ROWS_OF_SCOPE = 200_000;

/**
 * Subject of a row. A login is known by its method and identity; many identities of a method are folded to the roles that
 * their logins gave them. A token does not keep which binding rules made it, so they cannot be the subject.
 */
export type UseSubject =
  | { readonly kind: "token"; readonly accessorId: string }
  | { readonly kind: "identity"; readonly authMethod: string; readonly identity: string }
  /** IDs of the roles, sorted; none for logins that bind policies or identities only. */
  | { readonly kind: "roles"; readonly authMethod: string; readonly roles: readonly string[] };

/** The rule that allowed it, by its policy and by what it is about: lines move, and a rule written twice counts once. */
export interface UsedRule {
  /** ID of the policy; empty for rules that come from no policy (a namespace's defaults by their policies, the default policy). */
  readonly policyId: string;
  readonly resource: RuleResource;
  readonly prefix: boolean;
  readonly segment: string;
  readonly permission: Permission;
  /** The `namespace` or `partition` block that contains the rule, as written; undefined at the top. */
  readonly block?: RuleBlock;
}

/** One row of the ledger. */
export interface UseRow {
  /** Scope of the subject. */
  readonly scope: Scope;
  readonly subject: UseSubject;
  readonly rule: UsedRule;
  /** The scope in which the question was decided. */
  readonly decidedIn: Scope;
  /** Resource that was asked about. It can differ from the rule's: `service` rules decide about `intention`, `organization` rules about `workspace`. */
  readonly resource: Resource;
  /** Name that was asked about, in the stored spelling; undefined where names were folded to their rule. */
  readonly name: string | undefined;
  /** `list` without a name: a list or a stream that the rule could show rows of. */
  readonly access: Access;
  readonly column: UseColumn;
  /** Decision point that asked (`decisionPointOf`); empty where it was none, or where it is not known by name. */
  readonly askedBy: string;
  /** Number of uses. */
  readonly total: number;
  /** First day, as days since 1970-01-01 by the database's clock (UTC). */
  readonly firstDay: number;
  /** Last day. */
  readonly lastDay: number;
  /** Bit n is set if it was used n days before `lastDay`; 128 bits. */
  readonly days: bigint;
}

import type { Scope } from "../scope.ts";
import type { Facts } from "./question.ts";
import type { Access, Resource, Permission, RuleResource, PolicyLink } from "./rule.ts";
import type { Visibility } from "./visibility.ts";
import type { WorkspaceSight } from "./workspace-sight.ts";
import type { LayerGrant } from "./layer.ts";

/** Answers what a set of policies allows, in one scope. */
export interface Authorizer {
  /**
   * Decides by the rules that act in this scope. Asked by `decide` alone (`decide.ts`), which knows the scope that decides.
   *
   * @param segment name, or key; ignored by resources without segments. `*` of
   * `intention`: read asks whether any may be read, write whether all may be written
   */
  decide(resource: Resource, segment: string, access: Access, facts: Facts): Decision;
  /** Organizations that may be read. */
  visibleOrganizations(): Visibility;
  /** Names of workspaces of this organization that may be read, or written (without the organization's part). */
  visibleWorkspaces(organization: string, access?: "read" | "write"): Visibility;
  /** Names of workspaces that may be read. @param only the one organization to look at; default: all organizations */
  workspaceSight(only?: string): WorkspaceSight;
  /** Decides whether a namespace may be seen: by `operator`, by a block about it, or since anything in it may be read. */
  decideSight(scope: Scope, facts: Facts): Decision;
  /** The namespaces of a partition that may be seen. */
  visibleNamespaces(partition: string): Visibility;
  /** Namespaces of a partition in which `acl` may be read. */
  aclNamespaces(partition: string): Visibility;
  /** The rules by which a list can show rows, for the ledger of use. Equal lists of one authorizer have one array. */
  rulesShowing(list: ShownList): readonly LayerGrant[];
  /** Returns the authorizer of these policies for another namespace or partition. */
  in(scope: Scope): Authorizer;
  /** Estimate of the memory that it takes. */
  readonly bytes: number;
}

/** A list whose rows depend on permissions: one of those that `visible…` answer for. */
export type ShownList =
  | { readonly of: "organizations" }
  | { readonly of: "workspaces"; readonly organization: string; readonly access: "read" | "write" }
  /** @property only the one organization; undefined for all */
  | { readonly of: "workspace-sight"; readonly only: string | undefined }
  | { readonly of: "namespaces" | "acl"; readonly partition: string };

/** Decision and the rule that made it. An answer and its explanation are both read from it. */
export interface Decision {
  readonly allow: boolean;
  /** `default` are the defaults of the namespace. */
  readonly decidedBy: "direct" | "default" | "default-policy";
  /** The rule; undefined when no rule is about the question. */
  readonly grant?: LayerGrant;
}

/** Reason for a decision, in the spelling of the wire. */
export interface Explanation {
  allow: boolean;
  decidedBy: "direct" | "default" | "default-policy";
  /** The rule that decides: `mesh` may be decided by `operator`, `intention` by `service`, a workspace by its organization. */
  rule?: { Resource: RuleResource; Segment: string; Prefix?: true; Policy: Permission };
  /** Every policy that holds that rule. */
  policies?: {
    ID: string;
    Name: string;
    Links: readonly PolicyLink[];
    /** Position of the rule in the policy's text, as an index. Only for policies whose rules keep it. */
    at?: number;
  }[];
}

/** A decision in the spelling of the wire: the rule that decided and the policies that hold it. */
export function explained({ allow, decidedBy, grant }: Decision): Explanation {
  if (grant === undefined) return { allow, decidedBy };
  const { rule, permission, holders } = grant;
  const { resource, prefix, segment } = rule;
  return {
    allow,
    decidedBy,
    rule: { Resource: resource, Segment: segment, ...(prefix && { Prefix: true }), Policy: permission },
    policies: holders.map(({ id, name, links, at }) => ({
      ID: id,
      Name: name,
      Links: links,
      ...(at !== undefined && { at }),
    })),
  };
}

import type { Scope } from "../scope.ts";
import type { Decision, Explanation } from "./explained.ts";
import type { Access, Resource } from "./rule.ts";
import type { Visibility } from "./visibility.ts";

/** Answers what a set of policies allows, in one scope. */
export interface Authorizer {
  /**
   * Whether `access` is allowed.
   *
   * @param segment name, or key; ignored by resources without segments. `*` of
   * `intention`: read asks whether any may be read, write whether all may be written
   */
  allows(resource: Resource, segment: string, access: Access): boolean;
  /** The same decision as its trace. */
  decide(resource: Resource, segment: string, access: Access): Decision;
  /** The same decision with its reason, in words of the wire. */
  explain(resource: Resource, segment: string, access: Access): Explanation;
  /** Organizations that may be read. */
  visibleOrganizations(): Visibility;
  /** Names of workspaces of this organization that may be read (without the organization's part). */
  visibleWorkspaces(organization: string): Visibility;
  /** Whether a namespace may be seen: by `operator`, by a block about it, or since anything in it may be read. */
  seesNamespace(scope: Scope): boolean;
  /** The same with its reason. */
  explainSight(scope: Scope): Explanation;
  /** The namespaces of a partition that may be seen. */
  visibleNamespaces(partition: string): Visibility;
  /** Namespaces of a partition in which `acl` may be read. */
  aclNamespaces(partition: string): Visibility;
  /** What the same policies allow in another namespace or partition. */
  in(scope: Scope): Authorizer;
  /** Estimate of the memory that it takes. */
  readonly bytes: number;
}

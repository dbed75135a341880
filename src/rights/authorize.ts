/**
 * The only place that asks what an actor may do: every service asks here, and nothing else looks at its rights. Without
 * permission a service of `/api/v2` answers as if the thing were missing (`notFound`), so a refusal tells nothing about
 * existence; one of `/v1` refuses before it looks (`permission.ts`).
 */
import { notFound } from "../errors.ts";
import type { RefusedQuestion } from "../refused.ts";
import type { Actor } from "./actor.ts";
import { explained, type Explanation } from "./rules/authorizer.ts";
import { decide, decideInParts, type DecidingRights } from "./rules/decide.ts";
import { type Facts, NO_FACTS, type RightsQuestion } from "./rules/question.ts";
import type { Access, Resource } from "./rules/rule.ts";
import type { Visibility } from "./rules/visibility.ts";
import type { WorkspaceSight } from "./rules/workspace-sight.ts";
import { DEFAULT_SCOPE, type Scope } from "./scope.ts";

type Asking = Pick<Actor, "rights">;

/**
 * May this actor do this? Decided by `decide`, without facts.
 *
 * @param segment what the resource is named, in the stored spelling: the name
 * of an organization, `organization/workspace-name`; empty for resources without names
 * @param scope where it lies; what lies in no namespace is asked of the partition, or of the whole server
 */
export function authorize(
  { rights }: Asking,
  resource: Resource,
  segment: string,
  access: Access,
  scope: Scope = DEFAULT_SCOPE,
): boolean {
  return decideInParts(rights, resource, segment, access, scope, NO_FACTS).allow;
}

/**
 * Returns the result of a look-up, unless the caller lacks `access` to it.
 *
 * @param what name of the thing in an error
 * @param segmentOf returns the name of the thing in rules of the resource
 * @throws AppError `not_found`, with an identical text whether it is missing or not allowed
 */
export function permitted<T>(
  { actor }: { actor: Asking },
  what: string,
  found: T | undefined,
  resource: Resource,
  segmentOf: (found: T) => string,
  access: Access,
): T {
  if (found === undefined) throw notFound(what);
  checkAllowed({ actor }, what, resource, segmentOf(found), access);
  return found;
}

/**
 * Asks for a right to what is there, or is to be made.
 *
 * @param what the thing as a refusal names it
 * @throws AppError `not_found`, with the text of a thing that is missing
 */
export function checkAllowed(
  { actor }: { actor: Asking },
  what: string,
  resource: Resource,
  segment: string,
  access: Access,
): void {
  if (!authorize(actor, resource, segment, access)) throw notFound(what, questionOf(resource, segment, access));
}

/** A question as the refusal carries it that its answer leads to. */
export function questionOf(
  resource: Resource,
  segment: string,
  access: Access,
  scope: Scope = DEFAULT_SCOPE,
): RefusedQuestion {
  return { kind: "rights", resource, segment, access, scope };
}

/**
 * Decides as `decide` does, with the reason in words of the wire.
 *
 * @param rights of which the explanation has the ways that lead to each policy, if they have them
 */
export function explainAuthorization(rights: DecidingRights, question: RightsQuestion, facts: Facts): Explanation {
  return explained(decide(rights, question, facts));
}

/** Whether the actor may know of a namespace, whose names are folded. */
export function seesNamespace(actor: Asking, scope: Scope): boolean {
  return authorize(actor, "namespace", scope.namespace, "read", scope);
}

/** The namespaces of a partition that the actor may know of. */
export function visibleNamespaces({ rights }: Asking, partition: string): Visibility {
  return rights.visibleNamespaces(partition);
}

/** The namespaces of a partition in which the actor may read `acl` objects. */
export function aclNamespaces({ rights }: Asking, partition: string): Visibility {
  return rights.aclNamespaces(partition);
}

/** The organizations that the actor may know of. */
export function visibleOrganizations({ rights }: Asking): Visibility {
  return rights.visibleOrganizations();
}

/** In which organizations there may be a workspace that the actor may read. @param only the one that is asked about */
export function workspaceSight({ rights }: Asking, only?: string): WorkspaceSight {
  return rights.workspaceSight(only);
}

/** The workspaces of an organization that the actor may write, whether there are any of these names or not. */
export function writableWorkspaces({ rights }: Asking, organization: string): Visibility {
  return rights.visibleWorkspaces(organization, "write");
}

/** The workspaces of an organization that the actor may know of. */
export function visibleWorkspaces({ rights }: Asking, organization: string): Visibility {
  return rights.visibleWorkspaces(organization);
}

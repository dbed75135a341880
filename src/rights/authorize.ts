/**
 * The only place that asks what an actor may do: every service asks here, and nothing else looks at its rights. Without
 * permission a service of `/api/v2` answers as if the thing were missing (`notFound`), so a refusal tells nothing about
 * existence; one of `/v1` refuses before it looks (`permission.ts`).
 */
import { notFound } from "../errors.ts";
import type { RefusedQuestion } from "../refused.ts";
import type { Actor, UseRecorder } from "./actor.ts";
import { explained, type Explanation, type ShownList } from "./rules/authorizer.ts";
import { decide, decideInParts, deciding, type DecidingRights } from "./rules/decide.ts";
import { lookupSpelling } from "./rules/layer.ts";
import { type Facts, NO_FACTS, type RightsQuestion } from "./rules/question.ts";
import type { Access, Resource } from "./rules/rule.ts";
import type { Visibility } from "./rules/visibility.ts";
import type { WorkspaceSight } from "./rules/workspace-sight.ts";
import { DEFAULT_SCOPE, homeOf, type Scope } from "./scope.ts";

/** Rights of a caller, and the recorder of their use. */
export type Asking = Pick<Actor, "rights" | "uses">;

/**
 * May this actor do this? Decided by `decide`, without facts.
 *
 * @param segment what the resource is named, in the stored spelling: the name
 * of an organization, `organization/workspace-name`; empty for resources without names
 * @param scope where it lies; what lies in no namespace is asked of the partition, or of the whole server
 */
export function authorize(
  { rights, uses }: Asking,
  resource: Resource,
  segment: string,
  access: Access,
  scope: Scope = DEFAULT_SCOPE,
): boolean {
  const { allow, grant } = decideInParts(rights, resource, segment, access, scope, NO_FACTS);
  if (allow && uses !== undefined) uses.note(grant, resource, access, deciding(resource, scope), segment);
  return allow;
}

/**
 * Decides a question about permissions that the caller, or a gateway, asks. It is noted in a column of its own: nobody has
 * used the permission yet.
 *
 * @param asking whose permissions they are @param column whether the caller asks about its own
 * @param askedBy the decision point that asks about others
 */
export function answer(
  asking: AskedAbout,
  question: RightsQuestion,
  column: "own" | "others",
  askedBy?: string,
): boolean {
  const { resource, segment, access, scope } = question;
  const { allow, grant } = decideInParts(asking.rights, resource, segment, access, scope, NO_FACTS);
  if (!allow) return false;
  asking.uses?.forQuestions?.note(
    grant,
    resource,
    access,
    deciding(resource, scope),
    lookupSpelling(resource, segment),
    column,
    askedBy,
  );
  return true;
}

/** The actor for questions that are no use, such as which buttons a client shows, and what an explanation hides. */
export function unnoted(actor: Actor): Actor {
  return actor.uses?.of ?? actor;
}

/** Subject of a question about permissions. */
export interface AskedAbout {
  rights: DecidingRights;
  uses?: UseRecorder | undefined;
}

function noteShown(
  { rights, uses }: Asking,
  resource: Resource,
  scope: Scope,
  list: ShownList,
  access: Access = "list",
): void {
  if (uses === undefined) return;
  const by = rights.rulesShowing(list);
  if (by.length > 0) uses.note(by, resource, access, scope, undefined);
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
export function visibleNamespaces(actor: Asking, partition: string): Visibility {
  noteShown(actor, "namespace", homeOf(partition), { of: "namespaces", partition });
  return actor.rights.visibleNamespaces(partition);
}

/** The namespaces of a partition in which the actor may read `acl` objects. */
export function aclNamespaces(actor: Asking, partition: string): Visibility {
  noteShown(actor, "acl", homeOf(partition), { of: "acl", partition });
  return actor.rights.aclNamespaces(partition);
}

/** The organizations that the actor may know of. */
export function visibleOrganizations(actor: Asking): Visibility {
  noteShown(actor, "organization", DEFAULT_SCOPE, { of: "organizations" });
  return actor.rights.visibleOrganizations();
}

/** In which organizations there may be a workspace that the actor may read. @param only the one that is asked about */
export function workspaceSight(actor: Asking, only?: string): WorkspaceSight {
  noteShown(actor, "workspace", DEFAULT_SCOPE, { of: "workspace-sight", only });
  return actor.rights.workspaceSight(only);
}

/** The workspaces of an organization that the actor may write, whether there are any of these names or not. */
export function writableWorkspaces(actor: Asking, organization: string): Visibility {
  noteShown(actor, "workspace", DEFAULT_SCOPE, { of: "workspaces", organization, access: "write" }, "write");
  return actor.rights.visibleWorkspaces(organization, "write");
}

/** The workspaces of an organization that the actor may know of. */
export function visibleWorkspaces(actor: Asking, organization: string): Visibility {
  noteShown(actor, "workspace", DEFAULT_SCOPE, { of: "workspaces", organization, access: "read" });
  return actor.rights.visibleWorkspaces(organization);
}

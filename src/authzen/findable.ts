/** Candidates of searches: which stored names an own or built-in type may have, and which ID each of them is. */
import { isSubjectType } from "../acl/decision-mappings/check.ts";
import type { RightsQuestion } from "../rights/rules/question.ts";
import type { Scope } from "../rights/scope.ts";
import { idIn, placeOfId } from "../templates/name-template.ts";
import type { SubjectSearch } from "./find.ts";
import { findMapped, mappedActionsOf, valuesOf, type Mappings } from "./mappings.ts";
import type { AuthzenEntity, SearchRequest } from "./request.ts";
import { questionOf } from "./resources.ts";

/** Finds where subjects of a type are stored. @returns undefined for types that cannot be searched, such as identities */
export function findableSubjects(
  { subjects }: Mappings,
  subject: AuthzenEntity,
): Pick<SubjectSearch, "kind" | "place"> | undefined {
  const mapped = isSubjectType(subject.type) ? undefined : subjects.get(subject.type);
  const kind = mapped?.as ?? subject.type;
  if (kind !== "token" && kind !== "role") return undefined;
  if (mapped === undefined) return { kind, place: undefined };
  const place = placeOfId(mapped.template, valuesOf(subject));
  return place === undefined ? undefined : { kind, place };
}

/** Candidates of a search for resources. */
export interface FindableResources {
  /** The question about each of them; its segment is empty. */
  readonly question: RightsQuestion;
  readonly isMapped: boolean;
  /** Returns the ID that a name is; undefined for a name that is no resource of the type. */
  idOf(name: string): string | undefined;
}

/** Finds what resources of a type are called in policy rules. @returns undefined where nothing can be found */
export function findableResources(
  mappings: Mappings,
  { action, resource }: SearchRequest,
  scope: Scope,
): FindableResources | undefined {
  const actions = mappedActionsOf(mappings, resource.type);
  if (actions === undefined) {
    const question = questionOf({ ...resource, id: "" }, action.name, scope);
    return question && { question, isMapped: false, idOf: (name) => name };
  }
  const found = findMapped(actions, action, resource.properties);
  const place = found && placeOfId(found.template, valuesOf(resource));
  if (found === undefined || place === undefined) return undefined;
  const question = { resource: found.kind, segment: "", access: found.access, scope };
  return { question, isMapped: true, idOf: (name) => idIn(place, name) };
}

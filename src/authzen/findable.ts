/** Candidates of searches: which stored names an own or built-in type may have, and which ID each of them is. */
import { isSubjectType, type BuiltInSubject } from "../acl/decision-mappings/check.ts";
import type { Scalars } from "../acl/decision-mappings/store.ts";
import type { RightsQuestion } from "../rights/rules/question.ts";
import type { Scope } from "../rights/scope.ts";
import { idIn, placeOfId, type IdPlace } from "../templates/name-template.ts";
import { findMapped, isMatch, mappedActionsOf, valuesOf, type MappedQuestion, type Mappings } from "./mappings.ts";
import type { AuthzenEntity, SearchRequest } from "./request.ts";
import { isStored, questionOf } from "./resources.ts";

/** Finds where subjects of a type are stored. @returns undefined for types that cannot be searched */
export function findableSubjects(
  { subjects }: Mappings,
  subject: AuthzenEntity,
): { kind: BuiltInSubject; place: IdPlace | undefined } | undefined {
  const mapped = isSubjectType(subject.type) ? undefined : subjects.get(subject.type);
  const kind = mapped?.as ?? subject.type;
  if (!isSubjectType(kind)) return undefined;
  if (mapped === undefined) return { kind, place: undefined };
  const place = placeOfId(mapped.template, valuesOf(subject));
  return place === undefined ? undefined : { kind, place };
}

/** One way in which a request may name resources of a type, and the question that it stands for. */
export interface FindableResources {
  /** The question about each of them; its segment is empty. */
  readonly question: RightsQuestion;
  readonly isMapped: boolean;
  /** Properties that a request must have beside its own, to be this question; empty for a request as it is. */
  readonly properties: Scalars;
  /** Returns the ID that a name is; undefined for a name that is no resource of the type. */
  idOf(name: string): string | undefined;
  /** Returns the name of an ID. */
  nameOf(id: string): string;
}

/**
 * Finds the names that resources of a type have in policy rules: first those of a request as it is, then those that an entry of the
 * mapping gives to resources with further properties.
 */
export function findableResources(
  mappings: Mappings,
  { action, resource }: SearchRequest,
  scope: Scope,
): readonly FindableResources[] {
  const actions = mappedActionsOf(mappings, resource.type);
  if (actions === undefined) {
    const question = questionOf({ ...resource, id: "" }, action.name, scope);
    const own = { isMapped: false, properties: {}, idOf: (name: string) => name, nameOf: (id: string) => id };
    return question === undefined ? [] : [{ question, ...own }];
  }
  const asked = actions.filter(
    (each) => each.action === action.name && isMatch(each.actionProperties, action.properties),
  );
  const ways = asked.flatMap((entry) => wayOf(entry, actions, { action, resource }, scope));
  ways.sort((one, other) => Number(isConditional(one)) - Number(isConditional(other)));
  // Objects that are stored are listed in an order of their own.
  const [first] = ways;
  if (first !== undefined && isStored(first.question.resource)) return [first];
  return ways.filter(({ question }) => !isStored(question.resource));
}

/** Whether a request is this question with further properties only. */
export function isConditional({ properties }: FindableResources): boolean {
  return Object.keys(properties).length > 0;
}

function wayOf(
  entry: MappedQuestion,
  actions: readonly MappedQuestion[],
  { action, resource }: Pick<SearchRequest, "action" | "resource">,
  scope: Scope,
): FindableResources[] {
  const given = resource.properties;
  const lacking = Object.entries(entry.properties).filter(([name]) => !Object.hasOwn(given, name));
  const properties = Object.fromEntries(lacking);
  const full = { ...given, ...properties };
  // An entry before it, or another value of the request, may decide.
  if (findMapped(actions, action, full) !== entry) return [];
  const place = placeOfId(entry.template, valuesOf({ ...resource, properties: full }));
  if (place === undefined) return [];
  const question = { resource: entry.kind, segment: "", access: entry.access, scope };
  return [{ question, isMapped: true, properties, ...namesAt(place) }];
}

function namesAt(place: IdPlace): Pick<FindableResources, "idOf" | "nameOf"> {
  return { idOf: (name) => idIn(place, name), nameOf: (id) => place.before + id + place.after };
}

/** Mappings of a partition as requests use them: own types become built-in subjects and questions about permissions. */
import { isSubjectType, type BuiltInSubject } from "../acl/decision-mappings/check.ts";
import {
  listMappingsOf,
  type DecisionMapping,
  type MappedAction,
  type Scalars,
} from "../acl/decision-mappings/store.ts";
import { DECISION_MAPPINGS } from "../rights/kinds.ts";
import { isResource, type Access, type Resource } from "../rights/rules/rule.ts";
import type { RightsQuestion } from "../rights/rules/question.ts";
import type { Scope } from "../rights/scope.ts";
import type { Database } from "../storage/database.ts";
import { createDerivedCache } from "../storage/reads/derived-cache.ts";
import { ID, makeName, PROPERTIES, readNameTemplate, type ValueOf } from "../templates/name-template.ts";
import type { Template } from "../templates/template.ts";
import type { JsonMembers } from "./read-body.ts";
import type { Action, AuthzenEntity, Evaluation } from "./request.ts";
import { questionOf } from "./resources.ts";

interface MappedSubject {
  readonly as: BuiltInSubject;
  readonly template: Template;
}

/** A question that an action stands for, where its properties match. */
export interface MappedQuestion {
  readonly action: string;
  readonly properties: Scalars;
  readonly actionProperties: Scalars;
  readonly kind: Resource;
  readonly access: Access;
  readonly template: Template;
}

/** Own types of a partition. */
export interface Mappings {
  readonly subjects: ReadonlyMap<string, MappedSubject>;
  readonly resources: ReadonlyMap<string, readonly MappedQuestion[]>;
  /** Approximate memory. */
  readonly bytes: number;
}

/** The mappings of partitions, as current as the permissions that `authorize` decides by. */
export interface KnownMappings {
  /** Those that are known; undefined where they have to be read. */
  known(partition: string): Mappings | undefined;
  of(partition: string): Promise<Mappings>;
}

const CACHE_BYTES = 16 * 1024 * 1024;
/** Approximate memory of an action and of a type, beside their texts. */
const ENTRY_BYTES = 500;

/** Makes what finds the mappings of a partition. */
export function createMappings(db: Database): KnownMappings {
  const cache = createDerivedCache<Mappings>({
    feed: db.feed,
    name: "decision-mappings",
    maxBytes: CACHE_BYTES,
    sizeOf: ({ bytes }) => bytes,
  });
  return {
    known: (partition) => cache.get(partition),
    of: async (partition) =>
      cache.get(partition) ??
      cache.fill(
        partition,
        async () => compileMappings(await listMappingsOf(db, partition)),
        () => [{ partition, table: DECISION_MAPPINGS }],
      ),
  };
}

/** Compiles stored mappings, whose content was checked when it was written. */
export function compileMappings(stored: readonly DecisionMapping[]): Mappings {
  const subjects = new Map<string, MappedSubject>();
  const resources = new Map<string, readonly MappedQuestion[]>();
  let bytes = ENTRY_BYTES;
  for (const { subjectTypes, resourceTypes } of stored) {
    for (const { Type, As, Template } of subjectTypes) {
      if (isSubjectType(As)) subjects.set(Type, { as: As, template: readNameTemplate(Template) });
    }
    for (const { Type, Actions } of resourceTypes) {
      resources.set(Type, Actions.map(compileAction));
      bytes += ENTRY_BYTES * Actions.length;
    }
    bytes += ENTRY_BYTES * (subjectTypes.length + resourceTypes.length);
    bytes += 4 * JSON.stringify([subjectTypes, resourceTypes]).length;
  }
  return { subjects, resources, bytes };
}

function compileAction(action: MappedAction): MappedQuestion {
  return {
    action: action.Action,
    properties: action.Properties ?? {},
    actionProperties: action.ActionProperties ?? {},
    kind: action.Kind as Resource,
    access: action.Access as Access,
    template: readNameTemplate(action.Segment),
  };
}

/** Returns the values of an entity for templates. Texts, numbers and truth values are values; an own property only. */
export function valuesOf({ id, properties }: AuthzenEntity): ValueOf {
  return (variable) => {
    if (variable === ID) return id;
    const value = propertyOf(properties, variable.slice(PROPERTIES.length));
    return value === undefined ? undefined : String(value);
  };
}

function propertyOf(properties: JsonMembers, name: string): string | number | boolean | undefined {
  const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
}

/** An evaluation in built-in types. */
export interface Translated {
  readonly subject: AuthzenEntity;
  /** Undefined where there is no such question, or no such subject. */
  readonly question: RightsQuestion | undefined;
  /** Reason why there is none. */
  readonly fault?: string;
}

/** Translates an evaluation. A subject that no name can be made of becomes one that nobody is: it costs what others cost. */
export function translate(mappings: Mappings, { subject, action, resource }: Evaluation, scope: Scope): Translated {
  const who = translateSubject(mappings, subject);
  const what = translateQuestion(mappings, action, resource, scope);
  const fault = who.fault ?? what.fault;
  if (fault !== undefined) return { subject: who.subject, question: undefined, fault };
  return { subject: who.subject, question: what.question };
}

/** @returns the built-in subject; one without an ID where the template makes none, with the reason */
export function translateSubject(
  { subjects }: Mappings,
  subject: AuthzenEntity,
): { subject: AuthzenEntity; fault?: string } {
  const mapped = isSubjectType(subject.type) ? undefined : subjects.get(subject.type);
  if (mapped === undefined) return { subject };
  const made = makeName(mapped.template, valuesOf(subject));
  const built = { type: mapped.as, properties: {} };
  if ("name" in made) return { subject: { ...built, id: made.name } };
  return { subject: { ...built, id: "" }, fault: `subject: ${made.fault}` };
}

/** Returns the actions of an own type; undefined for built-in and unknown types. */
export function mappedActionsOf({ resources }: Mappings, type: string): readonly MappedQuestion[] | undefined {
  return isResource(type) ? undefined : resources.get(type);
}

/** Finds the entry that decides about an action: the first one that matches. */
export function findMapped(
  actions: readonly MappedQuestion[],
  { name, properties: ofAction }: Action,
  ofResource: JsonMembers,
): MappedQuestion | undefined {
  return actions.find(
    ({ action, properties, actionProperties }) =>
      action === name && isMatch(properties, ofResource) && isMatch(actionProperties, ofAction),
  );
}

/** A property that the request does not have matches nothing. */
export function isMatch(wanted: Scalars, given: JsonMembers): boolean {
  return Object.entries(wanted).every(([name, value]) => Object.hasOwn(given, name) && given[name] === value);
}

/** Translates the question about a resource. Built-in types take no properties: stored facts decide about them. */
export function translateQuestion(
  mappings: Mappings,
  action: Action,
  resource: AuthzenEntity,
  scope: Scope,
): { question?: RightsQuestion; fault?: string } {
  const actions = mappedActionsOf(mappings, resource.type);
  if (actions === undefined) {
    const question = questionOf(resource, action.name, scope);
    return question === undefined ? { fault: "unknown resource type or action" } : { question };
  }
  const found = findMapped(actions, action, resource.properties);
  if (found === undefined) return { fault: "no mapping of the resource type matches the action and its properties" };
  const made = makeName(found.template, valuesOf(resource));
  if ("fault" in made) return { fault: `resource: ${made.fault}` };
  return { question: { resource: found.kind, segment: made.name, access: found.access, scope } };
}

/** Checks the content of a mapping: its own types, their templates, and the questions that they stand for. */
import { invalid, type AppError } from "../../errors.ts";
import { ACCESSES, isResource, SCALARS } from "../../rights/rules/rule.ts";
import { readNameTemplate } from "../../templates/name-template.ts";
import { TemplateError } from "../../templates/template.ts";
import type { DecisionMapping, MappedAction, ResourceType, Scalars, SubjectType } from "./store.ts";
import { OBJECT_NAME } from "../kit/names.ts";

/** Types of subjects that the decision point finds. */
export const SUBJECT_TYPES = ["token", "role", "identity"] as const;
export type BuiltInSubject = (typeof SUBJECT_TYPES)[number];

/** Whether a type of subjects is built in. */
export function isSubjectType(type: string): type is BuiltInSubject {
  return (SUBJECT_TYPES as readonly string[]).includes(type);
}

/** Maximum number of types of one sort in a mapping. */
const MAX_TYPES = 64;
/** Maximum number of actions of a type. */
const MAX_ACTIONS = 64;
/** Maximum number of properties that an action compares. */
const MAX_PROPERTIES = 16;
/** Maximum bytes of a template, and of a value to compare with. */
const MAX_TEXT = 1024;
/** Maximum length of the name of a type, an action or a property, in UTF-16 code units. */
const MAX_NAME = 256;

type Checked = Pick<DecisionMapping, "name" | "subjectTypes" | "resourceTypes">;

/** @throws AppError `invalid` with the path of the member that is wrong */
export function checkContent({ name, subjectTypes, resourceTypes }: Checked): void {
  if (!OBJECT_NAME.test(name)) {
    throw wrong("invalid Name. 1 to 128 alphanumeric characters, '-' and '_' are allowed");
  }
  checkCount("SubjectTypes", subjectTypes.length, MAX_TYPES);
  checkCount("ResourceTypes", resourceTypes.length, MAX_TYPES);
  for (const [index, type] of subjectTypes.entries()) checkSubjectType(`SubjectTypes[${index}]`, type);
  for (const [index, type] of resourceTypes.entries()) checkResourceType(`ResourceTypes[${index}]`, type);
  checkOnce("SubjectTypes", subjectTypes);
  checkOnce("ResourceTypes", resourceTypes);
}

function checkSubjectType(path: string, { Type, As, Template }: SubjectType): void {
  checkName(`${path}.Type`, Type);
  if (isSubjectType(Type)) throw wrong(`${path}.Type: ${Type} is a built-in type`);
  if (!isSubjectType(As)) throw wrong(`${path}.As: expected one of ${SUBJECT_TYPES.join(", ")}`);
  checkTemplate(`${path}.Template`, Template);
}

function checkResourceType(path: string, { Type, Actions }: ResourceType): void {
  checkName(`${path}.Type`, Type);
  if (isResource(Type)) throw wrong(`${path}.Type: ${Type} is a built-in type`);
  checkCount(`${path}.Actions`, Actions.length, MAX_ACTIONS);
  for (const [index, action] of Actions.entries()) checkAction(`${path}.Actions[${index}]`, action);
}

function checkAction(path: string, { Action, Kind, Segment, Access, ...compared }: MappedAction): void {
  checkName(`${path}.Action`, Action);
  const { Properties = {}, ActionProperties = {} } = compared;
  const count = Object.keys(Properties).length + Object.keys(ActionProperties).length;
  checkCount(`${path}.Properties`, count, MAX_PROPERTIES);
  checkProperties(`${path}.Properties`, Properties);
  checkProperties(`${path}.ActionProperties`, ActionProperties);
  if (!isResource(Kind)) throw wrong(`${path}.Kind: unknown resource ${JSON.stringify(Kind)}`);
  if ((SCALARS as readonly string[]).includes(Kind)) throw wrong(`${path}.Kind: rules of ${Kind} have no names`);
  const accesses = ACCESSES.get(Kind) ?? [];
  if (!(accesses as readonly string[]).includes(Access)) {
    throw wrong(`${path}.Access: unknown access ${JSON.stringify(Access)} of ${Kind}; expected ${accesses.join(", ")}`);
  }
  checkTemplate(`${path}.Segment`, Segment);
}

function checkProperties(path: string, properties: Scalars): void {
  for (const [name, value] of Object.entries(properties) as [string, unknown][]) {
    checkName(`${path}: name of a property`, name);
    const isScalar = typeof value === "number" || typeof value === "boolean" || typeof value === "string";
    if (!isScalar) throw wrong(`${path}.${name}: expected a string, a number, true or false`);
    if (typeof value === "string" && Buffer.byteLength(value) > MAX_TEXT) {
      throw wrong(`${path}.${name} is longer than ${MAX_TEXT} bytes`);
    }
  }
}

function checkTemplate(path: string, text: string): void {
  if (text === "") throw wrong(`${path} is empty`);
  if (Buffer.byteLength(text) > MAX_TEXT) throw wrong(`${path} is longer than ${MAX_TEXT} bytes`);
  try {
    readNameTemplate(text);
  } catch (error) {
    if (error instanceof TemplateError) throw wrong(`${path}: ${error.message}`);
    throw error;
  }
}

function checkName(path: string, name: string): void {
  if (name === "" || name.length > MAX_NAME) throw wrong(`${path}: expected 1 to ${MAX_NAME} characters`);
}

function checkCount(path: string, count: number, most: number): void {
  if (count > most) throw wrong(`${path} has ${count} entries; at most ${most} are allowed`);
}

function checkOnce(path: string, types: readonly { readonly Type: string }[]): void {
  const known = new Set<string>();
  for (const [index, { Type }] of types.entries()) {
    if (known.has(Type)) throw wrong(`${path}[${index}].Type: ${JSON.stringify(Type)} is defined twice`);
    known.add(Type);
  }
}

/**
 * Checks that no other mapping of the partition defines a type that this one defines.
 *
 * @throws AppError `invalid` that names the other mapping
 */
export function checkTypes({ subjectTypes, resourceTypes }: Checked, others: readonly DecisionMapping[]): void {
  for (const other of others) {
    checkApart("SubjectTypes", subjectTypes, other.subjectTypes, other.name);
    checkApart("ResourceTypes", resourceTypes, other.resourceTypes, other.name);
  }
}

type Named = readonly { readonly Type: string }[];

function checkApart(path: string, own: Named, theirs: Named, name: string): void {
  const defined = new Set(theirs.map(({ Type }) => Type));
  for (const [index, { Type }] of own.entries()) {
    if (!defined.has(Type)) continue;
    throw wrong(`${path}[${index}].Type: decision mapping "${name}" defines ${JSON.stringify(Type)} already`);
  }
}

function wrong(text: string): AppError {
  return invalid(`Invalid DecisionMapping: ${text}`);
}

/**
 * Members of objects, in files and on the wire, and the comparison of two objects. The program works with objects in
 * the form of files (names with hyphens, links as names), without empty members.
 */
import { fold } from "../fold.ts";
import type { Members, FileValue } from "./documents.ts";
import { durationText } from "./duration.ts";

/** Type of a member's value. */
export type MemberShape =
  | "text"
  /** A duration such as `1h30m`. */
  | "duration"
  /** A time, however it is written. */
  | "time"
  | "flag"
  | "number"
  /** Names of other objects, in any order and any case. */
  | "links"
  /** Name of one other object, in any case. */
  | "link"
  /** Texts, in any order. */
  | "texts"
  /** Names with a text each. */
  | "map"
  /** Any JSON, whose names are read in any case. */
  | "free"
  /** Names with a value each; names and values count as they are written. */
  | "exact"
  | { readonly group: Shapes }
  | { readonly list: Shapes; readonly isOrdered?: true };

/** A member. */
export interface ShapeMember {
  /** Its name on the wire. */
  readonly wire: string;
  readonly shape: MemberShape;
  /** Cannot be changed: what has another value has to be made anew. */
  readonly isFixed?: true;
}

export type Shapes = Readonly<Record<string, ShapeMember>>;
/** An object's members in the form of files. */
export type FileContent = Members;

/** A name without what may be written one way or another: `BindType`, `bind_type` and `bind-type` are one. */
export function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, "");
}

/** Takes what is wrong with a member. @param at the member of the object, such as `service-identities` */
export type NoteProblem = (message: string, at: string) => void;

/** Reads members as a file has them, which may be spelled in any way. */
export function readMembers(shapes: Shapes, given: Members, note: NoteProblem, at?: string): FileContent {
  const byName = new Map(Object.keys(shapes).map((name) => [folded(name), name]));
  const content: Record<string, FileValue> = {};
  for (const [name, value] of Object.entries(given)) {
    const known = byName.get(folded(name));
    const member = known === undefined ? undefined : shapes[known];
    if (known === undefined || member === undefined) {
      note(`unknown member ${JSON.stringify(name)}${didYouMean(name, Object.keys(shapes))}`, at ?? name);
    } else if (known in content) {
      note(`${known} is set twice`, at ?? name);
    } else {
      content[known] = readValue(member.shape, value, (message, inner) => note(message, at ?? inner), name);
    }
  }
  return content;
}

function readValue(shape: MemberShape, value: FileValue, note: NoteProblem, name: string): FileValue {
  const wanted = (what: string): null => {
    note(`${name} must be ${what}`, name);
    return null;
  };
  if (value === null) return null;
  if (typeof shape === "object") {
    if ("group" in shape) return isRecord(value) ? readMembers(shape.group, value, note, name) : wanted("an object");
    if (!Array.isArray(value)) return wanted("a list");
    return value.map((each) =>
      isRecord(each) ? readMembers(shape.list, each, note, name) : wanted("a list of objects"),
    );
  }
  switch (shape) {
    case "text":
    case "link":
      return typeof value === "object" ? wanted("a string") : String(value);
    case "duration":
      return (typeof value === "string" ? durationText(value) : undefined) ?? wanted('a duration such as "1h30m"');
    case "time":
      return typeof value === "string" && !Number.isNaN(Date.parse(value))
        ? value
        : wanted("a time such as 2027-01-31T00:00:00Z");
    case "flag":
      return typeof value === "boolean" ? value : wanted("true or false");
    case "number":
      return typeof value === "number" ? value : wanted("a number");
    case "links":
    case "texts":
      return Array.isArray(value) && value.every(isPlain) ? value.map(String) : wanted("a list of strings");
    case "map":
      if (!isRecord(value) || !Object.values(value).every(isPlain)) return wanted("names with string values");
      return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, plainText(text)]));
    case "exact":
      return isRecord(value) && Object.values(value).every(isPlain) ? value : wanted("names with plain values");
    case "free":
      return value;
  }
}

/** The members that an answer has. */
export function fromWire(shapes: Shapes, wire: Readonly<Record<string, unknown>>): FileContent {
  const byName = new Map(Object.entries(wire).map(([name, value]) => [folded(name), value]));
  const content: Record<string, FileValue> = {};
  for (const [name, { wire: wireName, shape }] of Object.entries(shapes)) {
    const value = byName.get(folded(wireName));
    if (value !== undefined && value !== null) content[name] = valueFrom(shape, value);
  }
  return withoutEmpty(content);
}

function valueFrom(shape: MemberShape, value: unknown): FileValue {
  if (typeof shape === "object") {
    if ("group" in shape) return isRecord(value) ? fromWire(shape.group, value) : {};
    return (Array.isArray(value) ? value : []).map((each) => fromWire(shape.list, isRecord(each) ? each : {}));
  }
  if (shape === "links") return (Array.isArray(value) ? value : []).filter(isRecord).map(linkName);
  if (shape === "duration") return durationText(String(value)) ?? String(value);
  return value as FileValue;
}

function linkName({ Name, ID = "" }: Readonly<Record<string, unknown>>): string {
  return String(Name ?? ID);
}

/** The members of a body that says all of an object. */
export function toWire(shapes: Shapes, content: FileContent): Record<string, unknown> {
  const wire: Record<string, unknown> = {};
  for (const [name, { wire: wireName, shape }] of Object.entries(shapes)) {
    const value = content[name];
    if (value !== undefined && value !== null) wire[wireName] = valueTo(shape, value);
  }
  return wire;
}

function valueTo(shape: MemberShape, value: FileValue): unknown {
  if (typeof shape === "object") {
    if ("group" in shape) return toWire(shape.group, value as FileContent);
    return (value as FileContent[]).map((each) => toWire(shape.list, each));
  }
  return shape === "links" ? (value as string[]).map((name) => ({ Name: name })) : value;
}

/** Returns the content without empty members: empty texts and lists, false, zero. */
export function withoutEmpty(content: FileContent): FileContent {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => !isEmpty(value)));
}

export function isEmpty(value: FileValue | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === false || value === 0) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Whether two values of a member mean the same. */
export function isSame(shape: MemberShape, one: FileValue | undefined, other: FileValue | undefined): boolean {
  return formOf(shape, one) === formOf(shape, other);
}

/** A text that is the same for values that mean the same. */
function formOf(shape: MemberShape, value: FileValue | undefined): string {
  if (isEmpty(value) || value === undefined || value === null) return "";
  if (shape === "free") return freeForm(value);
  if (typeof shape === "object") {
    if ("group" in shape) return groupForm(shape.group, value as FileContent);
    const forms = (value as FileContent[]).map((each) => groupForm(shape.list, each));
    return JSON.stringify(shape.isOrdered === true ? forms : forms.toSorted());
  }
  if (shape === "links") return JSON.stringify([...new Set((value as string[]).map(fold))].toSorted());
  if (shape === "link") return fold(plainText(value));
  if (shape === "time") return String(Date.parse(plainText(value)));
  if (shape === "texts") return JSON.stringify([...new Set(value as string[])].toSorted());
  if (shape === "map" || shape === "exact")
    return JSON.stringify(Object.entries(value as FileContent).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify(value);
}

function groupForm(shapes: Shapes, content: FileContent): string {
  return JSON.stringify(Object.entries(shapes).map(([name, { shape }]) => formOf(shape, content[name])));
}

/** The server keeps a text where a number was given, and a list where one text was. */
function freeForm(value: FileValue): string {
  if (isEmpty(value)) return "";
  if (Array.isArray(value)) return JSON.stringify(value.map(freeForm));
  if (!isRecord(value)) return JSON.stringify([JSON.stringify(String(value))]);
  const members = Object.entries(value).flatMap(([name, inner]) =>
    isEmpty(inner) ? [] : [[folded(name), freeForm(inner)]],
  );
  return JSON.stringify(members.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)));
}

/** The best guess at what was meant, as the end of a sentence. */
export function didYouMean(name: string, known: readonly string[]): string {
  const ranked = known
    .map((each) => ({ each, far: distance(folded(name), folded(each)) }))
    .toSorted((a, b) => a.far - b.far);
  const [best] = ranked;
  return best !== undefined && best.far <= Math.max(1, name.length / 3) ? `; did you mean ${best.each}?` : "";
}

function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= Math.min(one.length, 64); i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** A value as text; of what is none, the empty one. */
export function plainText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

export function isRecord(value: unknown): value is Record<string, FileValue> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

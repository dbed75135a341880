/** Members of objects, compared. */
import type { Members } from "./plan.ts";

export interface MemberChange {
  /** Path of the member, such as `Policies` or `Config.BoundAudiences`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Whether two values of JSON are the same; what is left out is as what is undefined. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = a as Members;
  const right = b as Members;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => isSame(left[name], right[name]));
}

/** The members that are not the same, as they are to be. */
export function changedMembers(before: Members, after: Members): Members {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(before[name], value)));
}

/** Returns the differences, member by member. */
export function changesOf(before: Members, after: Members): readonly MemberChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((path) => !isSame(before[path], after[path]))
    .map((path) => ({ path, before: before[path], after: after[path] }));
}

/** A value as people read it: links by their names, lists line by line. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null || value === "") return "";
  if (Array.isArray(value)) return value.map(entryText).join("\n");
  return itemText(value);
}

/** An entry of a list: what has several members has a line for each, so that a difference is of one of them. */
function entryText(value: unknown): string {
  const text = itemText(value);
  if (!text.startsWith("{\n")) return text;
  const lines = Object.entries(value as Members).map(([name, member]) => `${name}: ${inLine(member)}`);
  return `- ${lines.join("\n  ")}`;
}

function inLine(value: unknown): string {
  if (Array.isArray(value)) return value.map(inLine).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function itemText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return String(value);
  const { Name: name, ID: id, ServiceName: service, NodeName: node } = value as Members;
  const keys = Object.keys(value);
  if (typeof name === "string" && keys.every((key) => key === "Name" || key === "ID")) return name;
  if (typeof id === "string" && keys.length === 1) return id;
  if (typeof service === "string" && keys.length === 1) return service;
  if (typeof node === "string" && keys.length === 1) return node;
  return JSON.stringify(value, undefined, 2);
}

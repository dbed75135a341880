/** Differences of audit records, in the delta format of jsondiffpatch, as changes of members. */
import { durationOf } from "./duration.ts";
import type { MemberChange } from "./members.ts";
import * as texts from "../texts/kit-objects.ts";

/** Members that only show that an object changed and when. The record itself contains both. */
const NOISE = new Set([
  "CreateIndex",
  "ModifyIndex",
  "CreatedAt",
  "UpdatedAt",
  "ExpiresAt",
  "Hash",
  "created-at",
  "updated-at",
  "latest-change-at",
]);

/** The changes of a delta. What is in none of its forms is shown as it is: a record is never hidden for being odd. */
export function changesOfDelta(delta: unknown): readonly MemberChange[] {
  return walk(delta, "");
}

function walk(delta: unknown, path: string): readonly MemberChange[] {
  if (delta === undefined || delta === null) return [];
  if (Array.isArray(delta)) return [leaf(delta, path)];
  if (typeof delta !== "object") return [{ path: path || "value", before: undefined, after: delta }];
  const members = Object.entries(delta as Record<string, unknown>);
  if ((delta as { _t?: unknown })._t === "a") return [list(members, path)];
  // A new object of records: its members, and not one long text.
  return members.flatMap(([name, value]) => walk(value, path === "" ? name : `${path}.${name}`));
}

function leaf(delta: readonly unknown[], path: string): MemberChange {
  const [first, second, third] = delta;
  const name = path === "" ? "everything" : path;
  if (delta.length === 1) return { path: name, before: undefined, after: first };
  if (delta.length === 2) return { path: name, before: first, after: second };
  if (third === 0) return { path: name, before: first, after: undefined };
  return { path: name, before: undefined, after: first };
}

/** Reports the added and removed entries of a list. The position of an entry seldom matters. */
function list(members: readonly (readonly [string, unknown])[], path: string): MemberChange {
  const before: unknown[] = [];
  const after: unknown[] = [];
  for (const [name, value] of members) {
    if (name === "_t" || !Array.isArray(value)) {
      if (name !== "_t") after.push(value);
      continue;
    }
    // `_N` is an entry that went from N, or moved, which is [ "", to, 3 ].
    if (value[2] === 3) continue;
    if (name.startsWith("_")) before.push(value[0]);
    else if (value.length === 2) {
      before.push(value[0]);
      after.push(value[1]);
    } else after.push(value[0]);
  }
  return { path, before, after };
}

/** The members that a new or a deleted object had, as changes of their own. */
export function unfolded(changes: readonly MemberChange[]): readonly MemberChange[] {
  return changes
    .flatMap(unfold)
    .filter(({ path }) => !NOISE.has(path))
    .map((change) => (change.path === "MaxTokenTTL" ? ofTimes(change) : change));
}

/** Records hold times of life as nanoseconds; people write them as `15m0s`. */
function ofTimes({ path, before, after }: MemberChange): MemberChange {
  return { path, before: durationOf(before), after: durationOf(after) };
}

function unfold(change: MemberChange): readonly MemberChange[] {
  const { path, before, after } = change;
  if (path !== "everything") return [change];
  if (isObject(after) && before === undefined) {
    return Object.entries(after).map(([name, value]) => ({ path: name, before: undefined, after: value }));
  }
  if (isObject(before) && after === undefined) {
    return Object.entries(before).map(([name, value]) => ({ path: name, before: value, after: undefined }));
  }
  return [change];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the tags and tag keys that a write added, removed or changed, from records of `change-tags`. */
export function changesOfTags(detail: Readonly<Record<string, unknown>> | undefined): readonly MemberChange[] {
  const { tags, bindings } = (detail?.["details"] ?? {}) as { tags?: Moved; bindings?: Moved };
  return [
    ...moved(texts.tags, tags),
    ...moved(texts.tagKeys, bindings),
    ...(bindings?.changed ?? []).map(({ key, from, to }) => ({ path: key, before: from, after: to })),
  ];
}

interface Moved {
  readonly added?: readonly Entry[];
  readonly removed?: readonly Entry[];
  readonly changed?: readonly { readonly key: string; readonly from: string; readonly to: string }[];
}

interface Entry {
  readonly name?: string;
  readonly key?: string;
  readonly value?: string;
}

function moved(path: string, { added = [], removed = [] }: Moved = {}): readonly MemberChange[] {
  if (added.length === 0 && removed.length === 0) return [];
  return [{ path, before: removed.map(wordOf), after: added.map(wordOf) }];
}

function wordOf({ name, key = "", value = "" }: Entry): string {
  return name ?? (value === "" ? key : `${key}=${value}`);
}

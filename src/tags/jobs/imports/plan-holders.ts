/** Plans the changes of a file to workspaces and projects that the caller may write. */
import { RULED, refusedBy } from "../../rules/enforce.ts";
import type { AddedBinding } from "../../holders/bindings/keys.ts";
import { brokenRules } from "../warned.ts";
import type { Holder, HolderKind, LinkDiff } from "../../holders/holder.ts";
import { bound, hasMark, withoutMark } from "../../holders/links.ts";
import { planHeld, writeHeld, type Decide, type Holding } from "../../holders/plan.ts";
import { asTag, BINDING, NO_BINDING, TAG } from "../../pool/marks.ts";
import type { TagLink } from "../../pool/store.ts";
import { settleUses, UseCounts, type BulkTag } from "../../pool/uses.ts";
import { refusedOutcome, type ImportEntry, type ImportPlan, type Planning, type RecordOutcome } from "./plan.ts";
import type { StoredRecord } from "./store.ts";

/** Tags and keys that a file states of one holder. */
export interface StatedTags {
  tags: readonly string[];
  bindings: readonly AddedBinding[];
}

/** A holder with its record in the file. */
export interface Target<H extends Holder> {
  holder: H;
  stored: StoredRecord;
  stated: StatedTags;
}

/** Plan for holders, with the outcome of each of their records. */
export interface HolderPlan {
  outcomeOf(target: Target<Holder>): RecordOutcome;
  write: ImportPlan["write"];
}

/** Tags that the holder inherits, by its id: sets of the tags' ids. */
export type InheritedTags = ReadonlyMap<string, { has(tag: string): boolean }>;

/** @param targets each of another holder @param tags all that the records name, and in a replacing import all that are held */
export async function planTargets<H extends Holder>(
  { ctx, db, organization, mode }: Planning,
  kind: HolderKind<H>,
  targets: readonly Target<H>[],
  tags: ReadonlyMap<string, BulkTag>,
  inherited: InheritedTags,
): Promise<HolderPlan> {
  const now = new Date(ctx.now()).toISOString();
  const pool = [...tags.values()];
  const statedOf = new Map(targets.map(({ holder, stated }) => [holder.id, stated]));
  const holders = targets.map(({ holder }) => holder);
  const decideOne: Decide = (id, held) => {
    const stated = statedOf.get(id);
    return stated === undefined ? [] : decide(stated, tags, { held, inherited: inherited.get(id) }, mode, now);
  };
  const { changes, full, verdict } = await planHeld(db, kind, holders, pool, decideOne, {
    poolSize: organization.tagCount,
  });
  const ruled = refusedBy(verdict);
  const diffOf = new Map(changes.map(({ holder, diff }) => [holder.id, diff]));
  return {
    outcomeOf({ holder: { id }, stored, stated }) {
      if (full.has(id)) return refusedOutcome(stored, "full");
      if (ruled.has(id)) return refusedOutcome(stored, RULED);
      const entries = entriesOf(diffOf.get(id) ?? []);
      const said = stated.tags.length + stated.bindings.length;
      const unchanged = said - entries.filter(({ action }) => action !== "remove").length;
      return { stored, entries, unchanged, refused: undefined, warned: brokenRules(verdict, id) };
    },
    async write(author, tx, jobId) {
      const counts = new UseCounts();
      await writeHeld(author, tx, kind, changes, counts, jobId);
      settleUses(tx, organization.id, pool, counts, now);
    },
  };
}

/** Yields the wanted links of the holder: added ones first, in the order of the record. */
function* decide(
  stated: StatedTags,
  tags: ReadonlyMap<string, BulkTag>,
  { held, inherited }: { held: Holding; inherited: { has(tag: string): boolean } | undefined },
  mode: Planning["mode"],
  boundAt: string,
): Generator<readonly [BulkTag, TagLink]> {
  const replaces = mode === "replace";
  const after = new Map<string, TagLink>();
  for (const name of stated.tags) {
    const link = held.get(tags.get(name)?.id ?? "");
    after.set(name, link === undefined ? { marks: TAG, ...NO_BINDING } : { ...link, marks: asTag(link.marks) });
  }
  const flat = new Set(stated.tags);
  const keys = new Set(stated.bindings.map(({ key }) => key));
  for (const { key, value } of stated.bindings) {
    const id = tags.get(key)?.id ?? "";
    const before = after.get(key) ?? held.get(id);
    const isThere = (before !== undefined && hasMark(before, BINDING)) || inherited?.has(id) === true;
    // When the record replaces the stored state, a missing value means the empty value. Otherwise an own or inherited
    // value stays.
    if (value !== undefined || replaces || !isThere) after.set(key, bound(before, value ?? "", boundAt));
  }
  for (const tag of replaces ? tags.values() : []) {
    let link = after.get(tag.name) ?? held.get(tag.id);
    if (link === undefined) continue;
    if (!flat.has(tag.name)) link = withoutMark(link, TAG);
    if (!keys.has(tag.name)) link = withoutMark(link, BINDING);
    after.set(tag.name, link);
  }
  for (const [name, link] of after) {
    const tag = tags.get(name);
    if (tag !== undefined) yield [tag, link];
  }
}

function entriesOf(diff: readonly LinkDiff[]): ImportEntry[] {
  return diff.flatMap(({ name, before, after }) => [
    ...tagEntry(name, hasMark(before, TAG), hasMark(after, TAG)),
    ...valueEntry(name, valueOf(before), valueOf(after)),
  ]);
}

function valueOf(link: TagLink): string | undefined {
  return hasMark(link, BINDING) ? link.value : undefined;
}

function tagEntry(tag: string, before: boolean, after: boolean): ImportEntry[] {
  return before === after ? [] : [{ action: after ? "create" : "remove", tag }];
}

/** Returns the change of a key. Undefined stands for its absence. */
export function valueEntry(key: string, from: string | undefined, to: string | undefined): ImportEntry[] {
  if (from === to) return [];
  if (from === undefined) return [{ action: "create", key, ...(to !== undefined && { to }) }];
  return to === undefined ? [{ action: "remove", key, from }] : [{ action: "change", key, from, to }];
}

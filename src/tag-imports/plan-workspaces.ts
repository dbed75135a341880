/** Plans the changes of a file to workspaces. */
import { authorize } from "../acl/authorize.ts";
import { fold } from "../acl/rules/fold.ts";
import type { Reader } from "../storage/database.ts";
import { findProjectValues } from "../tag-bindings/bulk-store.ts";
import { refusedBy, RULED } from "../tag-policies/enforce.ts";
import { asTag, BINDING, NO_BINDING, TAG } from "../tags/marks.ts";
import type { TagLink } from "../tags/store.ts";
import { settleUses, UseCounts, type BulkTag } from "../tags/uses.ts";
import { bound, planWorkspaces, writeWorkspaces, type Holding, type WorkspaceChange } from "../workspace-tags/bulk.ts";
import { hasMark, withoutMark } from "../workspace-tags/links.ts";
import type { Carrier } from "../workspace-tags/records.ts";
import { brokenRules } from "../tag-jobs/warned.ts";
import {
  refusedOutcome,
  type ImportEntry,
  type RecordOutcome,
  type ImportPlan,
  type Planning,
  type StoredOf,
} from "./plan.ts";
import { findByKeys, listHeld } from "./plan-store.ts";
import { findNamedTags } from "./named-tags.ts";

type Stored = StoredOf<"workspace">;

/** @param records each of another workspace */
export async function planWorkspaceRecords(planning: Planning, records: readonly Stored[]): Promise<ImportPlan> {
  const { ctx, db, organization, mode } = planning;
  const found = await findByKeys(
    db,
    organization.id,
    records.map(({ record }) => fold(record.name)),
  );
  const may = (name: string, access: "read" | "write") =>
    authorize(ctx.actor, "workspace", `${organization.name}/${name}`, access);
  const targets = records.flatMap((stored) => {
    const workspace = found.get(fold(stored.record.name));
    return workspace === undefined || !may(workspace.name, "write") ? [] : [{ workspace, stored }];
  });
  const workspaces = targets.map(({ workspace }) => workspace);
  const held =
    mode === "replace"
      ? await listHeld(
          db,
          "workspaces",
          workspaces.map(({ id }) => id),
        )
      : [];
  const tags = await findNamedTags(
    db,
    organization.id,
    targets.flatMap(({ stored: { record } }) => [...record.tags, ...record.bindings.map(({ key }) => key)]),
    held,
  );
  const boundAt = new Date(ctx.now()).toISOString();
  const inherited = await findInherited(db, targets, tags);
  const recordOf = new Map(targets.map(({ workspace, stored }) => [workspace.id, stored.record]));
  const { changes, full, verdict } = await planWorkspaces(db, workspaces, [...tags.values()], (id, holding) =>
    decide(recordOf.get(id), tags, { held: holding, inherited: inherited.get(id) }, mode === "replace", boundAt),
  );
  const ruled = refusedBy(verdict);
  const changeOf = new Map(changes.map((change) => [change.workspace.id, change]));

  function outcomeOf(stored: Stored): RecordOutcome {
    const workspace = found.get(fold(stored.record.name));
    // A workspace that the caller may not read is reported as missing.
    if (workspace === undefined || !may(workspace.name, "read")) return refusedOutcome(stored, "missing");
    if (!may(workspace.name, "write")) return refusedOutcome(stored, "not-allowed");
    if (full.has(workspace.id)) return refusedOutcome(stored, "full");
    if (ruled.has(workspace.id)) return refusedOutcome(stored, RULED);
    const entries = entriesOf(changeOf.get(workspace.id));
    const said = stored.record.tags.length + stored.record.bindings.length;
    const unchanged = said - entries.filter(({ action }) => action !== "remove").length;
    return { stored, entries, unchanged, refused: undefined, warned: brokenRules(verdict, workspace.id) };
  }

  return {
    outcomes: records.map(outcomeOf),
    async write(author, tx, jobId) {
      const counts = new UseCounts();
      await writeWorkspaces(author, tx, changes, counts, jobId);
      settleUses(tx, organization.id, [...tags.values()], counts, boundAt);
    },
  };
}

/** The values that workspaces inherit whose records name keys without values, by the tag's id. */
async function findInherited(
  db: Reader,
  targets: readonly { workspace: Carrier; stored: Stored }[],
  tags: ReadonlyMap<string, BulkTag>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const asking = targets.filter(({ stored }) => stored.record.bindings.some(({ value }) => value === undefined));
  if (asking.length === 0) return new Map();
  const keys = asking.flatMap(({ stored }) => stored.record.bindings.map(({ key }) => tags.get(key)?.id ?? ""));
  const projects = asking.map(({ workspace }) => workspace.projectId);
  const values = await findProjectValues(db, [...new Set(keys)], [...new Set(projects)]);
  return new Map(asking.map(({ workspace }) => [workspace.id, values.get(workspace.projectId) ?? new Map()]));
}

/** Yields the wanted links of the workspace: added ones first, in the order of the record. */
function* decide(
  record: Stored["record"] | undefined,
  tags: ReadonlyMap<string, BulkTag>,
  { held, inherited }: { held: Holding; inherited: ReadonlyMap<string, string> | undefined },
  replaces: boolean,
  boundAt: string,
): Generator<readonly [BulkTag, TagLink]> {
  if (record === undefined) return;
  const after = new Map<string, TagLink>();
  for (const name of record.tags) {
    const link = held.get(tags.get(name)?.id ?? "");
    after.set(name, link === undefined ? { marks: TAG, ...NO_BINDING } : { ...link, marks: asTag(link.marks) });
  }
  const flat = new Set(record.tags);
  const keys = new Set(record.bindings.map(({ key }) => key));
  for (const { key, value } of record.bindings) {
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

function entriesOf(change: WorkspaceChange | undefined): ImportEntry[] {
  return (change?.diff ?? []).flatMap(({ name, before, after }) => [
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

/** Objects that were deleted after a backup was taken and give nobody a right: deleted again by a restore, or named. */
import { AUDITED, CHANGE_ACTIONS, type ChangeAction } from "../tags/changes/record.ts";
import { counterName, endedCounter } from "../storage/writes/counters.ts";
import type { Loading } from "../storage/operator/loading.ts";
import { prove } from "../storage/proofs/proofs.ts";
import { columnsOf, type Tables } from "../storage/tables/tables.ts";

/** By the kind that audit records say: where such objects lie, by which column they are found, and which one names them. */
const KINDS = {
  partition: { table: "partitions", key: "name", name: "name", again: markPartition, decides: true },
  namespace: { table: "namespaces", key: "id", name: "id", again: markNamespace, decides: true },
  organization: { table: "organizations", key: "id", name: "name", again: deleteOrganization },
  tag: { table: "tags", key: "id", name: "name", again: deleteTag, isOwned: true },
  declaration: { table: "declarations", key: "id", name: "name", again: undefined },
  "decision-mapping": { table: "decision_mappings", key: "id", name: "name", again: undefined, decides: true },
  webhook: { table: "tag_webhooks", key: "id", name: "name", again: undefined, isOwned: true },
  "reserved-tag-key": {
    table: "reserved_tag_keys",
    key: "id",
    name: "key",
    again: undefined,
    isOwned: true,
    decides: true,
  },
  "tag-policy": {
    table: "tag_policies",
    key: "id",
    name: "organization_id",
    again: undefined,
    isOwned: true,
    decides: true,
  },
  // Dependants of these objects are counted elsewhere. The operator deletes them after the restore, with the restored
  // server.
  workspace: { table: "workspaces", key: "id", name: "name", again: "named", isOwned: true },
  project: { table: "projects", key: "id", name: "name", again: "named", isOwned: true },
} as const satisfies Record<string, Kind>;

interface Kind {
  table: keyof Tables;
  /** Whether the object belongs to an organization: a new deletion of the organization deletes it too. */
  isOwned?: true;
  /** Whether it decides permissions of others: changed objects are reported too. */
  decides?: true;
  key: string;
  name: string;
  /**
   * Deletes the objects of a list again. Without it only their rows are deleted; `named` ones stay, and are reported.
   */
  again: ((loading: Loading, ids: readonly string[], now: string) => Promise<void>) | "named" | undefined;
}

export type DeletedKind = keyof typeof KINDS;

export const DELETED_KINDS = Object.keys(KINDS) as DeletedKind[];

/** Whether one that was changed after the backup is told. */
export function isDeciding(kind: DeletedKind): boolean {
  const { decides }: Kind = KINDS[kind];
  return decides === true;
}

/** The fate of an object: `merged` is gone, and something else has its place. */
export type Fate = "deleted" | "merged" | "changed";

/** A new action has to say what it means for an object that a restore brings back. */
const FATES: Readonly<Record<ChangeAction, Fate>> = {
  "tags-changed": "changed",
  created: "changed",
  updated: "changed",
  renamed: "changed",
  merged: "merged",
  deleted: "deleted",
};
const FATE_OF = new Map<unknown, Fate>(CHANGE_ACTIONS.map((action) => [AUDITED[action], FATES[action]]));

/** @param action as audit records call it */
export function fateOf(action: unknown): Fate {
  return FATE_OF.get(action) ?? "changed";
}

/** IDs of what was deleted, by its kind; of a namespace `partition/name`. */
export type DeletedObjects = Record<DeletedKind, Set<string>>;

export function noDeletedObjects(): DeletedObjects {
  return Object.fromEntries(DELETED_KINDS.map((kind) => [kind, new Set<string>()])) as DeletedObjects;
}

export interface DeletedAgain {
  /** Number of objects of each kind that were deleted again. */
  counts: Partial<Record<DeletedKind, number>>;
  /** Objects that the restore has brought back, each as its kind, ID and name. */
  back: string[];
  /** Objects that are back and were merged into others. Only another merge moves their uses to those objects again. */
  merged: string[];
}

/** Deletes again the objects that can be deleted. @param now time of the deletion, as ISO 8601 in UTC */
export async function deleteAgain(
  loading: Loading,
  { deleted, merged }: { deleted: DeletedObjects; merged: DeletedObjects },
  now: string,
): Promise<DeletedAgain> {
  const counts: DeletedAgain["counts"] = {};
  const back: string[] = [];
  for (const kind of DELETED_KINDS) {
    const { again }: Kind = KINDS[kind];
    for (const ids of slices([...deleted[kind]])) {
      const found = await find(loading, kind, ids);
      const there = found.map(({ id }) => id);
      if (there.length === 0) continue;
      if (again === "named") {
        back.push(...inWords(kind, found));
        continue;
      }
      counts[kind] = (counts[kind] ?? 0) + there.length;
      const { table, key } = KINDS[kind];
      if (again === undefined) await loading.run(`delete from ${table} where ${key} in {list}`, there);
      else await again(loading, there, now);
    }
  }
  return { counts, back, merged: await findBack(loading, merged) };
}

/** Lists in words what is there; what is owned only where its owner is. */
async function findBack(loading: Loading, objects: DeletedObjects): Promise<string[]> {
  const back: string[] = [];
  for (const kind of DELETED_KINDS) {
    for (const ids of slices([...objects[kind]])) back.push(...inWords(kind, await find(loading, kind, ids)));
  }
  return back;
}

interface Found {
  id: string;
  name: string;
}

async function find(loading: Loading, kind: DeletedKind, ids: readonly string[]): Promise<Found[]> {
  const { table, key, name, isOwned }: Kind = KINDS[kind];
  const owned = isOwned === true ? "and organization_id in (select id from organizations)" : "";
  const rows = await loading.run(
    `select ${key} as id, ${name} as name from ${table} where ${key} in {list} ${owned}`,
    ids,
  );
  return rows as Found[];
}

function inWords(kind: DeletedKind, found: readonly Found[]): string[] {
  return found.map(({ id, name }) => `${kind} ${id} ${JSON.stringify(name)}`);
}

function markPartition(loading: Loading, names: readonly string[], now: string): Promise<void> {
  return mark(loading, "partitions", "name", names, now);
}

function markNamespace(loading: Loading, ids: readonly string[], now: string): Promise<void> {
  return mark(loading, "namespaces", "id", ids, now);
}

/** The server that starts then removes what is left of them, and with that their names. Rows that decide about rights carry a proof. */
async function mark(
  loading: Loading,
  table: "partitions" | "namespaces",
  key: string,
  ids: readonly string[],
  now: string,
): Promise<void> {
  const columns = columnsOf(table) ?? [];
  const rows = (await loading.run(`select * from ${table} where ${key} in {list}`, ids)) as Record<string, unknown>[];
  await loading.run(`delete from ${table} where ${key} in {list}`, ids);
  const marked = rows.map((row) => prove(table, { ...row, deleted_at: now } as never) as Record<string, unknown>);
  const lines = marked.map((row) => `${JSON.stringify(columns.map((column) => row[column]))}\n`);
  await loading.load(table, columns, lines.join(""));
}

async function deleteOrganization(loading: Loading, ids: readonly string[], now: string): Promise<void> {
  const counters = ids.map((id) => counterName({ kind: "organization", id }));
  await loading.run(`update counters set name = '${endedCounter("")}' || name where name in {list}`, counters);
  await purge(loading, "organization", ids, now);
}

async function deleteTag(loading: Loading, ids: readonly string[], now: string): Promise<void> {
  const owners = (await loading.run("select distinct organization_id as id from tags where id in {list}", ids)) as {
    id: string;
  }[];
  await purge(loading, "tag", ids, now);
  await loading.run(
    "update organizations set tag_count = (select count(*) from tags where organization_id = organizations.id) where id in {list}",
    owners.map(({ id }) => id),
  );
}

/** The row goes at once, and what hangs on it in the background, as when somebody deletes it. */
async function purge(
  loading: Loading,
  kind: "organization" | "tag",
  ids: readonly string[],
  now: string,
): Promise<void> {
  await loading.run(
    `insert into purges (id, kind, target, created_at) select 'del-' || id, '${kind}', id, '${now}' from ${kind}s where id in {list}`,
    ids,
  );
  await loading.run(`delete from ${kind}s where id in {list}`, ids);
}

const SLICE = 1000;

/** @returns the IDs, no more together than a statement takes */
export function slices(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / SLICE) }, (_, index) =>
    ids.slice(index * SLICE, (index + 1) * SLICE),
  );
}

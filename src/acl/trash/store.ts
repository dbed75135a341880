import { sql } from "kysely";
import type { Reader } from "../../storage/database.ts";
import { compared, definePoint, defineQuery, oneOf } from "../../storage/reads/query.ts";
import { columnsOf, type Tables } from "../../storage/tables/tables.ts";
import { recordsOf, type RecordOf } from "../kit/records.ts";
import { MOST_KEPT } from "../kit/trash.ts";
import { isIn, type Scope } from "../../rights/scope.ts";

/** An object in the trash. */
export type TrashEntry = RecordOf<"trash">;

/** An object in the trash as lists read it: its content may be long. */
export type ListedEntry = Omit<TrashEntry, "content" | "configSealed">;

const records = recordsOf<"trash", TrashEntry>("trash");

type Column = keyof Tables["trash"];
const LISTED = (columnsOf("trash") ?? []).filter(
  (column) => !["content", "config_sealed", "proof"].includes(column),
) as Column[];

const byId = definePoint("trash.id", (db) => db.selectFrom("trash").selectAll());

/** Finds an entry; one of another scope is not found. @throws StorageDamaged */
export async function findEntry(db: Reader, scope: Scope, id: string): Promise<TrashEntry | undefined> {
  const row = await db.point(byId, id);
  const entry = row && records.of(row);
  return entry !== undefined && isIn(entry.scope, scope) ? entry : undefined;
}

const inScope = defineQuery((db, p: Scope & { now: number; limit: number }) =>
  db
    .selectFrom("trash")
    .select(LISTED)
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .where("ends_at", ">", p.now)
    .orderBy("create_index", "desc")
    .orderBy("id")
    .limit(p.limit),
);

/** Entries of a scope whose time is not over, the latest deletion first. They are not proven: for what is shown. */
export async function listEntries(db: Reader, { partition, namespace }: Scope, now: number): Promise<ListedEntry[]> {
  const rows = await db.run(inScope, { partition, namespace, now, limit: MOST_KEPT });
  return rows.map((row) => records.part(row) as ListedEntry);
}

const named = defineQuery((db, p: Scope & { ids: readonly string[] }, engine) =>
  db
    .selectFrom("trash")
    .select(["object_id", "name"])
    .where(compared(engine, "partition"), "=", p.partition)
    .where(compared(engine, "namespace"), "=", p.namespace)
    .where(oneOf(engine, sql.ref("object_id"), p.ids)),
);

/** Names that deleted objects of a scope had, by their IDs, as far as the trash keeps them. */
export async function findTrashedNames(
  db: Reader,
  { partition, namespace }: Scope,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.run(named, { partition, namespace, ids });
  return new Map(rows.map(({ object_id: id, name }) => [id, name]));
}

const ended = defineQuery((db, p: { now: number; limit: number }) =>
  db
    .selectFrom("trash")
    .select(["id", "partition", "namespace"])
    .where("ends_at", "<=", p.now)
    .orderBy("ends_at")
    .limit(p.limit),
);

/** Entries whose time is over, the earliest first. */
export function listEnded(db: Reader, now: number, limit: number): Promise<(Scope & { id: string })[]> {
  return db.run(ended, { now, limit });
}

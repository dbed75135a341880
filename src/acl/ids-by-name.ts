/** Names and IDs of what is linked to, of each other. */
import { sql } from "kysely";
import type { Reader } from "../storage/database.ts";
import { definePoint, defineQuery, oneOf } from "../storage/query.ts";
import { checkProof, shortColumns } from "../storage/proofs.ts";
import { runInSlices } from "../storage/slices.ts";
import { linkedRows, type LinkedTable } from "./deleted-links.ts";
import { NO_NAMES, type NamesById } from "./names.ts";
import type { Scope } from "./scope.ts";

/** Objects of a scope by their names in lower case, with their IDs; those that there are not are left out. */
export type FindIds = (
  db: Reader,
  scope: Scope,
  nameKeys: readonly string[],
) => Promise<Map<string, { id: string; name: string }>>;

/** Makes the look-up of a table whose objects are linked to. */
export function idsByName(table: LinkedTable): FindIds {
  const query = defineQuery((db, p: Scope & { nameKeys: readonly string[] }, engine) =>
    db
      .selectFrom(table)
      .select(shortColumns(table))
      .where("partition", "=", p.partition)
      .where("namespace", "=", p.namespace)
      .where(oneOf(engine, sql.ref("name_key"), p.nameKeys)),
  );
  return async (db, scope, nameKeys) => {
    const rows = await runInSlices(db, query, nameKeys, (slice) => ({ ...scope, nameKeys: slice }));
    for (const row of rows) checkProof(table, row);
    return new Map(rows.map(({ name_key: nameKey, id, name }) => [nameKey, { id, name }]));
  };
}

/** So few are read by their keys, which is faster than a list of them. */
const FEW = 4;

/** Makes the look-up of names by IDs, wherever the objects lie; those that are gone have none. */
export function namesById(table: LinkedTable): (db: Reader, ids: readonly string[]) => Promise<NamesById> {
  const one = definePoint(`${table}.id`, (db) => db.selectFrom(table).select(shortColumns(table)));
  return async (db, ids) => {
    if (ids.length === 0) return NO_NAMES;
    const few = ids.length <= FEW ? await Promise.all(ids.map((id) => db.point(one, id))) : undefined;
    const rows = few?.filter((row) => row !== undefined) ?? (await db.run(linkedRows[table], { ids }));
    for (const row of rows) checkProof(table, row);
    return new Map(rows.map(({ id, name, partition, namespace }) => [id, { partition, namespace, name }]));
  };
}

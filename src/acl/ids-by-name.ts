import { sql } from "kysely";
import type { Reader } from "../storage/database.ts";
import { defineQuery, oneOf } from "../storage/query.ts";
import { checkProof, shortColumns } from "../storage/proofs.ts";
import { runInSlices } from "../storage/slices.ts";
import type { Scope } from "./scope.ts";

/** Objects of a scope by their names in lower case, with their IDs; those that there are not are left out. */
export type FindIds = (
  db: Reader,
  scope: Scope,
  nameKeys: readonly string[],
) => Promise<Map<string, { id: string; name: string }>>;

/** Makes the look-up of a table whose objects are linked to. */
export function idsByName(table: "policies" | "roles"): FindIds {
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

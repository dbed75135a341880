/** Statement that adds to rows that this server has written today; see `known.ts`. */
import { sql } from "kysely";
import { defineQuery } from "../storage/reads/query.ts";

interface AddedPair {
  id: string;
  count: number;
}

/**
 * Adds to the totals of rows that hold this day already. Rows that are gone meanwhile went with their subject. PostgreSQL locks
 * the rows in the order in which `addUse` does: two servers that write the same ones wait for each other, and neither fails.
 *
 * @param p.added JSON: pairs of ID and number, each ID once
 */
export const addToKnown = defineQuery((db, p: { added: string }, engine) => {
  const pairs =
    engine === "postgres"
      ? sql<AddedPair>`(select use_rows.id, (pair.value ->> 1)::bigint as count
          from json_array_elements(cast(${p.added} as json)) as pair (value)
          join use_rows on use_rows.id = pair.value ->> 0
          order by use_rows.id collate "C" for update of use_rows)`
      : sql<AddedPair>`(select value ->> 0 as id, value ->> 1 as count from json_each(${p.added}))`;
  return db
    .updateTable("use_rows")
    .from(pairs.as("added"))
    .set({ total: sql`use_rows.total + added.count` })
    .whereRef("use_rows.id", "=", "added.id");
});

/**
 * Every column whose text a data key seals. A test finds one that is missing: what is sealed in it would not be verified,
 * and its key would be taken away.
 */
import type { Counter } from "../writes/counters.ts";
import { defineQuery, oneOf, type PreparedQuery } from "../reads/query.ts";
import { sql } from "kysely";

/** A sealed value of a row. */
export interface SealedValue {
  key: string;
  sealed: string;
  /** Owner of the row: a partition, or the ID of an organization. */
  owner: string;
}

/** A row of any of the tables, by the names of its columns. */
export type SealedRow = Readonly<Record<string, string | number | null>>;

export interface SealedColumn {
  table: "tokens" | "auth_methods" | "trash" | "tag_webhooks";
  column: string;
  /** Column that the rows are found by. */
  key: string;
  /** Whether the rows have proofs, which cover this column too. */
  isProven: boolean;
  /** Number of values that are read at a time, chosen by their maximum length. */
  atATime: number;
  /** Returns the context that the value of a row is bound to. */
  place(key: string): string;
  /** Returns the counter that the writers of these rows raise. */
  counter(owner: string): Counter;
  /** Reads values in the order of their keys. */
  scan: PreparedQuery<{ after: string; limit: number }, SealedValue>;
  /** Reads whole rows. */
  rows: PreparedQuery<{ keys: readonly string[] }, SealedRow>;
  /** Replaces one value by another, only where the first is still stored. */
  replace: PreparedQuery<{ key: string; before: string; after: string; proof: string }, unknown>;
}

type Declared = Omit<SealedColumn, "scan" | "rows" | "replace"> & { owner: string };

const partition = (name: string): Counter => ({ kind: "partition", name });

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  declare({
    table: "tokens",
    column: "secret_sealed",
    key: "accessor_id",
    owner: "partition",
    isProven: true,
    atATime: 500,
    place: (accessorId) => `tokens/secret/${accessorId}`,
    counter: partition,
  }),
  declare({
    table: "auth_methods",
    column: "config_sealed",
    key: "id",
    owner: "partition",
    isProven: true,
    atATime: 5,
    place: (id) => `auth_methods/config/${id}`,
    counter: partition,
  }),
  declare({
    table: "trash",
    column: "config_sealed",
    key: "id",
    owner: "partition",
    isProven: true,
    atATime: 5,
    place: (id) => `trash/config_sealed/${id}`,
    counter: partition,
  }),
  declare({
    table: "tag_webhooks",
    column: "token_sealed",
    key: "id",
    owner: "organization_id",
    isProven: false,
    atATime: 100,
    place: (id) => `tag_webhooks/token_sealed/${id}`,
    counter: (id) => ({ kind: "organization", id }),
  }),
];

/** Name of a column, such as `tokens.secret_sealed`. */
export function nameOf({ table, column }: Pick<SealedColumn, "table" | "column">): string {
  return `${table}.${column}`;
}

/**
 * Returns the context that the sealed value of a row is bound to.
 *
 * @throws Error for a table that contains no sealed values
 */
export function placeIn(table: SealedColumn["table"], key: string): string {
  const found = SEALED_COLUMNS.find((column) => column.table === table);
  if (found === undefined) throw new Error(`${table} holds nothing sealed`);
  return found.place(key);
}

function declare({ owner, ...declared }: Declared): SealedColumn {
  const { table, column, key, isProven } = declared;
  const [keyOf, sealed] = [sql.ref<string>(key), sql.ref<string>(column)];
  // All are written as one of them is: what is asked of a table follows from what is declared above.
  const like = table as "tokens";
  return {
    ...declared,
    scan: defineQuery((db, p: { after: string; limit: number }) =>
      db
        .selectFrom(like)
        .select([keyOf.as("key"), sealed.as("sealed"), sql.ref<string>(owner).as("owner")])
        .where(sql<boolean>`${keyOf} > ${p.after}`)
        .orderBy(keyOf)
        .limit(p.limit),
    ),
    rows: defineQuery((db, p: { keys: readonly string[] }, engine) =>
      db
        .selectFrom(like)
        .selectAll()
        .where(oneOf(engine, keyOf, p.keys))
        .$castTo<SealedRow>(),
    ),
    replace: defineQuery((db, p: { key: string; before: string; after: string; proof: string }) =>
      db
        .updateTable(like)
        .set({ [column]: p.after, ...(isProven && { proof: p.proof }) } as { proof: string })
        .where(sql<boolean>`${keyOf} = ${p.key} and ${sealed} = ${p.before}`),
    ),
  };
}

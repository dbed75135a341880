/**
 * Proofs of rows that decide about rights: a digest of the whole row, which is made where it is written and compared
 * where it is read, so that a row that is not what was written is an error and never another right. Proofs find
 * damage. They hold no key, so they do not keep out somebody who writes to the database; see decision 20.
 */
import { hash } from "node:crypto";
import { generateFunction } from "../../generated-function.ts";
import { damaged } from "./damaged-rows.ts";
import type { EngineTransaction } from "../database.ts";
import type { Engine } from "../engine.ts";
import { defineQuery, type PreparedQuery } from "../reads/query.ts";
import { columnsOf, keyOf, TABLES, type Tables } from "../tables/tables.ts";

/** The tables that decide about rights. */
export type ProvenTable = { [T in keyof Tables]: Tables[T] extends { proof: string } ? T : never }[keyof Tables];

export const PROVEN_TABLES = Object.entries(TABLES)
  .filter(([, columns]) => "proof" in columns)
  .map(([table]) => table as ProvenTable);

const KEYS = Object.fromEntries(PROVEN_TABLES.map((table) => [table, keyOf(table)])) as Record<ProvenTable, string>;

/** Long texts, which many reads leave out: the proof is made over a digest of them that lies in a column of its own. */
const DIGESTED = { policies: { text: "rules", digest: "rules_digest" } } as const;

/**
 * Columns of a later version. Servers of the version before write the row and its proof without them, so each has a proof of
 * its own, over it and the key. That one is empty for as long as the column is.
 */
const LATER = { tokens: { column: "disabled_at", proof: "disabled_proof" } } as const;

/** Columns that are made from the others. */
type Made = "proof" | "rules_digest" | "disabled_proof";

/** A row without its proof. */
export type RowContent<T extends ProvenTable> = Omit<Tables[T], Made>;

/** Any row, by the names of its columns. */
type Row = Readonly<Record<string, unknown>>;

/** The columns that a proof is made over, in that order. */
export function provenColumns(table: ProvenTable): readonly string[] {
  const text = digestOf(table)?.text;
  const later = laterOf(table);
  const declared: Readonly<Record<string, { readonly unproven?: true }>> = TABLES[table];
  return allColumns(table).filter(
    (column) =>
      column !== "proof" &&
      column !== text &&
      column !== later?.column &&
      column !== later?.proof &&
      declared[column]?.unproven !== true,
  );
}

function allColumns(table: ProvenTable): readonly string[] {
  return columnsOf(table) ?? [];
}

/** The column that is proven by a digest of its own, and that one. */
export function digestOf(table: ProvenTable): { text: string; digest: string } | undefined {
  return table === "policies" ? DIGESTED.policies : undefined;
}

/** The column of a later version, and the one that proves it. */
export function laterOf(table: ProvenTable): { column: string; proof: string } | undefined {
  return table === "tokens" ? LATER.tokens : undefined;
}

type TextOf = (row: Row, plainly: typeof plain) => string;

/** Makes the function that gives what a digest is made of. It is generated, since it runs for each row that is read. */
function textMaker(table: ProvenTable): TextOf {
  const values = provenColumns(table).map((column) => {
    const value = `row[${JSON.stringify(column)}]`;
    return ` + "\\0" + (typeof ${value} === "string" ? ${value} : plain(${value}))`;
  });
  return generateFunction(["row", "plain"], `return ${JSON.stringify(table)}${values.join("")};`);
}

const TEXTS = Object.fromEntries(PROVEN_TABLES.map((table) => [table, textMaker(table)])) as Record<
  ProvenTable,
  TextOf
>;

function proofOf(table: ProvenTable, row: Row): string {
  // No text that is stored holds a NUL, so no two rows are the same here.
  return hash("sha256", TEXTS[table](row, plain), "base64");
}

function plain(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  // Other values were never written: text that turned into bytes must not look like the text.
  return value === null ? "\u0001" : "\u0002";
}

function digest(text: unknown): string {
  return hash("sha256", plain(text), "base64");
}

/** Whether a row is what was written; its long text aside, when it was not read. Notes one that is not. */
export function isIntact(table: ProvenTable, row: Row): boolean {
  if (matches(table, row)) return true;
  damaged({ table, key: keyIn(table, row) });
  return false;
}

function matches(table: ProvenTable, row: Row): boolean {
  const long = digestOf(table);
  const isRead = long !== undefined && long.text in row;
  return (
    proofOf(table, row) === row["proof"] &&
    (!isRead || digest(row[long.text]) === row[long.digest]) &&
    laterMatches(table, row)
  );
}

function laterMatches(table: ProvenTable, row: Row): boolean {
  const later = laterOf(table);
  return later === undefined || laterProof(table, row, later.column) === row[later.proof];
}

/** Returns the proof of a column of a later version. @param row with the key and that column */
export function laterProof(table: ProvenTable, row: Row, column: string): string {
  const value = row[column];
  // Hot path: nearly all rows have the default.
  return value === "" ? "" : digest([table, column, keyIn(table, row), plain(value)].join("\0"));
}

function keyIn(table: ProvenTable, row: Row): string {
  return String(row[KEYS[table]]);
}

/**
 * Compares a row that was read with its proof. Nothing of the row may be used before.
 *
 * @param row with all columns of its table, but for the long text
 * @throws StorageDamaged when it is not what was written
 */
export function checkProof(table: ProvenTable, row: object): void {
  if (!matches(table, row as Row)) throw damaged({ table, key: keyIn(table, row as Row) });
}

/** Returns the columns of a table that are read without its long text. */
export function shortColumns<T extends ProvenTable>(table: T): readonly (string & keyof Tables[T])[] {
  const long = digestOf(table)?.text;
  return allColumns(table).filter((column) => column !== long) as (string & keyof Tables[T])[];
}

/** Writes of the rows of a table, each with its proof: there is no other way to write them. */
export interface ProvenRows<T extends ProvenTable> {
  insert(tx: EngineTransaction, row: RowContent<T>): void;
  /** Writes the columns that may change. The others must equal the stored ones: the proof covers the whole row. */
  update(tx: EngineTransaction, row: RowContent<T>): void;
  /** Writes only the given columns, which are internal and in no record. The others must equal the stored ones. */
  note(tx: EngineTransaction, row: RowContent<T>): void;
  /** Inserts the row, or updates an existing one. */
  put(tx: EngineTransaction, row: RowContent<T>): void;
}

/**
 * Columns that never change are left out of updates, so that their indexes are not touched.
 *
 * @param noted the columns that `note` writes
 */
export function provenRows<T extends ProvenTable>(
  table: T,
  noted: readonly (string & keyof Tables[T])[] = [],
): ProvenRows<T> {
  const all = allColumns(table);
  const key = KEYS[table];
  const declared: Readonly<Record<string, { fixed: boolean }>> = TABLES[table];
  const changing = all.filter((column) => column !== key && declared[column]?.fixed !== true);
  const insert: PreparedQuery<Row, unknown> = defineQuery((db, p: Row) =>
    db.insertInto(table).values(pick(p, all) as never),
  );
  const update: PreparedQuery<Row, unknown> = defineQuery((db, p: Row) =>
    db
      .updateTable(table as "meta")
      .set(pick(p, changing))
      .where(key as "name", "=", p[key] as string),
  );
  const note: PreparedQuery<Row, unknown> = defineQuery((db, p: Row) =>
    db
      .updateTable(table as "meta")
      .set(pick(p, [...noted, "proof"]))
      .where(key as "name", "=", p[key] as string),
  );
  const put: PreparedQuery<Row, unknown> = defineQuery((db, p: Row) =>
    db
      .insertInto(table)
      .values(pick(p, all) as never)
      .onConflict((conflict) => conflict.column(key as never).doUpdateSet(pick(p, changing) as never)),
  );
  return {
    insert: (tx, row) => tx.write(insert, proven(table, row)),
    update: (tx, row) => tx.write(update, proven(table, row)),
    note: (tx, row) => tx.write(note, proven(table, row)),
    put: (tx, row) => tx.write(put, proven(table, row)),
  };
}

/** A row with what is made from it. */
export function prove<T extends ProvenTable>(table: T, content: RowContent<T>): Tables[T] {
  return proven(table, content) as unknown as Tables[T];
}

function proven(table: ProvenTable, content: object): Row {
  const row: Record<string, unknown> = { ...content };
  const long = digestOf(table);
  if (long !== undefined) row[long.digest] = digest(row[long.text]);
  row["proof"] = proofOf(table, row);
  const later = laterOf(table);
  if (later !== undefined) row[later.proof] = laterProof(table, row, later.column);
  return row;
}

/** Each column by name: a query's parameters are markers, which cannot be spread. */
function pick(row: Row, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(columns.map((column) => [column, row[column]]));
}

/** The name under which SQLite has `hash` while a schema is migrated. */
export const SQLITE_DIGEST = "tessera_digest";

/** The same digest in SQL, for rows that are there already. @param of what the columns' names begin with, such as `new.` */
export function proofSql(engine: Engine, table: ProvenTable, of = ""): { proof: string; digest: string | undefined } {
  const long = digestOf(table)?.text;
  const digested = long === undefined ? undefined : digestSql(engine, [`${of}${long}`]);
  const columns = provenColumns(table).map((column) =>
    column === digestOf(table)?.digest && digested !== undefined ? digested : `${of}${column}`,
  );
  return { proof: digestSql(engine, [`'${table}'`, ...columns]), digest: digested };
}

function digestSql(engine: Engine, values: readonly string[]): string {
  if (engine === "sqlite") return `${SQLITE_DIGEST}(${values.join(", ")})`;
  const bytes = values.map((value) => `convert_to(coalesce(${value}::text, chr(1)), 'UTF8')`);
  return `encode(sha256(${bytes.join(` || '\\x00'::bytea || `)}), 'base64')`;
}

/** Function that SQLite calls by that name. */
export function sqliteDigest(...values: readonly unknown[]): string {
  return hash("sha256", values.map(plain).join("\0"), "base64");
}

/** Tells what a database has, for code that writes another form once an upgrade is finished. */
import { defineQuery } from "../reads/query.ts";
import type { Reader } from "../database.ts";
import type { Migration } from "./migration.ts";

/** The list of what was applied to a database; no table of the program's own, since every program reads it before it knows the others. */
export type AppliedTable = Record<"schema_migrations", { name: string }>;

const applied = defineQuery((db, p: { name: string }) =>
  db.$extendTables<AppliedTable>().selectFrom("schema_migrations").select("name").where("name", "=", p.name),
);

/**
 * Makes what tells whether one database has a migration: from then on no program runs on it that does not know that one.
 * A yes is remembered, since a database that goes back to before a migration is a restored backup, which no server works on meanwhile.
 * A no is asked for again: the upgrade may be finished at any time.
 */
export function rememberMigrations(): (db: Reader, migration: Pick<Migration, "name">) => Promise<boolean> {
  const known = new Set<string>();
  return async (db, { name }) => {
    if (known.has(name)) return true;
    const isThere = (await db.run(applied, { name })).length > 0;
    if (isThere) known.add(name);
    return isThere;
  };
}

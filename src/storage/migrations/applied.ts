/** Tells what a database has, for code that writes another form once an upgrade is finished. */
import { defineQuery } from "../reads/query.ts";
import type { Reader } from "../database.ts";
import type { Migration } from "./migration.ts";

const applied = defineQuery((db, p: { name: string }) =>
  db
    .selectFrom("schema_migrations" as "meta")
    .select("name")
    .where("name", "=", p.name),
);

/** Whether the database has a migration: from then on no program runs on it that does not know that one. */
export async function hasMigration(db: Reader, { name }: Migration): Promise<boolean> {
  return (await db.run(applied, { name })).length > 0;
}

/** Files that are imported, as they are stored: checked, record by record, until the job that takes them over has ended. */
import { sql } from "kysely";
import type { Reader, Transaction } from "../../../storage/database.ts";
import { insertOf, selectionOf, type ObjectOf } from "../../../storage/writes/objects.ts";
import { defineQuery, valuesOf } from "../../../storage/reads/query.ts";
import { runInSlices } from "../../../storage/purge/slices.ts";
import type { FileRecord } from "../../files/records.ts";

/** A file. */
export type Import = ObjectOf<"tag_imports">;

/** Record of one object in a file. */
export interface StoredRecord {
  ordinal: number;
  /** Line in the file. */
  line: number;
  record: FileRecord;
}

const insert = insertOf("tag_imports");

export function insertImport(tx: Transaction, file: Import): void {
  tx.write(insert, file);
}

const byId = defineQuery((db, p: { id: string }) =>
  db.selectFrom("tag_imports").select(selectionOf("tag_imports")).where("id", "=", p.id),
);

export async function findImport(db: Reader, id: string): Promise<Import | undefined> {
  return (await db.run(byId, { id }))[0];
}

/** Its job has not ended, or it has none yet. */
const isWanted = sql<boolean>`(job_id = '' or exists (select 1 from tag_jobs where tag_jobs.id = job_id and finished_at = ''))`;

/** Owner of a file. */
export type ImportOwner = Pick<Import, "accessorId" | "scope" | "byWriter">;

const wanted = defineQuery((db, p: { organization: string }) =>
  db
    .selectFrom("tag_imports")
    .select(["tag_imports.accessor_id as accessorId", "scope", "tag_imports.by_writer as byWriter"])
    .where("organization_id", "=", p.organization)
    .where(isWanted),
);

/** Finds the owners of files of an organization that are received, shown or imported: one entry for each file. */
export function findOwners(db: Reader, organization: string): Promise<ImportOwner[]> {
  return db.run(wanted, { organization });
}

const update = defineQuery((db, p: Pick<Import, "id" | "jobId" | "records" | "updatedAt">) =>
  db
    .updateTable("tag_imports")
    .set({ job_id: p.jobId, records: p.records, updated_at: p.updatedAt })
    .where("id", "=", p.id),
);

/** Stores how much of a file is there, and who takes it over. */
export function updateImport(tx: Transaction, { id, jobId, records, updatedAt }: Import): void {
  tx.write(update, { id, jobId, records, updatedAt });
}

/**
 * The records of a file that have one of these names. From the names to the index of names: asked otherwise SQLite goes
 * through all that has been received, for each part of it again.
 */
export const byNames = defineQuery((db, p: { id: string; names: readonly string[] }, engine) =>
  db
    .selectFrom(valuesOf(engine, p.names))
    .crossJoin("tag_import_records as named")
    .select(["named.name", "named.line"])
    .where("named.import_id", "=", p.id)
    .whereRef("named.name", "=", "listed.value"),
);

/** In which lines a file names these already. */
export async function findNamed(db: Reader, id: string, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await runInSlices(db, byNames, names, (some) => ({ id, names: some }));
  return new Map(rows.map(({ name, line }) => [name, line]));
}

/** A record that is added. */
export interface NewRecord extends StoredRecord {
  name: string;
}

const RECORD_COLUMNS = ["import_id", "ordinal", "name", "line", "record"] as const;

// In one statement: one for each would take longer than a client may take to send them.
const insertMany = defineQuery((db, p: { id: string; rows: readonly string[] }, engine) => {
  const member = (at: number) =>
    engine === "postgres"
      ? sql<string>`(listed.value::json ->> ${sql.lit(at)})`
      : sql<string>`json_extract(listed.value, ${sql.lit(`$[${at}]`)})`;
  const number = (at: number) => sql<number>`cast(${member(at)} as bigint)`;
  return db
    .insertInto("tag_import_records")
    .columns(RECORD_COLUMNS)
    .expression((eb) =>
      eb
        .selectFrom(valuesOf(engine, p.rows))
        .select([
          sql<string>`cast(${p.id} as text)`.as("import_id"),
          number(0).as("ordinal"),
          member(1).as("name"),
          number(2).as("line"),
          member(3).as("record"),
        ]),
    );
});

export function insertRecords(tx: Transaction, id: string, records: readonly NewRecord[]): void {
  const rows = records.map(({ ordinal, name, line, record }) =>
    JSON.stringify([ordinal, name, line, JSON.stringify(record)]),
  );
  if (rows.length > 0) tx.write(insertMany, { id, rows });
}

const after = defineQuery((db, p: { id: string; after: number; limit: number }) =>
  db
    .selectFrom("tag_import_records")
    .select(["ordinal", "line", "record"])
    .where("import_id", "=", p.id)
    .where("ordinal", ">", p.after)
    .orderBy("ordinal")
    .limit(p.limit),
);

/** The records of a file behind one of them, in its order. */
export async function readRecords(db: Reader, id: string, from: number, limit: number): Promise<StoredRecord[]> {
  const rows = await db.run(after, { id, after: from, limit });
  return rows.map(({ ordinal, line, record }) => ({ ordinal, line, record: JSON.parse(record) as FileRecord }));
}

const superfluous = defineQuery((db, p: { before: string; limit: number }) =>
  db
    .selectFrom("tag_imports")
    .leftJoin("organizations", "organizations.id", "tag_imports.organization_id")
    .select(["tag_imports.id", "organization_id as organizationId"])
    .where((eb) =>
      eb.or([
        eb("organizations.id", "is", null),
        sql<boolean>`not ${isWanted}`,
        eb.and([eb("job_id", "=", ""), eb("updated_at", "<", p.before)]),
      ]),
    )
    .orderBy("tag_imports.id")
    .limit(p.limit),
);

/**
 * Files that nobody needs any more: their organization is gone, their job has ended, or the last of them came before a time
 * and nobody has taken them over.
 */
export function findSuperfluous(
  db: Reader,
  before: string,
  limit: number,
): Promise<Pick<Import, "id" | "organizationId">[]> {
  return db.run(superfluous, { before, limit });
}

const ordinals = defineQuery((db, p: { id: string; limit: number }) =>
  db.selectFrom("tag_import_records").select("ordinal").where("import_id", "=", p.id).orderBy("ordinal").limit(p.limit),
);
const removeRecords = defineQuery((db, p: { id: string; last: number }) =>
  db.deleteFrom("tag_import_records").where("import_id", "=", p.id).where("ordinal", "<=", p.last),
);
const remove = defineQuery((db, p: { id: string }) => db.deleteFrom("tag_imports").where("id", "=", p.id));

/** Removes some of a file's records, and the file with the last of them. @returns how many went; fewer than `limit` are the last */
export async function deleteSome(tx: Transaction, id: string, limit: number): Promise<number> {
  const found = await tx.run(ordinals, { id, limit });
  const last = found.at(-1)?.ordinal;
  if (last !== undefined) tx.write(removeRecords, { id, last });
  if (found.length < limit) tx.write(remove, { id });
  return found.length;
}

/** Reads the records of the changes of a job, to undo them. */
import type { Reader } from "../../storage/database.ts";
import { selectionOf } from "../../storage/writes/objects.ts";
import { defineQuery } from "../../storage/reads/query.ts";
import type { StoredChange } from "./store.ts";

const before = defineQuery((db, p: { job: string; before: number; limit: number }) =>
  db
    .selectFrom("changes")
    .select(selectionOf("changes"))
    .where("job_id", "=", p.job)
    // As in the condition of its index.
    .where("job_id", "<>", "")
    .where("position", "<", p.before)
    .orderBy("position", "desc")
    .limit(p.limit),
);

/** Lists the records of a job before a position, the newest first. */
export function listChangesOfJob(db: Reader, job: string, position: number, limit: number): Promise<StoredChange[]> {
  return db.run(before, { job, before: position, limit });
}

const count = defineQuery((db, p: { job: string }) =>
  db
    .selectFrom("changes")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("job_id", "=", p.job)
    .where("job_id", "<>", ""),
);

/** How many of its records are kept. */
export async function countChangesOfJob(db: Reader, job: string): Promise<number> {
  return (await db.run(count, { job }))[0]?.count ?? 0;
}

/** Queries on the coverage of required keys by day. Days are numbers since 1970-01-01. */
import type { Reader, Transaction } from "../../../storage/database.ts";
import { insertAllOf, selectionOf, type ObjectOf } from "../../../storage/writes/objects.ts";
import { defineQuery } from "../../../storage/reads/query.ts";

export type CoverageDay = ObjectOf<"tag_coverage_days">;

const page = defineQuery((db, p: { organization: string; limit: number; offset: number }) =>
  db
    .selectFrom("tag_coverage_days")
    .select(selectionOf("tag_coverage_days"))
    .where("organization_id", "=", p.organization)
    .orderBy("key")
    .orderBy("day")
    .limit(p.limit)
    .offset(p.offset),
);
const count = defineQuery((db, p: { organization: string }) =>
  db
    .selectFrom("tag_coverage_days")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", p.organization),
);
const pageOfKey = defineQuery((db, p: { organization: string; key: string; limit: number; offset: number }) =>
  db
    .selectFrom("tag_coverage_days")
    .select(selectionOf("tag_coverage_days"))
    .where("organization_id", "=", p.organization)
    .where("key", "=", p.key)
    .orderBy("day")
    .limit(p.limit)
    .offset(p.offset),
);
const countOfKey = defineQuery((db, p: { organization: string; key: string }) =>
  db
    .selectFrom("tag_coverage_days")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", p.organization)
    .where("key", "=", p.key),
);

/** A page of the days of an organization in order of keys and days, and their number. @param key undefined for all keys */
export async function listDays(
  db: Reader,
  organization: string,
  key: string | undefined,
  { size, offset }: { size: number; offset: number },
): Promise<{ days: CoverageDay[]; total: number }> {
  const some = { organization, limit: size, offset };
  const [days, counted] = await Promise.all(
    key === undefined
      ? [db.run(page, some), db.run(count, { organization })]
      : [db.run(pageOfKey, { ...some, key }), db.run(countOfKey, { organization, key })],
  );
  return { days, total: counted[0]?.count ?? 0 };
}

/** Organizations with a tag policy, and without a day of this number, in order of IDs. */
export const listUncounted = defineQuery((db, p: { day: number; after: string; limit: number }) =>
  db
    .selectFrom("tag_policies")
    .select("organization_id as organization")
    .where("organization_id", ">", p.after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("tag_coverage_days")
            .select("day")
            .whereRef("tag_coverage_days.organization_id", "=", "tag_policies.organization_id")
            .where("day", "=", p.day),
        ),
      ),
    )
    .orderBy("organization_id")
    .limit(p.limit),
);

const ofDay = defineQuery((db, p: { organization: string; day: number }) =>
  db
    .selectFrom("tag_coverage_days")
    .select("day")
    .where("organization_id", "=", p.organization)
    .where("day", "=", p.day)
    .limit(1),
);

/** Whether an organization has a day of this number. */
export async function hasDay(db: Reader, organization: string, day: number): Promise<boolean> {
  return (await db.run(ofDay, { organization, day })).length > 0;
}

/** Days of an organization from one of these numbers up to before the other, in order of days. There are 100 keys a day at most. */
export const listBetween = defineQuery((db, p: { organization: string; from: number; to: number }) =>
  db
    .selectFrom("tag_coverage_days")
    .select(selectionOf("tag_coverage_days"))
    .where("organization_id", "=", p.organization)
    .where("day", ">=", p.from)
    .where("day", "<", p.to)
    .orderBy("day"),
);

/** Inserts what was counted on a day. */
export const insertDays: (tx: Pick<Transaction, "engine" | "write">, days: readonly CoverageDay[]) => void =
  insertAllOf("tag_coverage_days");

/** Days before this one, the oldest first. */
export const oldestDays = defineQuery((db, p: { before: number; limit: number }) =>
  db
    .selectFrom("tag_coverage_days")
    .select(["organization_id as organization", "key", "day"])
    .where("day", "<", p.before)
    .orderBy("day")
    .limit(p.limit),
);
export const removeDay = defineQuery((db, p: { organization: string; key: string; day: number }) =>
  db
    .deleteFrom("tag_coverage_days")
    .where("organization_id", "=", p.organization)
    .where("key", "=", p.key)
    .where("day", "=", p.day),
);

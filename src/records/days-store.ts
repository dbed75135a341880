/** Counts audit records by day. */
import { sql } from "kysely";
import type { ListScope } from "../rights/permission.ts";
import { inListScope } from "../storage/reads/conditions.ts";
import type { Reader } from "../storage/database.ts";

/** Kinds of records that are counted apart. */
export type CountedAs = "writes" | "logins" | "refusals";

export interface DayCount {
  /** Day of UTC, such as `2026-11-24`. */
  day: string;
  countedAs: CountedAs;
  count: number;
}

/**
 * Counts the newest records of a scope by day, from a time on. Neither content nor hashes are read.
 *
 * @param most number of records that are looked at; where there are more, the earliest of these days is counted in part
 */
export async function countByDay(
  { engine, sql: db }: Reader,
  scope: ListScope,
  from: string,
  most: number,
): Promise<DayCount[]> {
  const newest = db
    .selectFrom("audit_records")
    .select([
      sql<string>`substr(at, 1, 10)`.as("day"),
      sql<CountedAs>`case when outcome = 'refused' then 'refusals' when action = 'login' then 'logins' else 'writes' end`.as(
        "counted_as",
      ),
    ])
    .where(inListScope(engine, scope))
    // As in the condition of its index.
    .where("partition", "<>", "")
    .where("at", ">=", from)
    .orderBy("at", "desc")
    .limit(most);
  const rows = await db
    .selectFrom(newest.as("newest"))
    .select(["day", "counted_as", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy(["day", "counted_as"])
    .execute();
  return rows.map(({ counted_as: countedAs, ...row }) => ({ ...row, countedAs }));
}

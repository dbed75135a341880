/** Counts audit records by day. */
import { type RawBuilder, sql } from "kysely";
import type { ListScope } from "../rights/permission.ts";
import { inListScope } from "../storage/reads/conditions.ts";
import type { Reader } from "../storage/database.ts";
import type { Engine } from "../storage/engine.ts";

/** Kinds of records that are counted apart. */
export type CountedAs = "writes" | "logins" | "refusals";

export interface DayCount {
  /** Day of UTC, such as `2026-11-24`. */
  day: string;
  countedAs: CountedAs;
  /** Number of records. */
  records: number;
  /** Number of changes, logins, or denied requests: a record of these gathers those of a minute. */
  count: number;
}

/**
 * Counts the newest records of a scope by day, from a time on. Of their content only the number of denied requests is read, and no
 * hash.
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
      requestsOf(engine).as("requests"),
    ])
    .where(inListScope(engine, scope))
    // As in the condition of its index.
    .where("partition", "<>", "")
    .where("at", ">=", from)
    .orderBy("at", "desc")
    .limit(most);
  const rows = await db
    .selectFrom(newest.as("newest"))
    .select(["day", "counted_as", ({ fn }) => fn.countAll<number>().as("records")])
    .select(sql<number>`cast(sum(requests) as bigint)`.as("count"))
    .groupBy(["day", "counted_as"])
    .execute();
  return rows.map(({ counted_as: countedAs, ...row }) => ({ ...row, countedAs }));
}

/**
 * Returns the number of requests that a record is about. A damaged record counts once. A text of a caller holds no `"count":`, since a
 * quote within a text has a backslash before it.
 */
function requestsOf(engine: Engine): RawBuilder<number> {
  const gathered =
    engine === "postgres"
      ? sql`cast((regexp_match(detail, '"count":([0-9]{1,9})[,}]'))[1] as bigint)`
      : sql`case when json_valid(detail) then detail ->> '$.count' end`;
  return sql<number>`case when outcome = 'refused' then coalesce(${gathered}, 1) else 1 end`;
}

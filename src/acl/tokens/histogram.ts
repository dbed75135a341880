/** Counts the tokens that the caller may read by the time until they expire, and by the time since their last use. */
import { sql, type RawBuilder } from "kysely";
import type { Context } from "../../context.ts";
import { checkListScope, type ListScope } from "../../rights/permission.ts";
import type { Scope } from "../../rights/scope.ts";
import type { Reader } from "../../storage/database.ts";
import { inListScope } from "../../storage/reads/conditions.ts";
import { isLiving, methodLives } from "./store.ts";

const DAY = 86_400_000;
/** Ends of the buckets, in days. The last two are beyond them, and never. */
const ENDS = [1, 7, 30, 90, 365] as const;
const BEYOND = ENDS.length;
const NEVER = BEYOND + 1;
const MOST_TOKENS = 100_000;

/** Number of tokens of a bucket, such as `7d` for those between the end of the bucket before and seven days. */
export interface TokenBucket {
  within: string;
  count: number;
}

export interface TokenHistogram {
  expiration: TokenBucket[];
  lastUse: TokenBucket[];
  /** Whether there are more tokens than are counted. */
  hasMore: boolean;
}

/** @throws AppError `forbidden` */
export async function tokenHistogram(ctx: Context, asked: Scope, most = MOST_TOKENS): Promise<TokenHistogram> {
  const rows = await countBuckets(ctx.db.long, checkListScope(ctx, asked), ctx.now(), most);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const buckets = (member: "expires" | "used", beyond: string) =>
    [...ENDS.map((days) => `${days}d`), beyond, "never"].map((within, index) => ({
      within,
      count: rows.reduce((sum, row) => (row[member] === index ? sum + row.count : sum), 0),
    }));
  return { expiration: buckets("expires", "later"), lastUse: buckets("used", "earlier"), hasMore: total > most };
}

/** Counts by both buckets in one walk over the tokens of the scope. */
function countBuckets(
  { engine, sql: db }: Reader,
  scope: ListScope,
  now: number,
  most: number,
): Promise<{ expires: number; used: number; count: number }[]> {
  const expires = cases(
    ENDS.map((days) => sql`expires_at < ${now + days * DAY}`),
    sql`expires_at is null`,
  );
  // Uses are noted by day, as filters compare them.
  const dayBefore = (days: number) => new Date(now - days * DAY).toISOString().slice(0, 10);
  const used = cases(
    ENDS.map((days) => sql`last_used >= ${dayBefore(days)}`),
    sql`last_used is null`,
  );
  const tokens = db
    .selectFrom("tokens")
    .leftJoin("token_uses", "token_uses.accessor_id", "tokens.accessor_id")
    .select([expires.as("expires"), used.as("used")])
    .where(inListScope(engine, scope))
    .where(methodLives)
    .where((eb) => eb.and([isLiving(now)]))
    .limit(most + 1);
  return db
    .selectFrom(tokens.as("token"))
    .select(["expires", "used", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy(["expires", "used"])
    .execute();
}

/** The index of the first condition that holds. */
function cases(conditions: readonly RawBuilder<unknown>[], never: RawBuilder<unknown>): RawBuilder<number> {
  const when = conditions.map((condition, index) => sql`when ${condition} then ${sql.lit(index)}`);
  return sql<number>`case when ${never} then ${sql.lit(NEVER)} ${sql.join(when, sql` `)} else ${sql.lit(BEYOND)} end`;
}

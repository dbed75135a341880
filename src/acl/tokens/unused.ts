import { sql, type Expression, type SqlBool } from "kysely";

/** Name of the fact in `meta` since when uses are noted. */
export const SINCE = "token-uses-since";

/**
 * Tokens that were not used since: their last use was on a day before that one, or there was none since they were made. Where
 * uses are not noted for that long yet, what was never noted does not count as unused.
 *
 * @param before ISO 8601
 */
export function isUnusedSince(before: string): Expression<SqlBool> {
  const day = before.slice(0, 10);
  const used = sql`select 1 from token_uses u where u.accessor_id = tokens.accessor_id`;
  return sql<SqlBool>`(exists (${used} and u.last_used < ${day}) or (created_at < ${before} and not exists (${used})
    and exists (select 1 from meta where meta.name = ${SINCE} and meta.value < ${before})))`;
}

/** Tokens that were used on a day or later. @param since ISO 8601; empty for any day */
export function isUsedSince(since: string): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from token_uses u where u.accessor_id = tokens.accessor_id
    and u.last_used >= ${since.slice(0, 10)})`;
}

/** Tokens of one identity, which its logins have made. */
import { sql, type SqlBool } from "kysely";
import type { Reader } from "../../storage/database.ts";
import { defineQuery } from "../../storage/reads/query.ts";

/** By their index alone, and no further than to the one that settles it. */
const ofIdentity = defineQuery((db, p: { identity: string; skipped: number; now: number }) =>
  db
    .selectFrom("tokens")
    .select("login_identity")
    .where("login_identity", "=", p.identity)
    .where(sql<SqlBool>`(expires_at is null or expires_at > ${p.now})`)
    .limit(1)
    .offset(p.skipped),
);

/**
 * Checks whether an identity has this number of active tokens. Expired ones do not count, even while their rows exist.
 */
export async function hasTokensOfIdentity(db: Reader, identity: string, most: number, now: number): Promise<boolean> {
  return (await db.run(ofIdentity, { identity, skipped: most - 1, now })).length > 0;
}

const newestOfIdentity = defineQuery((db, p: { identity: string; limit: number; now: number }) =>
  db
    .selectFrom("tokens")
    .select("accessor_id as accessorId")
    .where("login_identity", "=", p.identity)
    .where(sql<SqlBool>`(expires_at is null or expires_at > ${p.now})`)
    .orderBy("create_index", "desc")
    .limit(p.limit),
);

/** Returns AccessorIDs of the active tokens of an identity, the newest first. @param now milliseconds since the epoch */
export async function listTokensOfIdentity(
  db: Reader,
  identity: string,
  limit: number,
  now: number,
): Promise<string[]> {
  return (await db.run(newestOfIdentity, { identity, limit, now })).map(({ accessorId }) => accessorId);
}

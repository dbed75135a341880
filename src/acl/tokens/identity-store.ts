/** Tokens of one identity, which its logins have made. */
import { sql, type SqlBool } from "kysely";
import type { Reader } from "../../storage/database.ts";
import { isIntact } from "../../storage/proofs/proofs.ts";
import { defineQuery, oneOf } from "../../storage/reads/query.ts";
import type { Scope } from "../../rights/scope.ts";
import type { PageRequest } from "../../lists/page.ts";
import { isLiving, methodLives, tokenStore, type Token } from "./store.ts";

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

/** Tokens of an identity in a scope that count now: not expired, not disabled, the newest first. */
const newestOfIdentity = defineQuery((db, p: Scope & { identity: string; limit: number; now: number }) =>
  db
    .selectFrom("tokens")
    .select("accessor_id as accessorId")
    .where("login_identity", "=", p.identity)
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .where("disabled_at", "=", "")
    .where(sql<SqlBool>`(expires_at is null or expires_at > ${p.now})`)
    .orderBy("create_index", "desc")
    .orderBy("accessor_id")
    .limit(p.limit),
);

/** Returns AccessorIDs of the active tokens of an identity in a scope, the newest first. @param now milliseconds since the epoch */
export async function listTokensOfIdentity(
  db: Reader,
  { partition, namespace }: Scope,
  identity: string,
  limit: number,
  now: number,
): Promise<string[]> {
  const rows = await db.run(newestOfIdentity, { partition, namespace, identity, limit, now });
  return rows.map(({ accessorId }) => accessorId);
}

/** Tokens of a scope that logins made, and that neither expired nor are disabled, in order of AccessorIDs. */
export function listLoginTokens(
  db: Reader,
  { partition, namespace }: Scope,
  page: PageRequest & { size: number },
  now: number,
): Promise<Token[]> {
  const where = [isLiving(now), sql<SqlBool>`disabled_at = ''`, sql<SqlBool>`login_identity is not null`];
  return tokenStore.list(db, { partition, namespace }, page, where);
}

/** Active tokens of an identity in a scope. */
export interface TokensOfIdentity {
  /** AccessorID that comes first of all its active tokens. */
  readonly first: string;
  /** The newest ones, the newest first. */
  readonly tokens: readonly Token[];
}

const newestOfAll = defineQuery(
  (db, p: Scope & { identities: readonly string[]; limit: number; now: number }, engine) =>
    db
      .selectFrom((from) =>
        from
          .selectFrom("tokens")
          .selectAll()
          .select([
            sql<string>`min(accessor_id) over (partition by login_identity)`.as("first_accessor"),
            sql<number>`row_number() over (partition by login_identity order by create_index desc, accessor_id)`.as(
              "place",
            ),
          ])
          .where(oneOf(engine, sql.ref("login_identity"), p.identities))
          .where("partition", "=", p.partition)
          .where("namespace", "=", p.namespace)
          .where("disabled_at", "=", "")
          .where(sql<SqlBool>`(expires_at is null or expires_at > ${p.now})`)
          .where(methodLives)
          .as("newest"),
      )
      .selectAll()
      .where("place", "<=", p.limit)
      .orderBy("login_identity")
      .orderBy("place"),
);

/**
 * Reads the active tokens of some identities in a scope; damaged ones are left out.
 *
 * @param limit tokens of one identity
 * @param now milliseconds since the epoch
 * @returns by identity
 */
export async function newestOfIdentities(
  db: Reader,
  { partition, namespace }: Scope,
  identities: readonly string[],
  limit: number,
  now: number,
): Promise<ReadonlyMap<string, TokensOfIdentity>> {
  const rows = await db.run(newestOfAll, { partition, namespace, identities, limit, now });
  const found = new Map<string, { first: string; tokens: Token[] }>();
  for (const { first_accessor: first, place: _place, ...row } of rows) {
    const key = row.login_identity ?? "";
    const identity = found.get(key) ?? { first, tokens: [] };
    found.set(key, identity);
    if (isIntact("tokens", row)) identity.tokens.push(tokenStore.of(row));
  }
  return found;
}

/** Tokens that logins made, by the method and by the identity. */
import { sql, type SqlBool } from "kysely";
import type { Reader } from "../../storage/database.ts";
import { defineQuery } from "../../storage/query.ts";
import { methodLives } from "./store.ts";

const loginTokens = defineQuery((db, p: { now: number }) =>
  db
    .selectFrom("tokens")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    // As in the condition of its index.
    .where("method_id", "!=", "")
    .where(sql<SqlBool>`(expires_at is null or expires_at > ${p.now})`)
    .where(methodLives),
);

/** Each namespace by a look into the index, however many tokens lie in it. */
const namespacesOfMethod = defineQuery((db, p: { methodId: string; limit: number }) =>
  db
    .selectFrom(
      sql<{ namespace: string | null }>`(with recursive places (namespace) as (
        select min(namespace) from tokens where method_id = ${p.methodId} and method_id <> ''
        union all
        select (select min(namespace) from tokens t where t.method_id = ${p.methodId} and t.method_id <> ''
          and t.namespace > places.namespace) from places where places.namespace is not null)
        select namespace from places)`.as("found"),
    )
    .select("namespace")
    .where("namespace", "is not", null)
    .limit(p.limit),
);

/** Namespaces in which tokens lie that an auth method made, `limit` at most. */
export async function listNamespacesOfMethod(db: Reader, methodId: string, limit: number): Promise<string[]> {
  return (await db.run(namespacesOfMethod, { methodId, limit })).map(({ namespace }) => namespace ?? "");
}

/** How many tokens that logins made still count. @param now milliseconds since the epoch */
export async function countLoginTokens(db: Reader, now: number): Promise<number> {
  const [row] = await db.run(loginTokens, { now });
  return row?.count ?? 0;
}

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

/** Whether an identity has so many living tokens. Those whose time is over do not count, also while their rows are there. */
export async function hasTokensOfIdentity(db: Reader, identity: string, most: number, now: number): Promise<boolean> {
  return (await db.run(ofIdentity, { identity, skipped: most - 1, now })).length > 0;
}

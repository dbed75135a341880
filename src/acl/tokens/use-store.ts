/** When tokens were used, as it is stored: the first use of the last day of UTC on which there was one. */
import { sql, type SqlBool } from "kysely";
import type { Database, Reader, Transaction } from "../../storage/database.ts";
import { provenRows } from "../../storage/proofs/proofs.ts";
import { definePoint, defineQuery, oneOf } from "../../storage/reads/query.ts";
import { slices } from "../../storage/purge/slices.ts";
import { methodLives, tokenStore, type Token } from "./store.ts";
import { SINCE } from "./unused.ts";

const withUse = definePoint("tokens.accessor_id", (db) =>
  db
    .selectFrom("tokens")
    .selectAll()
    .select(
      sql<string | null>`(select u.last_used from token_uses u where u.accessor_id = tokens.accessor_id)`.as("used"),
    )
    .where(methodLives),
);

/** Finds a token with its last use, in whatever scope. */
export async function findTokenWithUse(
  db: Reader,
  accessorId: string,
): Promise<{ token: Token; lastUsed: string } | undefined> {
  const row = await db.point(withUse, accessorId);
  return row && { token: tokenStore.of(row), lastUsed: row.used ?? "" };
}

const lastUses = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db
    .selectFrom("token_uses")
    .select(["accessor_id", "last_used"])
    .where(oneOf(engine, sql.ref("accessor_id"), p.ids)),
);

/** Last uses of the tokens of a slice of a list, by AccessorIDs; of those that were never used there is none. */
export async function readLastUses(
  db: Reader,
  tokens: readonly Pick<Token, "accessorId">[],
): Promise<ReadonlyMap<string, string>> {
  if (tokens.length === 0) return new Map();
  const rows = await db.run(lastUses, { ids: tokens.map(({ accessorId }) => accessorId) });
  return new Map(rows.map((row) => [row.accessor_id, row.last_used]));
}

/**
 * Notes the use of tokens. Tokens that no longer exist are skipped. A day that is already noted stays as it is, and
 * costs no write.
 */
const note = defineQuery((db, p: { ids: readonly string[]; at: string }, engine) =>
  db
    .insertInto("token_uses")
    .columns(["accessor_id", "last_used"])
    .expression((eb) =>
      eb
        .selectFrom("tokens")
        .select([
          "accessor_id",
          // The clocks of servers differ by a little, and no token is used before it exists.
          sql<string>`case when created_at > ${p.at} then created_at else cast(${p.at} as text) end`.as("last_used"),
        ])
        .where(oneOf(engine, sql.ref("accessor_id"), p.ids))
        // One that is being deleted is waited for here and skipped: later it would fail the whole statement.
        .$if(engine === "postgres", (found) => found.forKeyShare()),
    )
    .onConflict((conflict) =>
      conflict
        .column("accessor_id")
        .doUpdateSet({ last_used: sql`excluded.last_used` })
        .where(sql<SqlBool>`substr(token_uses.last_used, 1, 10) < substr(excluded.last_used, 1, 10)`),
    ),
);

/** Notes that these tokens were used. @param at milliseconds since the epoch */
export function writeUses(tx: Transaction, accessorIds: readonly string[], at: number): void {
  const ids = accessorIds.toSorted();
  for (const slice of slices(tx, ids)) tx.write(note, { ids: slice, at: new Date(at).toISOString() });
}

const findSince = defineQuery((db, _: object) => db.selectFrom("meta").select("value").where("name", "=", SINCE));
const meta = provenRows("meta");

/** Notes since when uses are noted; for every start, of which the first counts. @param now milliseconds since the epoch */
export async function noteUsesSince(db: Database, now: number): Promise<void> {
  if ((await db.run(findSince, {})).length > 0) return;
  await db.inTransaction({ kind: "root" }, async (tx) => {
    tx.unrecorded("since when uses are noted");
    if ((await tx.run(findSince, {})).length > 0) return;
    meta.insert(tx, { name: SINCE, value: new Date(now).toISOString() });
  });
}

/** Bounds of the classes of age, in days, and what each is called. */
const CLASSES = [
  [1, "<1d"],
  [7, "<7d"],
  [30, "<30d"],
  [90, "<90d"],
] as const;
const OLDEST = ">=90d";
const DAY_MS = 24 * 60 * 60 * 1000;

/** Every class that `countByAge` may give. */
export const AGE_CLASSES: readonly string[] = [...CLASSES.map(([, name]) => name), OLDEST];

/** How many tokens there are of an age: since their last use, or where they were not used yet, since they were made. */
export interface AgeCount {
  age: string;
  used: "yes" | "no";
  count: number;
}

/** Counts the tokens that still count by age. It looks at all of them. @param now milliseconds since the epoch */
export async function countByAge(db: Reader, now: number): Promise<AgeCount[]> {
  const since = sql`coalesce(u.last_used, tokens.created_at)`;
  const classes = CLASSES.map(
    ([days, name]) => sql`when ${since} > ${new Date(now - days * DAY_MS).toISOString()} then ${sql.lit(name)}`,
  );
  return db.sql
    .selectFrom("tokens")
    .leftJoin("token_uses as u", "u.accessor_id", "tokens.accessor_id")
    .select(({ fn }) => [
      sql<string>`case ${sql.join(classes, sql` `)} else ${sql.lit(OLDEST)} end`.as("age"),
      sql<"yes" | "no">`case when u.last_used is null then 'no' else 'yes' end`.as("used"),
      fn.countAll<number>().as("count"),
    ])
    .where(sql<SqlBool>`(expires_at is null or expires_at > ${now})`)
    .where(methodLives)
    .groupBy([sql`1`, sql`2`])
    .execute();
}

/** Counts the tokens that nobody's login made and that end by then; both in milliseconds since the epoch. */
export async function countExpiring(db: Reader, now: number, until: number): Promise<number> {
  const { count } = await db.sql
    .selectFrom("tokens")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where(sql<SqlBool>`expires_at > ${now} and expires_at <= ${until}`)
    .where("method_id", "=", "")
    .executeTakeFirstOrThrow();
  return count;
}

/** Which of suspected secrets live. Implements `POST /v1/acl/tokens/leaked`. */
import { sql, type SqlBool } from "kysely";
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import type { Reader } from "../../storage/database.ts";
import { defineQuery, oneOf } from "../../storage/reads/query.ts";
import { runInSlices } from "../../storage/purge/slices.ts";
import { checkPermission } from "../../rights/permission.ts";
import { DEFAULT_SCOPE, type Scope } from "../../rights/scope.ts";
import { methodLives } from "./store.ts";

/** Secrets that are asked about at a time, and characters of each. */
const MOST = 1000;
const MOST_CHARACTERS = 1024;

/** A secret that lives. It is named by its place in the list: what was asked is never repeated. */
export interface Leaked {
  position: number;
  accessorId: string;
  scope: Scope;
  /** Whether the token has been given another one since. */
  isOld: boolean;
}

/** Tokens count in namespaces and partitions that are there and are not being deleted. */
const scopeLives = sql<SqlBool>`exists (select 1 from namespaces n where n.partition = tokens.partition
  and n.name = tokens.namespace and n.deleted_at = '')
  and not exists (select 1 from partitions p where p.name = tokens.partition and p.deleted_at <> '')`;

const COLUMNS = ["tokens.accessor_id", "tokens.partition", "tokens.namespace"] as const;
const current = defineQuery((db, p: { lookups: readonly string[]; now: number }, engine) =>
  db
    .selectFrom("tokens")
    .select([...COLUMNS, "tokens.secret_lookup as lookup"])
    .where(oneOf(engine, sql.ref("tokens.secret_lookup"), p.lookups))
    .where(sql<SqlBool>`(tokens.expires_at is null or tokens.expires_at > ${p.now})`)
    .where(methodLives)
    .where(scopeLives),
);
const old = defineQuery((db, p: { lookups: readonly string[]; now: number }, engine) =>
  db
    .selectFrom("token_secrets as s")
    .innerJoin("tokens", "tokens.accessor_id", "s.accessor_id")
    .select([...COLUMNS, "s.secret_lookup as lookup"])
    .where(oneOf(engine, sql.ref("s.secret_lookup"), p.lookups))
    .where("s.expires_at", ">", p.now)
    .where(sql<SqlBool>`(tokens.expires_at is null or tokens.expires_at > ${p.now})`)
    .where(methodLives)
    .where(scopeLives),
);

/**
 * Says which of these secrets are those of tokens that count. It asks as much of storage for those that live as for those that
 * do not.
 *
 * @throws AppError `forbidden` unless the caller manages the server, `invalid` for more than may be asked
 */
export async function findLeaked(ctx: Context, secrets: readonly string[]): Promise<Leaked[]> {
  checkPermission(ctx, DEFAULT_SCOPE, "operator", "write");
  checkPermission(ctx, DEFAULT_SCOPE, "acl", "write");
  if (secrets.length > MOST) throw invalid(`Secrets has ${secrets.length} entries; at most ${MOST} are allowed`);
  const long = secrets.findIndex((secret) => secret.length > MOST_CHARACTERS);
  if (long !== -1) throw invalid(`Secrets[${long}] is longer than ${MOST_CHARACTERS} characters`);
  const lookups = secrets.map((secret) => ctx.db.keyring.lookup(secret));
  const found = await findAll(ctx.db.long, [...new Set(lookups)], ctx.now());
  return lookups.flatMap((lookup, position) => {
    const token = found.get(lookup);
    return token === undefined ? [] : [{ position, ...token }];
  });
}

async function findAll(
  db: Reader,
  lookups: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, Omit<Leaked, "position">>> {
  const params = (slice: readonly string[]) => ({ lookups: slice, now });
  // One after the other, as where a secret is looked up: what is rotated in between is found among the old ones.
  const living = await runInSlices(db, current, lookups, params);
  const former = await runInSlices(db, old, lookups, params);
  const entries = [
    ...former.map((row) => ({ ...row, isOld: true })),
    ...living.map((row) => ({ ...row, isOld: false })),
  ];
  return new Map(
    entries.map(({ lookup, accessor_id: accessorId, partition, namespace, isOld }) => [
      lookup,
      { accessorId, scope: { partition, namespace }, isOld },
    ]),
  );
}

import { sql, type Expression, type SqlBool } from "kysely";
import { contains } from "../../storage/reads/conditions.ts";
import { definePoint, defineQuery, oneOf } from "../../storage/reads/query.ts";
import { isIntact, checkProof, provenRows } from "../../storage/proofs/proofs.ts";
import type { Grants } from "../grants.ts";
import type { ListScope } from "../../rights/permission.ts";
import type { PageRequest } from "../../lists/page.ts";
import type { RecordOf } from "../kit/records.ts";
import { fold } from "../../fold.ts";
import type { Scope } from "../../rights/scope.ts";
import { scopedStore, type SortedObjects } from "../kit/scoped-objects.ts";
import { byText } from "../../lists/sorted.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { findOldSecret } from "./old-secrets.ts";
import { isUnusedSince, isUsedSince } from "./unused.ts";

/** A token; its `roles` are IDs. */
export type Token = RecordOf<"tokens", Grants & { roles: readonly string[] }>;

/** A token that an auth method made counts for nothing, and is not shown, from the write on that deletes the method. */
export const methodLives = sql<SqlBool>`(method_id = '' or exists (select 1 from auth_methods m where m.id = tokens.method_id))`;

export const { reads: tokenStore, writes: writeTokens } = scopedStore<Token>("tokens", {
  search: ["description", "accessor_id"],
  searchSorted: ["accessor_id", "auth_method"],
  orders: [
    { name: "AccessorID", value: "accessor_id", at: fold },
    byText("Description", "description"),
    { name: "CreateTime", value: "created_at" },
    // Tokens that never expire come last.
    { name: "ExpirationTime", value: "coalesce(expires_at, 9007199254740991)", isNumber: true, at: millisecondsOf },
    // Tokens that were never used come first.
    {
      name: "LastUsed",
      value: "coalesce((select u.last_used from token_uses u where u.accessor_id = tokens.accessor_id), '')",
    },
    byText("AuthMethod", "auth_method"),
  ],
  lives: methodLives,
});

const bySecret = definePoint("tokens.secret_lookup", (db) => db.selectFrom("tokens").selectAll().where(methodLives));
/** Finds the token of a secret, in whatever scope. @param lookup as the keyring makes it from the secret */
export async function findTokenBySecret(db: Reader, lookup: string): Promise<Token | undefined> {
  const row = await db.point(bySecret, lookup);
  return row && tokenStore.of(row);
}

const takenSecret = definePoint("tokens.secret_lookup", (db) => db.selectFrom("tokens").selectAll());
const takenAccessor = definePoint("tokens.accessor_id", (db) => db.selectFrom("tokens").selectAll());

/**
 * Whether an ID is that of a stored token, as its AccessorID or as a secret that it has or had; also of one that counts for
 * nothing any more and is yet to be removed.
 *
 * @param lookups of the secrets that it may be
 */
export async function isIdStored(db: Reader, accessorId: string, lookups: readonly string[]): Promise<boolean> {
  const rows = [
    db.point(takenAccessor, accessorId),
    ...lookups.flatMap((lookup) => [db.point(takenSecret, lookup), findOldSecret(db, lookup)]),
  ];
  return (await Promise.all(rows)).some((row) => row !== undefined);
}

/** Filter of a token list; empty texts do not filter. */
export interface TokenFilter {
  /** ID of a policy that they link to. */
  policy: string;
  /** ID of a role that they link to. */
  role: string;
  /** Name in a service identity, or in a templated policy for a service. */
  serviceName: string;
  /** Name of the method that made them, in any case. Its namespace is `authMethodNamespace`. */
  authMethod: string;
  authMethodNamespace: string;
  /** Text that the description contains. */
  description: string;
  /** ISO 8601: not used since then. */
  unusedSince: string;
  /** Milliseconds since the epoch; undefined does not filter. */
  expiresBefore: number | undefined;
  /** Milliseconds since the epoch: not before. */
  expiresFrom?: number | undefined;
  /** ISO 8601: used on that day or later. */
  usedSince?: string;
  /** Whether it was used at any time; undefined does not filter. */
  isUsed?: boolean | undefined;
  /** Only tokens that never expire. */
  isEndless?: boolean;
  /** Only tokens that are not disabled. */
  isEnabled?: boolean;
}

/** Tokens that never expire. */
export const endsNever = sql<SqlBool>`expires_at is null`;

/** Tokens that have not expired, in order of namespaces and AccessorIDs, after that of the page. */
export function listTokens(
  db: Reader,
  scope: ListScope,
  filter: TokenFilter,
  page: PageRequest & { size: number },
  now: number,
): Promise<Token[]> {
  return tokenStore.list(db, scope, page, conditionsOf(db, filter, now));
}

/** Tokens as `listTokens`, in the order that is asked for. @param isThere whether there can be any, by where they are looked for */
export function sortedTokens(
  filter: TokenFilter,
  now: number,
  isThere: (scope: ListScope) => Promise<boolean>,
): SortedObjects<Token> {
  return tokenStore.sorted(async (db, scope) => ((await isThere(scope)) ? conditionsOf(db, filter, now) : undefined));
}

function millisecondsOf(text: string): number | undefined {
  const time = /^\d{4}-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Conditions of tokens that have not expired and match a filter. */
function conditionsOf({ engine }: Reader, filter: TokenFilter, now: number): Expression<SqlBool>[] {
  const has = (column: string, part: string) => contains(engine, sql.ref(column), part);
  const where = [isLiving(now)];
  if (filter.description !== "") where.push(has("description", filter.description));
  if (filter.policy !== "") where.push(has("policies", filter.policy));
  if (filter.role !== "") where.push(has("roles", filter.role));
  if (filter.authMethod !== "") where.push(sql<SqlBool>`lower(auth_method) = ${fold(filter.authMethod)}`);
  if (filter.unusedSince !== "") where.push(isUnusedSince(filter.unusedSince));
  if (filter.expiresBefore !== undefined) where.push(sql<SqlBool>`expires_at < ${filter.expiresBefore}`);
  if (filter.expiresFrom !== undefined) where.push(sql<SqlBool>`expires_at >= ${filter.expiresFrom}`);
  if ((filter.usedSince ?? "") !== "") where.push(isUsedSince(filter.usedSince ?? ""));
  if (filter.isUsed !== undefined) where.push(filter.isUsed ? isUsedSince("") : sql<SqlBool>`not ${isUsedSince("")}`);
  if (filter.isEndless === true) where.push(endsNever);
  if (filter.isEnabled === true) where.push(sql<SqlBool>`disabled_at = ''`);
  if (filter.authMethodNamespace !== "") {
    where.push(sql<SqlBool>`auth_method_namespace = ${fold(filter.authMethodNamespace)}`);
  }
  if (filter.serviceName !== "") {
    const name = JSON.stringify(filter.serviceName);
    const templated = has("templated_policies", `"templateName":"builtin/service","variableName":${name}`);
    where.push(sql<SqlBool>`(${has("service_identities", `"serviceName":${name}`)} or ${templated})`);
  }
  return where;
}

/** How many tokens of a namespace a filter fits. @param except AccessorIDs of tokens that do not count */
export async function countTokens(
  db: Reader,
  { partition, namespace }: Scope,
  filter: TokenFilter,
  now: number,
  except: readonly string[],
): Promise<number> {
  const [row] = await db.sql
    .selectFrom("tokens")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("partition", "=", partition)
    .where("namespace", "=", namespace)
    .where(methodLives)
    .where("accessor_id", "not in", except)
    .where((eb) => eb.and(conditionsOf(db, filter, now)))
    .execute();
  return row?.count ?? 0;
}

/**
 * Returns the listed tokens that are in a namespace and still match a filter. Omits damaged ones: their content is
 * unknown.
 */
export async function findFitting(
  db: Reader,
  { partition, namespace }: Scope,
  filter: TokenFilter,
  now: number,
  accessorIds: readonly string[],
): Promise<Token[]> {
  const rows = await db.sql
    .selectFrom("tokens")
    .selectAll()
    .where(oneOf(db.engine, sql.ref("accessor_id"), accessorIds))
    .where("partition", "=", partition)
    .where("namespace", "=", namespace)
    .where((eb) => eb.and(conditionsOf(db, filter, now)))
    .execute();
  return rows.filter((row) => isIntact("tokens", row)).map(tokenStore.of);
}

/** Whether the partition has tokens that the caller may not read. */
export function hasHiddenTokens(db: Reader, scope: ListScope, now: number): Promise<boolean> {
  return tokenStore.hasHidden(db, scope, [isLiving(now)]);
}

/** Tokens whose time is not over. @param now milliseconds since the epoch */
export function isLiving(now: number): Expression<SqlBool> {
  return sql<SqlBool>`(expires_at is null or expires_at > ${now})`;
}

const expired = defineQuery((db, p: { now: number; limit: number; skip: number }) =>
  db
    .selectFrom("tokens")
    .selectAll()
    .where("expires_at", "<=", p.now)
    .orderBy("expires_at")
    .limit(p.limit)
    .offset(p.skip),
);

/** Lists expired tokens, the earliest first. Skips damaged ones: their expiration is unknown. */
export async function listExpiredTokens(db: Reader, now: number, limit: number): Promise<Token[]> {
  for (let skip = 0; ; skip += limit) {
    const rows = await db.run(expired, { now, limit, skip });
    const intact = rows.filter((row) => isIntact("tokens", row));
    if (intact.length > 0 || rows.length < limit) return intact.map(tokenStore.of);
  }
}

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

const findMeta = defineQuery((db, p: { name: string }) => db.selectFrom("meta").selectAll().where("name", "=", p.name));
const stored = provenRows("meta");
const deleteMeta = defineQuery((db, p: { name: string }) => db.deleteFrom("meta").where("name", "=", p.name));

async function readMeta(db: Reader, name: string): Promise<{ value: string } | undefined> {
  const [row] = await db.run(findMeta, { name });
  if (row !== undefined) checkProof("meta", row);
  return row;
}

/** The index at which a first management token was made; undefined while there was none. */
export function findBootstrapIndex(db: Reader): Promise<number | undefined> {
  return findIndex(db, "bootstrapped");
}

/** The same, also after a reset. */
export async function findLastBootstrapIndex(db: Reader): Promise<number | undefined> {
  return (await findIndex(db, "ever-bootstrapped")) ?? findBootstrapIndex(db);
}

async function findIndex(db: Reader, name: string): Promise<number | undefined> {
  const row = await readMeta(db, name);
  // Databases made before indexes were noted hold the time.
  return row === undefined ? undefined : /^\d+$/.test(row.value) ? Number(row.value) : 1;
}

export function markBootstrapped(tx: Transaction, index: number): void {
  stored.put(tx, { name: "bootstrapped", value: String(index) });
  stored.put(tx, { name: "ever-bootstrapped", value: String(index) });
}

/** Lets the server be bootstrapped once more. */
export function clearBootstrapped(tx: Transaction): void {
  tx.write(deleteMeta, { name: "bootstrapped" });
}

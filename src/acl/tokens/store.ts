import type { ListScope } from "../list-scope.ts";
import { sql, type Expression, type SqlBool } from "kysely";
import { contains } from "../../storage/conditions.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { definePoint, defineQuery, oneOf } from "../../storage/query.ts";
import { checkProof, isIntact, provenRows, type Content } from "../../storage/proofs.ts";
import { behind, inListScope, outsideListScope } from "../../storage/scoped.ts";
import { slices } from "../../storage/slices.ts";
import type { TokensTable } from "../../storage/tables.ts";
import { grantColumns, grantsOf, listOf, type Grants } from "../grants.ts";
import type { PageRequest } from "../page.ts";
import { fold } from "../rules/fold.ts";
import { isIn, type Scope } from "../scope.ts";

export interface Token extends Grants {
  accessorId: string;
  scope: Scope;
  /** How its secret is found, and the secret itself, sealed. */
  secretLookup: string;
  secretSealed: string;
  description: string;
  /** IDs. */
  roles: readonly string[];
  isLocal: boolean;
  /** The auth method that made it, where that lies, and its ID; empty for none. */
  authMethod: string;
  authMethodNamespace: string;
  methodId: string;
  /** Whose login made it, as `acl/login/failure-key.ts` has it; empty for nobody's. */
  loginIdentity: string;
  /** RFC 3339 in UTC; empty for never. */
  expirationTime: string;
  /** The same in milliseconds since the epoch. */
  expiresAt: number | undefined;
  createTime: string;
  hash: string;
  createIndex: number;
  modifyIndex: number;
}

function tokenOf(row: TokensTable): Token {
  checkProof("tokens", row);
  return {
    ...grantsOf(row),
    accessorId: row.accessor_id,
    scope: { partition: row.partition, namespace: row.namespace },
    secretLookup: row.secret_lookup,
    secretSealed: row.secret_sealed,
    description: row.description,
    roles: listOf<string>(row.roles),
    isLocal: row.is_local === 1,
    authMethod: row.auth_method,
    authMethodNamespace: row.auth_method_namespace,
    methodId: row.method_id,
    loginIdentity: row.login_identity ?? "",
    expirationTime: row.expiration_time,
    expiresAt: row.expires_at ?? undefined,
    createTime: row.created_at,
    hash: row.hash,
    createIndex: row.create_index,
    modifyIndex: row.modify_index,
  };
}

function rowOf(token: Token): Content<"tokens"> {
  return {
    ...grantColumns(token),
    ...token.scope,
    accessor_id: token.accessorId,
    secret_lookup: token.secretLookup,
    secret_sealed: token.secretSealed,
    description: token.description,
    roles: JSON.stringify(token.roles),
    is_local: token.isLocal ? 1 : 0,
    auth_method: token.authMethod,
    auth_method_namespace: token.authMethodNamespace,
    method_id: token.methodId,
    login_identity: token.loginIdentity === "" ? null : token.loginIdentity,
    expiration_time: token.expirationTime,
    expires_at: token.expiresAt ?? null,
    created_at: token.createTime,
    hash: token.hash,
    create_index: token.createIndex,
    modify_index: token.modifyIndex,
  };
}

/** A token that an auth method made counts for nothing, and is not shown, from the write on that deletes the method. */
export const methodLives = sql<SqlBool>`(method_id = '' or exists (select 1 from auth_methods m where m.id = tokens.method_id))`;

const bySecret = definePoint("tokens.secret_lookup", (db) => db.selectFrom("tokens").selectAll().where(methodLives));
const byAccessor = definePoint("tokens.accessor_id", (db) => db.selectFrom("tokens").selectAll().where(methodLives));

/** Finds the token of a secret, in whatever scope. @param lookup as the keyring makes it from the secret */
export async function findTokenBySecret(db: Reader, lookup: string): Promise<Token | undefined> {
  const row = await db.point(bySecret, lookup);
  return row && tokenOf(row);
}

/** Finds a token by its AccessorID, in whatever scope. */
export async function findTokenAnywhere(db: Reader, accessorId: string): Promise<Token | undefined> {
  const row = await db.point(byAccessor, accessorId);
  return row && tokenOf(row);
}

/** Finds a token by its AccessorID; one of another scope is not found. */
export async function findToken(db: Reader, scope: Scope, accessorId: string): Promise<Token | undefined> {
  const token = await findTokenAnywhere(db, accessorId);
  return token !== undefined && isIn(token.scope, scope) ? token : undefined;
}

const takenSecret = definePoint("tokens.secret_lookup", (db) => db.selectFrom("tokens").selectAll());
const takenAccessor = definePoint("tokens.accessor_id", (db) => db.selectFrom("tokens").selectAll());

/**
 * Whether an ID is that of a stored token, as its AccessorID or as its secret; also of one that counts for nothing any
 * more and is yet to be removed.
 *
 * @param lookups of the secrets that it may be
 */
export async function isIdStored(db: Reader, accessorId: string, lookups: readonly string[]): Promise<boolean> {
  const rows = [db.point(takenAccessor, accessorId), ...lookups.map((lookup) => db.point(takenSecret, lookup))];
  return (await Promise.all(rows)).some((row) => row !== undefined);
}

/** What a list of tokens is limited to; empty texts limit nothing. */
export interface TokenFilter {
  /** ID of a policy that they link to. */
  policy: string;
  /** ID of a role that they link to. */
  role: string;
  /** Of a service identity, or of a templated policy for a service. */
  serviceName: string;
  /** Name of the method that made them, in any case, and where that lies. */
  authMethod: string;
  authMethodNamespace: string;
}

/** Tokens that have not expired, in order of namespaces and AccessorIDs, after that of the page. */
export async function listTokens(
  db: Reader,
  scope: ListScope,
  filter: TokenFilter,
  page: PageRequest & { size: number },
  now: number,
): Promise<Token[]> {
  const has = (column: string, text: string) => contains(db.engine, sql.ref(column), text);
  const rows = await db.sql
    .selectFrom("tokens")
    .selectAll()
    .where(inListScope(db.engine, scope))
    .where(behind(scope, "accessor_id", page.after))
    .where(isLiving(now))
    .$if(filter.policy !== "", (query) => query.where(has("policies", filter.policy)))
    .$if(filter.role !== "", (query) => query.where(has("roles", filter.role)))
    .$if(filter.authMethod !== "", (query) =>
      query.where(sql<boolean>`lower(auth_method) = ${fold(filter.authMethod)}`),
    )
    .$if(filter.authMethodNamespace !== "", (query) =>
      query.where("auth_method_namespace", "=", fold(filter.authMethodNamespace)),
    )
    .$if(filter.serviceName !== "", (query) =>
      query.where((eb) =>
        eb.or([
          has("service_identities", `"serviceName":${JSON.stringify(filter.serviceName)}`),
          has(
            "templated_policies",
            `"templateName":"builtin/service","variableName":${JSON.stringify(filter.serviceName)}`,
          ),
        ]),
      ),
    )
    .$if(page.search !== "", (query) =>
      query.where((eb) =>
        eb.or([contains(db.engine, sql`lower(description)`, fold(page.search)), has("accessor_id", fold(page.search))]),
      ),
    )
    .orderBy("namespace")
    .orderBy("accessor_id")
    .limit(page.size)
    .execute();
  return rows.map(tokenOf);
}

/** Whether the partition has tokens that the caller may not read. */
export async function hasHiddenTokens(db: Reader, scope: ListScope, now: number): Promise<boolean> {
  const outside = outsideListScope(db.engine, scope);
  if (outside === undefined) return false;
  const hidden = db.sql.selectFrom("tokens").select("accessor_id").where(outside).where(isLiving(now)).limit(1);
  return (await hidden.execute()).length > 0;
}

function isLiving(now: number): Expression<SqlBool> {
  return sql<SqlBool>`(expires_at is null or expires_at > ${now}) and ${methodLives}`;
}

const stored = provenRows("tokens", [
  "partition",
  "namespace",
  "secret_lookup",
  "secret_sealed",
  "is_local",
  "auth_method",
  "auth_method_namespace",
  "method_id",
  "login_identity",
  "expiration_time",
  "expires_at",
  "created_at",
  "create_index",
]);
const remove = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db.deleteFrom("tokens").where(oneOf(engine, sql.ref("accessor_id"), p.ids)),
);

export function insertToken(tx: Transaction, token: Token): void {
  stored.insert(tx, rowOf(token));
}

/** Writes what may change of a token: never its secret, scope, method or expiration. */
export function updateToken(tx: Transaction, token: Token): void {
  stored.update(tx, rowOf(token));
}

export function deleteTokens(tx: Transaction, accessorIds: readonly string[]): void {
  for (const ids of slices(tx, accessorIds)) tx.write(remove, { ids });
}

const expired = defineQuery((db, p: { now: number; limit: number }) =>
  db.selectFrom("tokens").selectAll().where("expires_at", "<=", p.now).orderBy("expires_at").limit(p.limit),
);

/** Tokens whose time has come, the earliest first. When a damaged one would expire nobody knows: it is left alone. */
export async function listExpiredTokens(
  db: Reader,
  now: number,
  limit: number,
): Promise<(Scope & Pick<Token, "accessorId">)[]> {
  const rows = await db.run(expired, { now, limit });
  return rows
    .filter((row) => isIntact("tokens", row))
    .map(({ accessor_id: accessorId, partition, namespace }) => ({ accessorId, partition, namespace }));
}

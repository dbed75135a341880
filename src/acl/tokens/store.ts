import type { Database, Reader, Transaction } from "../../storage/database.ts";
import { definePoint, defineQuery } from "../../storage/query.ts";
import type { TokensTable } from "../../storage/tables.ts";

export interface TokenRow {
  accessorId: string;
  kind: TokensTable["kind"];
}

/** A token to store; the secret leaves only as its look-up value and sealed. */
export interface NewToken {
  accessorId: string;
  secretId: string;
  description: string;
  kind: TokensTable["kind"];
  createdAt: string;
}

const tokenBySecret = definePoint("tokens.secret_lookup", (db) =>
  db.selectFrom("tokens").select(["accessor_id as accessorId", "kind"]),
);

const findMeta = defineQuery((db, p: { name: string }) =>
  db.selectFrom("meta").select("value").where("name", "=", p.name),
);

/** Finds the token that a secret belongs to. */
export function findTokenBySecret(db: Database, secretId: string): Promise<TokenRow | undefined> {
  return db.point(tokenBySecret, db.keyring.lookup(secretId));
}

/** Seals a token's secret. Done before the transaction, since it may have to make a data key. */
export async function sealToken(db: Database, token: NewToken): Promise<TokensTable> {
  return {
    accessor_id: token.accessorId,
    secret_lookup: db.keyring.lookup(token.secretId),
    secret_sealed: await db.keyring.seal(token.secretId, `tokens/secret/${token.accessorId}`),
    description: token.description,
    kind: token.kind,
    namespace: "default",
    partition: "default",
    created_at: token.createdAt,
  };
}

export function insertToken(tx: Transaction, row: TokensTable): void {
  tx.write(tx.sql.insertInto("tokens").values(row));
}

/** Whether a first management token was ever made in this database. */
export async function isBootstrapped(db: Reader): Promise<boolean> {
  return (await db.run(findMeta, { name: "bootstrapped" })).length > 0;
}

export function markBootstrapped(tx: Transaction, at: string): void {
  tx.write(tx.sql.insertInto("meta").values({ name: "bootstrapped", value: at }));
}

/** Whether the anonymous token exists. */
export async function hasAnonymousToken(db: Reader): Promise<boolean> {
  return (await db.run(findMeta, { name: "anonymous-token" })).length > 0;
}

export function markAnonymousToken(tx: Transaction, at: string): void {
  tx.write(tx.sql.insertInto("meta").values({ name: "anonymous-token", value: at }));
}

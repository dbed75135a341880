/** Tokens that logins make, and end. */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { UNKNOWN_TOKEN } from "../../refused.ts";
import type { Database, Reader, Transaction } from "../../storage/database.ts";
import { checkCount, checkIdentities, type GrantsInput } from "../grants.ts";
import { checkSize, type NamedLink } from "../kit/links.ts";
import type { Scope } from "../../rights/scope.ts";
import { newUuid } from "../../rights/uuid.ts";
import { type NoteChange, changeIn } from "../kit/write.ts";
import { assemble, type ResolvedGrants, type TokenBase } from "./service.ts";
import { checkExpiration } from "./check.ts";
import { ENABLED } from "./disabled.ts";
import { TOKENS } from "../../rights/kinds.ts";
import { sealSecret } from "./secrets.ts";
import type { LinkedToken } from "./linked.ts";
import { type Token, tokenStore, writeTokens } from "./store.ts";

/** Properties that a token takes from the auth method that makes it. */
export interface LoginTokenInput {
  methodId: string;
  /** Key by which its tokens are counted. */
  identity: string;
  authMethod: string;
  authMethodNamespace: string;
  isLocal: boolean;
  /** Nanoseconds; 0: never expires. */
  ttl: bigint;
  description: string;
}

/** A token to be, without where it lies and what it is given. */
export interface NewLoginToken {
  base: Omit<TokenBase, "scope" | "createIndex" | "modifyIndex">;
  description: string;
  secretId: string;
}

/** Grants of the token. */
export interface LoginGrants {
  identities: Omit<GrantsInput, "policies">;
  policies: readonly NamedLink[];
  roles: readonly NamedLink[];
}

/** Does all slow work for a new token; writes nothing yet. @param now milliseconds since the epoch */
export async function newLoginToken(db: Database, input: LoginTokenInput, now: number): Promise<NewLoginToken> {
  const { methodId, identity, authMethod, authMethodNamespace, isLocal, ttl, description } = input;
  const [accessorId, secretId] = [newUuid(), newUuid()];
  const base = {
    accessorId,
    ...(await sealSecret(db, accessorId, secretId)),
    methodId,
    loginIdentity: identity,
    authMethod,
    authMethodNamespace,
    isLocal,
    ...ENABLED,
    ...checkExpiration(ttl, undefined, now),
    createdAt: new Date(now).toISOString(),
  };
  return { base, description, secretId };
}

/**
 * Puts what a login gives into the form that is stored.
 *
 * @throws AppError `invalid` for more than a token may have, and for what it may not have where it lies
 */
export async function checkLoginGrants(
  db: Reader,
  scope: Scope,
  { identities, policies, roles }: LoginGrants,
  isLocal: boolean,
): Promise<ResolvedGrants> {
  checkCount(roles, "Roles");
  const links = { policies: policies.map(({ id }) => id), roles: roles.map(({ id }) => id) };
  const grants = { ...checkIdentities({ ...identities, policies }, "token", isLocal, scope), ...links };
  await checkSize("token", db, scope, grants);
  return grants;
}

/** Writes the token; part of the transaction that looked up what it is given. @param why for the record: whose login it was, and by which rules */
export async function insertLoginToken(
  tx: Transaction,
  scope: Scope,
  { base, description, secretId }: NewLoginToken,
  given: LoginGrants,
  why: Readonly<Record<string, unknown>>,
): Promise<LinkedToken> {
  const [index, grants] = await Promise.all([tx.index(), checkLoginGrants(tx, scope, given, base.isLocal)]);
  const token = assemble({ ...base, scope, createIndex: index, modifyIndex: index }, description, grants);
  writeTokens.insert(tx, token, { action: "login", detail: why });
  tx.touch({ ...scope, table: TOKENS, key: base.accessorId });
  return { ...token, secretId, lastUsed: "", policies: given.policies, roles: given.roles };
}

/**
 * Ends the caller's own token, which a login must have made.
 *
 * @throws AppError `unauthenticated` without a token, `forbidden` for one that no login made or that is gone
 */
export async function logout(ctx: Context): Promise<void> {
  const { accessorId, anonymous, scope, login } = ctx.actor;
  if (anonymous || login === undefined) {
    const reason = "token wasn't created via login";
    const refused = { kind: "request", name: "logout", scope, reason } as const;
    throw new AppError("forbidden", `Permission denied: ${reason}`, { refused });
  }
  await changeIn(ctx, scope, async (tx, change) => {
    const token = await tokenStore.anywhere(tx, accessorId);
    if (token === undefined) throw new AppError("forbidden", "ACL not found", { refused: UNKNOWN_TOKEN });
    removeLoginToken(tx, change, token);
  });
}

/** Takes away a token with what it was made for; part of the transaction that ends that. */
export function removeLoginToken(tx: Transaction, change: NoteChange, token: Token): void {
  writeTokens.remove(tx, [token], { action: "logout" });
  change(TOKENS, token.accessorId);
}

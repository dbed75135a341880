/**
 * Tokens: credentials of both API families and what they are given. Implements
 * the writes of `/v1/acl/token`; reads are in `reads.ts`, tokens that logins
 * make in `login.ts`, the way from a secret to an actor in `resolve.ts`.
 */
import type { Context } from "../../context.ts";
import { authorize, questionOf } from "../../rights/authorize.ts";
import { AppError, invalid } from "../../errors.ts";
import type { Transaction } from "../../storage/database.ts";
import { checkCas, changeIn, type NoteChange } from "../kit/write.ts";
import { checkCount, checkIdentities, type Grants, type GrantsInput, type GrantLink } from "../grants.ts";
import { digest } from "../kit/records.ts";
import { inOrder } from "../kit/in-order.ts";
import { checkSize, readLinkNames, resolveLinks } from "../kit/links.ts";
import type { Edit, WriteTarget } from "../kit/objects.ts";
import { deletionBy } from "../kit/trash.ts";
import { checkPermission } from "../../rights/permission.ts";
import { homeOf, type Scope } from "../../rights/scope.ts";
import { checkUuid, isUuid, newUuid } from "../../rights/uuid.ts";
import { TOKENS } from "../../rights/kinds.ts";
import { ANONYMOUS, isReserved } from "../../rights/reserved-secrets.ts";
import { sealSecret, shownSecret } from "./secrets.ts";
import { BY_NO_METHOD, checkCopied, checkExpiration, checkGivenId, type GivenTime } from "./check.ts";
import { checkMayBeGiven } from "./giving.ts";
import { ENABLED, isDisabled } from "./disabled.ts";
import { linkToken, type LinkedToken } from "./linked.ts";
import { isExpired } from "./reads.ts";
import { tokenStore, writeTokens, isIdStored, type Token } from "./store.ts";
import { readLastUses } from "./use-store.ts";

/** Members of a token that a request sets. */
export interface TokenInput extends GrantsInput {
  description: string;
  roles: readonly GrantLink[];
  isLocal: boolean;
}

/**
 * Further members: a new token may set them, an existing token may repeat them, but not change them. Undefined: not
 * sent.
 */
interface Repeated {
  secretId: string | undefined;
  authMethod: string;
  /** Nanoseconds. */
  expirationTtl: bigint | undefined;
  expirationTime: GivenTime | undefined;
}

export interface NewTokenInput extends TokenInput, Repeated {
  accessorId: string | undefined;
}

export interface TokenEdit extends Repeated {
  edit: Edit<TokenInput>;
  /** Whether it asks for a token without an end. */
  endsNever: boolean;
}

/** @throws AppError `invalid`, `conflict`, `forbidden` */
export async function createToken(
  ctx: Context,
  { scope, cas }: WriteTarget,
  input: NewTokenInput,
): Promise<LinkedToken> {
  checkPermission(ctx, scope, "acl", "write");
  checkMayBeGiven(ctx);
  // Chosen IDs are unique over all partitions; those made here are random.
  const overAll = input.accessorId !== undefined || input.secretId !== undefined;
  if (overAll) checkMayChoose(ctx, scope);
  if (input.authMethod !== "") throw invalid("AuthMethod field is disallowed outside of login");
  const now = ctx.now();
  const accessorId = input.accessorId === undefined ? newUuid() : checkGivenId(input.accessorId, "AccessorID");
  const secretId = input.secretId === undefined ? newUuid() : checkGivenId(input.secretId, "SecretID");
  const base = {
    accessorId,
    scope,
    ...(await sealSecret(ctx.db, accessorId, secretId)),
    isLocal: input.isLocal,
    ...BY_NO_METHOD,
    ...ENABLED,
    ...checkExpiration(input.expirationTtl, input.expirationTime, now),
    createdAt: new Date(now).toISOString(),
  };
  checkContent(input, scope);
  const work = async (tx: Transaction, change: NoteChange): Promise<Token> => {
    checkCas(cas, undefined);
    const [index, grants] = await Promise.all([
      tx.index(),
      resolveGrants(tx, scope, input),
      checkUnused(ctx, tx, input),
    ]);
    const made = assemble({ ...base, createIndex: index, modifyIndex: index }, input.description, grants);
    writeTokens.insert(tx, made);
    change(TOKENS, accessorId);
    return made;
  };
  const token = await changeIn(ctx, scope, work, { overAll });
  return linkToken(ctx, token, secretId);
}

/**
 * A caller who chooses an ID learns whether it exists on the server. Only managers of a whole partition may do so: with
 * operator:write, or with acl:write in its namespace `default`, whose policies apply to the whole partition.
 */
function checkMayChoose(ctx: Context, { partition }: Scope): void {
  const home = homeOf(partition);
  if (authorize(ctx.actor, "acl", "", "write", home) || authorize(ctx.actor, "operator", "", "write", home)) return;
  const needed = `operator:write, or acl:write in namespace "${home.namespace}" of partition "${partition}"`;
  throw new AppError("forbidden", `Permission denied: choosing an AccessorID or SecretID requires ${needed}`, {
    refused: questionOf("acl", "", "write", home),
  });
}

/** Checks that no token has an ID of the request as its accessor or secret. IDs that the server makes are random. */
async function checkUnused({ db }: Context, tx: Transaction, { accessorId, secretId }: NewTokenInput): Promise<void> {
  const isTaken = (id: string | undefined): Promise<boolean> => {
    if (id === undefined) return Promise.resolve(false);
    // Accessors are stored in lower case, secrets as they were given: an ID is taken in either spelling.
    const folded = id.toLowerCase();
    const lookups = [...new Set([id, folded])].map((text) => db.keyring.lookup(text));
    return isIdStored(tx, folded, lookups);
  };
  const [isAccessorTaken, isSecretTaken] = await Promise.all([isTaken(accessorId), isTaken(secretId)]);
  if (isAccessorTaken) throw invalid("Invalid Token: AccessorID is already in use");
  if (isSecretTaken) throw invalid("Invalid Token: SecretID is already in use");
}

/**
 * Replaces what a token is given.
 *
 * @throws AppError `not_found`, `invalid`, `conflict`, `forbidden`
 */
export async function updateToken(
  ctx: Context,
  { scope, key, cas }: WriteTarget,
  wanted: TokenEdit,
): Promise<LinkedToken> {
  checkPermission(ctx, scope, "acl", "write");
  if (!isUuid(key)) throw new AppError("not_found", "AccessorID is not a valid UUID");
  const id = key.toLowerCase();
  const token = await changeIn(ctx, scope, async (tx, change) => {
    const current = await tokenStore.find(tx, scope, id);
    if (current === undefined || isExpired(current, ctx.now())) {
      throw new AppError("not_found", `Cannot find token "${id}"`);
    }
    checkCas(cas, current);
    const names = await readLinkNames(tx, [current]);
    const links = { policies: names.policies(scope, current.policies), roles: names.roles(scope, current.roles) };
    const input = wanted.edit({ ...current, ...links });
    checkUnchanged(ctx, current, wanted, input.isLocal);
    checkContent(input, scope);
    const [index, grants] = await Promise.all([tx.index(), resolveGrants(tx, scope, input)]);
    const changed = assemble({ ...current, modifyIndex: index }, input.description, grants);
    writeTokens.update(tx, changed, current);
    change(TOKENS, id);
    return changed;
  });
  const [secret, uses] = await Promise.all([shownSecret(ctx, token), readLastUses(ctx.db, [token])]);
  return linkToken(ctx, token, secret, uses.get(id));
}

function checkUnchanged({ db }: Context, current: Token, wanted: TokenEdit, isLocal: boolean): void {
  const { accessorId } = current;
  if (wanted.secretId !== undefined && isReserved(wanted.secretId)) {
    const reason = "Cannot modify root ACL";
    const refused = { kind: "request", name: "reserved-secret", scope: current.scope, reason } as const;
    throw new AppError("forbidden", `Permission denied: ${reason}`, { refused });
  }
  if (wanted.secretId !== undefined && db.keyring.lookup(wanted.secretId) !== current.secretLookup) {
    throw invalid("Changing a token's SecretID is not permitted");
  }
  if (isLocal !== current.isLocal) throw invalid(`Cannot toggle local mode of ${accessorId}`);
  if (wanted.authMethod !== "" && wanted.authMethod !== current.authMethod) {
    throw invalid(`Cannot change AuthMethod of ${accessorId}`);
  }
  const { expirationTtl, expirationTime } = wanted;
  const hasTtl = expirationTtl !== undefined && expirationTtl !== 0n;
  const isOther = expirationTime !== undefined && expirationTime.milliseconds !== current.expiresAt;
  if (hasTtl || isOther || (wanted.endsNever && current.expiresAt !== undefined)) {
    throw invalid(`Cannot change expiration time of ${accessorId}`);
  }
}

/**
 * Makes a token with the links, identities and expiration of another.
 *
 * @param description replaces that of the other when not empty
 * @throws AppError `not_found`, `invalid`, `conflict`, `forbidden`
 */
export async function cloneToken(
  ctx: Context,
  { scope, key, cas }: WriteTarget,
  description: string,
): Promise<LinkedToken> {
  checkPermission(ctx, scope, "acl", "write");
  checkMayBeGiven(ctx);
  const source = checkUuid(key, "token");
  const now = ctx.now();
  const id = newUuid();
  const secretId = newUuid();
  const secret = await sealSecret(ctx.db, id, secretId);
  const token = await changeIn(ctx, scope, async (tx, change) => {
    const original = await tokenStore.find(tx, scope, source);
    if (original === undefined) throw new AppError("not_found", "token does not exist: ACL not found");
    if (isExpired(original, now)) throw new AppError("not_found", "token is expired: ACL not found");
    checkCas(cas, original);
    if (original.authMethod !== "") throw invalid("Cannot clone a token created from an auth method");
    if (isDisabled(original)) throw invalid("Cannot clone a disabled token");
    checkCopied(original, now);
    const [index, names] = await Promise.all([tx.index(), readLinkNames(tx, [original])]);
    const grants = {
      ...original,
      policies: names.policies(scope, original.policies).map((link) => link.id),
      roles: names.roles(scope, original.roles).map((link) => link.id),
    };
    const own = { accessorId: id, ...secret, createdAt: new Date(now).toISOString() };
    const indexes = { createIndex: index, modifyIndex: index };
    const copy = assemble({ ...original, ...own, ...indexes }, description || original.description, grants);
    writeTokens.insert(tx, copy);
    change(TOKENS, id);
    return copy;
  });
  return linkToken(ctx, token, secretId);
}

/** @throws AppError `not_found`, `invalid` for the anonymous token and the caller's own, `conflict`, `forbidden` */
export async function deleteToken(ctx: Context, { scope, key, cas }: WriteTarget): Promise<void> {
  checkPermission(ctx, scope, "acl", "write");
  if (!isUuid(key)) throw new AppError("not_found", "Accessor ID is missing or an invalid UUID");
  const id = key.toLowerCase();
  const deletion = deletionBy(ctx);
  const work = async (tx: Transaction, change: NoteChange) => {
    const current = await tokenStore.find(tx, scope, id);
    if (current === undefined || isExpired(current, ctx.now())) {
      throw new AppError("not_found", "Cannot find token to delete");
    }
    if (id === ANONYMOUS.accessorId) throw invalid("Delete operation not permitted on the anonymous token");
    if (id === ctx.actor.accessorId) throw invalid("Deletion of the request's authorization token is not permitted");
    checkCas(cas, current);
    // A login makes another one.
    if (current.authMethod === "") await writeTokens.discard(tx, current, deletion);
    else writeTokens.remove(tx, [current]);
    change(TOKENS, id);
  };
  await changeIn(ctx, scope, work, { mayBeMarked: true });
}

/** Deletes tokens that a revocation has found; part of its transaction. */
export function revokeTokens(tx: Transaction, scope: Scope, tokens: readonly Token[]): void {
  writeTokens.remove(tx, tokens, { action: "revoke" });
  for (const { accessorId } of tokens) tx.touch({ ...scope, table: TOKENS, key: accessorId });
}

/** Checks the parts of a token that need no look-up: the request is rejected before the transaction. */
export function checkContent(input: Pick<TokenInput, keyof GrantsInput | "roles" | "isLocal">, scope: Scope): void {
  checkCount(input.roles, "Roles");
  checkIdentities(input, "token", input.isLocal, scope);
}

export type ResolvedGrants = Grants & Pick<Token, "roles">;

/** Resolves the links of a token, and checks its size. @throws AppError `invalid` */
export async function resolveGrants(tx: Transaction, scope: Scope, input: TokenInput): Promise<ResolvedGrants> {
  const [policies, roles] = await inOrder([
    resolveLinks(tx, "policies", scope, input.policies),
    resolveLinks(tx, "roles", scope, input.roles),
  ]);
  const identities = checkIdentities(input, "token", input.isLocal, scope);
  await checkSize("token", tx, scope, { ...identities, policies, roles });
  return { ...identities, policies, roles };
}

/** Everything of a token but what it is given. */
export type TokenBase = Omit<Token, keyof ResolvedGrants | "description" | "hash">;

/** Puts a token together, with its hash. */
export function assemble(base: TokenBase, description: string, grants: ResolvedGrants): Token {
  const { policies, roles, serviceIdentities, nodeIdentities, templatedPolicies } = grants;
  const given = { policies, roles, serviceIdentities, nodeIdentities, templatedPolicies };
  const hash = digest([description, base.isLocal, base.authMethod, ...Object.values(given)]);
  return { ...base, ...given, description, hash };
}

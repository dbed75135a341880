/**
 * Tokens: credentials of both API families and what they are given. Implements
 * the reads of `/v1/acl/token` and `/v1/acl/tokens`; writes are in `change.ts`,
 * the way from a secret to an actor in `resolve.ts`.
 */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isIdentityName } from "../identity-name.ts";
import { readLinkNames, type LinkNames, type NamedLink } from "../links.ts";
import { listReader, type PageRequest } from "../page.ts";
import { checkPermission, hasPermission } from "../permission.ts";
import { findPolicyNames } from "../policies/lookup.ts";
import { findRoleNames } from "../roles/lookup.ts";
import type { Scope } from "../scope.ts";
import { checkFilterId, checkUuid } from "../uuid.ts";
import { HIDDEN, openSecret } from "./secrets.ts";
import { findToken, listTokens as listRows, type Token, type TokenFilter } from "./store.ts";

/** A token with the names of what it links to, and its secret or what hides it. */
export interface LinkedToken extends Omit<Token, "policies" | "roles" | "secretLookup" | "secretSealed"> {
  secretId: string;
  policies: readonly NamedLink[];
  roles: readonly NamedLink[];
}

/** Whether a token is as good as gone. */
export function isExpired({ expiresAt }: Pick<Token, "expiresAt">, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/**
 * Reads a token. Its secret is shown to those who may write tokens.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readToken(ctx: Context, scope: Scope, accessorId: string): Promise<LinkedToken> {
  checkPermission(ctx, "acl", "read");
  const token = await findToken(ctx.db, scope, checkUuid(accessorId, "token"));
  if (token === undefined) throw new AppError("not_found", "token does not exist: ACL not found");
  if (isExpired(token, ctx.now())) throw new AppError("not_found", "token has expired: ACL not found");
  return linkToken(ctx, token, hasPermission(ctx, "acl", "write") ? await openSecret(ctx.db, token) : HIDDEN);
}

/** @param secretId what is shown as the secret */
export async function linkToken({ db }: Pick<Context, "db">, token: Token, secretId: string): Promise<LinkedToken> {
  return withNames(token, secretId, await readLinkNames(db, token.scope, [token]));
}

function withNames(token: Token, secretId: string, names: LinkNames): LinkedToken {
  return { ...token, secretId, policies: names.policies(token.policies), roles: names.roles(token.roles) };
}

/**
 * A slice of the list of tokens, in order of AccessorIDs.
 *
 * @throws AppError `invalid` when more than one filter is given, `forbidden`
 */
export async function listTokens(
  ctx: Context,
  scope: Scope,
  filter: TokenFilter,
  page: PageRequest & { size: number },
): Promise<LinkedToken[]> {
  checkPermission(ctx, "acl", "read");
  const asked = checkFilter(filter);
  if (asked === undefined || !(await isThere(ctx, scope, asked))) return [];
  const isFiltered = Object.values(asked).some((text) => text !== "");
  const reader = listReader(ctx.db, page, isFiltered);
  const tokens = await listRows(reader, scope, asked, page, ctx.now());
  const names = await readLinkNames(reader, scope, tokens);
  const showsSecrets = hasPermission(ctx, "acl", "write");
  return Promise.all(
    tokens.map(async (token) => withNames(token, showsSecrets ? await openSecret(ctx.db, token) : HIDDEN, names)),
  );
}

/** Whether what the filter names exists: a link to what is gone counts for nothing. */
async function isThere({ db }: Context, scope: Scope, { policy, role }: TokenFilter): Promise<boolean> {
  if (policy !== "") return (await findPolicyNames(db, scope, [policy])).size > 0;
  return role === "" || (await findRoleNames(db, scope, [role])).size > 0;
}

/** @returns the filter with its texts in stored spelling; undefined when nothing can fit it */
function checkFilter(filter: TokenFilter): TokenFilter | undefined {
  const { policy, role, serviceName, authMethod } = filter;
  if ([policy, role, serviceName, authMethod].filter((text) => text !== "").length > 1) {
    throw new AppError("bad_parameter", "can only filter by one of policy, role, serviceName, or methodName at a time");
  }
  const ids = { policy: checkFilterId(policy, "policy"), role: checkFilterId(role, "role") };
  const service = serviceName.toLowerCase();
  if (service !== "" && !isIdentityName(service)) return undefined;
  return { ...ids, serviceName: service, authMethod };
}

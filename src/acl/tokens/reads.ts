/**
 * Tokens as they are read: who may see them, and with which secret. Implements
 * the reads of `/v1/acl/token` and `/v1/acl/tokens`.
 */
import { fold } from "../../fold.ts";
import { type ListScope, checkPermission } from "../../rights/permission.ts";
import type { Context } from "../../context.ts";
import type { ApartWork, Reader } from "../../storage/database.ts";
import { authorize } from "../../rights/authorize.ts";
import { AppError } from "../../errors.ts";
import { isIdentityName } from "../templated-policies/templates.ts";
import { isListed } from "../kit/link-store.ts";
import { listObjects, shownSorted } from "../kit/objects.ts";
import type { ListOf, PageRequest, TextForm, TextPiece } from "../../lists/page.ts";
import { isIn, type Scope } from "../../rights/scope.ts";
import { checkFilterId, checkUuid } from "../../rights/uuid.ts";
import { isShownSecrets } from "./giving.ts";
import { HIDDEN, openSecret } from "./secrets.ts";
import { linkToken, linkTokens, type LinkedToken } from "./linked.ts";
import { findTokenWithUse } from "./use-store.ts";
import { hasHiddenTokens, listTokens as listRows, sortedTokens, type Token, type TokenFilter } from "./store.ts";

/** Input of the texts of one slice: plain data, for another thread. The rights of the caller are decided before. */
export interface TokenSlice {
  /** One namespace, so that the secrets of all or of none are shown. */
  scope: Scope;
  showsSecrets: boolean;
  filter: TokenFilter;
  page: PageRequest & { size: number };
  now: number;
  form: TextForm;
  /** Whether the edition shows the namespace and partition of a token. */
  showsScope: boolean;
}

/** Writer of texts in a thread that reads, and what it needs to know of the server. */
export interface TokenTexts {
  work: ApartWork<TokenSlice, TextPiece[]>;
  showsScope: boolean;
}

/** Whether a token is as good as gone. */
export function isExpired({ expiresAt }: Partial<Pick<Token, "expiresAt">>, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/**
 * Reads a token. Its secret is shown to those who may write tokens.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readToken(ctx: Context, scope: Scope, accessorId: string): Promise<LinkedToken> {
  checkPermission(ctx, scope, "acl", "read");
  const found = await findTokenWithUse(ctx.db, checkUuid(accessorId, "token"));
  if (found === undefined || !isIn(found.token.scope, scope)) {
    throw new AppError("not_found", "token does not exist: ACL not found");
  }
  const { token, lastUsed } = found;
  if (isExpired(token, ctx.now())) throw new AppError("not_found", "token has expired: ACL not found");
  const secret = showsSecrets(ctx, token.scope) ? await openSecret(ctx.db, token) : HIDDEN;
  return linkToken(ctx, token, secret, lastUsed);
}

/**
 * The list of tokens, in order of namespaces and AccessorIDs.
 *
 * @param texts writer of whole lists as text
 * @throws AppError `invalid` when more than one filter is given, `forbidden`
 */
export function listTokens(ctx: Context, asked: Scope, filter: TokenFilter, texts: TokenTexts): ListOf<LinkedToken> {
  return listObjects<LinkedToken>(ctx, asked, () => {
    const wanted = checkFilter(filter);
    const linked = (db: Reader, tokens: Token[]) =>
      linkTokens(db, ctx.db.keyring, tokens, ({ scope: of }) => showsSecrets(ctx, of));
    const isFound = (scope: ListScope) => Promise.resolve(wanted !== undefined && isThere(ctx, scope, wanted));
    return {
      isFiltered: Object.values(filter).some((each) => each !== "" && each !== undefined),
      async list(db, scope, page) {
        if (wanted === undefined || !(await isThere(ctx, scope, wanted))) return [];
        const tokens = await listRows(db, scope, wanted, page, ctx.now());
        return [...(await linked(db, tokens))];
      },
      sorted: shownSorted(sortedTokens(wanted ?? filter, ctx.now(), isFound), linked),
      async texts(scope, page, form) {
        if (wanted === undefined || !(await isThere(ctx, scope, wanted))) return [];
        const caller = { showsSecrets: showsSecrets(ctx, scope), now: ctx.now(), showsScope: texts.showsScope };
        return ctx.db.apart(texts.work, { scope, filter: wanted, page, form, ...caller });
      },
      sortKey: ({ accessorId }) => accessorId,
      hasHidden: (db, scope) => hasHiddenTokens(db, scope, ctx.now()),
    };
  });
}

/** Secrets are for those who may write tokens where this one lies; see `giving.ts` for who is shown none all the same. */
function showsSecrets(ctx: Pick<Context, "actor">, scope: Scope): boolean {
  return isShownSecrets(ctx) && authorize(ctx.actor, "acl", "", "write", scope);
}

async function isThere({ db }: Context, scope: ListScope, { policy, role }: TokenFilter): Promise<boolean> {
  if (policy !== "") return isListed(db, "policies", scope, policy);
  return role === "" || isListed(db, "roles", scope, role);
}

/** @returns the filter with its texts in stored spelling; undefined when nothing can fit it */
function checkFilter(filter: TokenFilter): TokenFilter | undefined {
  const { policy, role, serviceName, authMethod } = filter;
  if ([policy, role, serviceName, authMethod].filter((text) => text !== "").length > 1) {
    throw new AppError("bad_parameter", "can only filter by one of policy, role, serviceName, or methodName at a time");
  }
  const ids = { policy: checkFilterId(policy, "policy"), role: checkFilterId(role, "role") };
  const service = fold(serviceName);
  if (service !== "" && !isIdentityName(service)) return undefined;
  return { ...filter, ...ids, serviceName: service };
}

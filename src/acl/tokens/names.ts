/** Names of tokens by their AccessorIDs, for pages that show who did a thing. Implements `/v1/acl/token-names`. */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { authorize } from "../../rights/authorize.ts";
import { checkFilterId } from "../../rights/uuid.ts";
import { isExpired } from "./reads.ts";
import { tokenStore, type Token } from "./store.ts";

export type NamedToken = Pick<Token, "accessorId" | "description" | "authMethod" | "scope">;

/** Maximum number of AccessorIDs in one request: each is a read by a unique key. */
export const MOST_NAMED_TOKENS = 64;

/**
 * Returns those of the tokens that the caller may read, wherever they lie. A token that is missing and one that the caller may
 * not read are left out alike, after the same reads.
 *
 * @throws AppError `bad_parameter` for too many, and for a text that is no AccessorID
 */
export async function nameTokens(ctx: Context, accessorIds: readonly string[]): Promise<NamedToken[]> {
  const distinct = [...new Set(accessorIds.map((id) => checkFilterId(id, "token")))].filter((id) => id !== "");
  if (distinct.length > MOST_NAMED_TOKENS)
    throw new AppError("bad_parameter", `Too many AccessorIDs: at most ${MOST_NAMED_TOKENS} per request`);
  const tokens = await Promise.all(distinct.map(async (id) => tokenStore.anywhere(ctx.db, id)));
  return tokens.filter(
    (token) => token !== undefined && !isExpired(token, ctx.now()) && mayName(ctx, token),
  ) as Token[];
}

/** One's own token needs no permission. */
function mayName({ actor }: Context, { accessorId, scope }: Token): boolean {
  return (!actor.anonymous && actor.accessorId === accessorId) || authorize(actor, "acl", "", "read", scope);
}

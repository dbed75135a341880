/** Shows the secret of a token once more, and puts on record that it was shown. Implements `POST /v1/acl/token/:accessor/reveal`. */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { checkPermission } from "../../rights/permission.ts";
import type { Scope } from "../../rights/scope.ts";
import { isUuid } from "../../rights/uuid.ts";
import { changeIn } from "../kit/write.ts";
import { checkMayBeGiven } from "./giving.ts";
import { linkToken, type LinkedToken } from "./linked.ts";
import { isExpired } from "./reads.ts";
import { openSecret } from "./secrets.ts";
import { tokenStore } from "./store.ts";
import { readLastUses } from "./use-store.ts";

const NOT_A_SESSION = "console sessions cannot read secrets. Send a token with the request";

/**
 * Returns a token with its secret, after an audit record names the caller. The caller must use a token and not a
 * session: a script on a page of the console knows no secret, and learns none.
 *
 * @throws AppError `not_found`, `forbidden`, also to any session, `conflict` when the namespace is being deleted
 */
export async function revealToken(ctx: Context, scope: Scope, accessor: string): Promise<LinkedToken> {
  checkPermission(ctx, scope, "acl", "write");
  if (ctx.actor.session !== undefined) {
    throw new AppError("forbidden", `Permission denied: ${NOT_A_SESSION}`, {
      refused: { kind: "request", name: "reveal", scope, reason: NOT_A_SESSION },
    });
  }
  checkMayBeGiven(ctx);
  if (!isUuid(accessor)) throw new AppError("not_found", "AccessorID is not a valid UUID");
  const id = accessor.toLowerCase();
  const token = await changeIn(ctx, scope, async (tx) => {
    const current = await tokenStore.find(tx, scope, id);
    if (current === undefined || isExpired(current, ctx.now())) {
      throw new AppError("not_found", `Cannot find token "${id}"`);
    }
    const subject = { kind: "token", objectId: id, name: current.description };
    tx.record({ ...current.scope, ...subject, action: "reveal", isOfRead: true });
    return current;
  });
  const [secret, uses] = await Promise.all([openSecret(ctx.db, token), readLastUses(ctx.db, [token])]);
  return linkToken(ctx, token, secret, uses.get(id));
}

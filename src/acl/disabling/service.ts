/**
 * Disables tokens and enables them again. Implements `PUT /v1/acl/token/:accessor/disable` and `…/enable`. The sessions of a
 * disabled token end for good; streams and waits end as after a deletion, since they rest on the row of the token.
 */
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { ANONYMOUS } from "../../rights/reserved-secrets.ts";
import { checkPermission } from "../../rights/permission.ts";
import { isUuid } from "../../rights/uuid.ts";
import { changeIn, checkCas } from "../kit/write.ts";
import type { WriteTarget } from "../kit/objects.ts";
import { removeAll } from "../sessions/service.ts";
import { listSessionsOf } from "../sessions/store.ts";
import { isDisabled, setDisabled } from "../tokens/disabled.ts";
import { linkToken, type LinkedToken } from "../tokens/linked.ts";
import { isExpired } from "../tokens/reads.ts";
import { shownSecret } from "../tokens/secrets.ts";
import { tokenStore } from "../tokens/store.ts";
import { readLastUses } from "../tokens/use-store.ts";

/**
 * Disables a token; one that is disabled stays as it is.
 *
 * @throws AppError `not_found`, `invalid` for the anonymous token and the caller's own, `conflict`, `forbidden`
 */
export function disableToken(ctx: Context, target: WriteTarget): Promise<LinkedToken> {
  return change(ctx, target, new Date(ctx.now()).toISOString());
}

/**
 * Enables a token; one that is enabled stays as it is.
 *
 * @throws AppError `not_found`, `conflict`, `forbidden`
 */
export function enableToken(ctx: Context, target: WriteTarget): Promise<LinkedToken> {
  return change(ctx, target, "");
}

async function change(ctx: Context, { scope, key, cas }: WriteTarget, disabledAt: string): Promise<LinkedToken> {
  checkPermission(ctx, scope, "acl", "write");
  if (!isUuid(key)) throw new AppError("not_found", "AccessorID is not a valid UUID");
  const id = key.toLowerCase();
  const disables = disabledAt !== "";
  const token = await changeIn(ctx, scope, async (tx, note) => {
    const [current, sessions, index] = await Promise.all([
      tokenStore.find(tx, scope, id),
      disables ? listSessionsOf(tx, id) : [],
      tx.index(),
    ]);
    if (current === undefined || isExpired(current, ctx.now())) {
      throw new AppError("not_found", `Cannot find token "${id}"`);
    }
    if (disables) checkMayBeDisabled(ctx, id);
    checkCas(cas, current);
    if (isDisabled(current) === disables) return current;
    removeAll(tx, note, scope, sessions, "end");
    return setDisabled(tx, note, current, index, disabledAt);
  });
  const [secret, uses] = await Promise.all([shownSecret(ctx, token), readLastUses(ctx.db, [token])]);
  return linkToken(ctx, token, secret, uses.get(id));
}

/** As for a deletion: nobody locks out themselves. */
function checkMayBeDisabled({ actor }: Context, id: string): void {
  if (id === ANONYMOUS.accessorId) throw invalid("Disabling is not permitted on the anonymous token");
  if (id === actor.accessorId) throw invalid("Disabling of the request's authorization token is not permitted");
}

/** Makes a token of the trash anew: with its AccessorID, grants and expiration, and with a secret that nobody has had. */
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { TOKENS } from "../../rights/kinds.ts";
import { checkPermission } from "../../rights/permission.ts";
import { newUuid } from "../../rights/uuid.ts";
import { changeIn } from "../kit/write.ts";
import type { Restoring } from "../kit/trash.ts";
import { BY_NO_METHOD, checkCopied } from "./check.ts";
import { checkMayBeGiven } from "./giving.ts";
import { sealSecret } from "./secrets.ts";
import { assemble, checkContent, resolveGrants, type TokenInput } from "./service.ts";
import { isIdStored, writeTokens, type Token } from "./store.ts";

/** Members that a restored token has as before. */
export type TrashedToken = TokenInput &
  Pick<Token, "scope" | "expirationTime" | "expiresAt" | "createdAt" | "disabledAt">;

/**
 * Restores a token. A disabled one is disabled again.
 *
 * @returns the new secret
 * @throws AppError `not_found`, `invalid` for one that expires too soon, `limit_reached`, `forbidden`
 */
export async function restoreToken(ctx: Context, trashed: TrashedToken, restoring: Restoring): Promise<string> {
  const { scope, isLocal, expirationTime, expiresAt, createdAt, disabledAt, description } = trashed;
  checkPermission(ctx, scope, "acl", "write");
  checkMayBeGiven(ctx);
  checkCopied({ expirationTime, expiresAt }, ctx.now());
  checkContent(trashed, scope);
  const accessorId = restoring.objectId;
  const secretId = newUuid();
  const secret = await sealSecret(ctx.db, accessorId, secretId);
  const kept = { scope, isLocal, ...BY_NO_METHOD, expirationTime, expiresAt, createdAt, disabledAt };
  await changeIn(ctx, scope, async (tx, change) => {
    const living = await restoring.take(tx, trashed);
    const [index, grants, isTaken] = await Promise.all([
      tx.index(),
      resolveGrants(tx, scope, living),
      isIdStored(tx, accessorId, []),
    ]);
    // A caller that chooses IDs may have used it meanwhile.
    if (isTaken) throw invalid("Invalid Token: AccessorID is already in use");
    const base = { accessorId, ...secret, ...kept, createIndex: index, modifyIndex: index };
    writeTokens.insert(tx, assemble(base, description, grants), restoring.told);
    change(TOKENS, accessorId);
  });
  return secretId;
}

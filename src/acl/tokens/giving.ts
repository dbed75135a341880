/**
 * Credentials that outlast the request: tokens that are made or cloned, secrets that are given or shown, sessions that begin.
 * The one place that says to whom none is given, whatever its rights: to who was found by a secret in its overlap. What is
 * ending prolongs itself by none of these ways.
 */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";

const REASON =
  "the secret of this request was rotated and cannot create lasting credentials. Use the new secret, " +
  "or repeat that rotation within ten minutes with the Idempotency-Key that it had";

/**
 * Asked before a credential is given.
 *
 * @throws AppError `forbidden` for who was found by an old secret, and says which way is left
 */
export function checkMayBeGiven({ actor }: Pick<Context, "actor">): void {
  if (actor.byOldSecret !== true) return;
  throw new AppError("forbidden", `Permission denied: ${REASON}`, {
    refused: { kind: "request", name: "old-secret", scope: actor.scope, reason: REASON },
  });
}

/**
 * Checks whether the caller may see stored secrets: neither a browser page nor a caller with a secret in its overlap
 * may.
 */
export function isShownSecrets({ actor }: Pick<Context, "actor">): boolean {
  return actor.session === undefined && actor.byOldSecret !== true;
}

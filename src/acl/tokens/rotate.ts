/** Gives a token another secret. Implements `POST /v1/acl/token/:accessor/rotate`. */
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { formatDuration } from "../../go/duration.ts";
import { checkCas, changeIn } from "../write.ts";
import { TOKENS } from "../kinds.ts";
import type { Target } from "../objects.ts";
import { checkPermission } from "../permission.ts";
import { isUuid, newUuid } from "../uuid.ts";
import { linkToken, type LinkedToken } from "./linked.ts";
import { listOldSecrets, replaceOldSecrets, type OldSecret } from "./old-secrets.ts";
import { isExpired } from "./reads.ts";
import { ANONYMOUS, sealSecret } from "./secrets.ts";
import { tokenStore, writeTokens, type Token } from "./store.ts";
import { readLastUses } from "./use-store.ts";

const NS_PER_MS = 1_000_000n;
/** Nanoseconds for which an old secret counts at most: seven days. */
const MAX_OVERLAP = 7n * 24n * 3_600_000n * NS_PER_MS;
/** Old secrets of a token that count at the same time. */
const MOST_OLD = 4;

export interface RotatedToken {
  token: LinkedToken;
  /** Until when the secrets of before count at most, in milliseconds since the epoch; undefined when they do not. */
  oldUntil: number | undefined;
}

/**
 * Gives a token a new secret. The one that it had counts for `overlap` more, and none that it had before that counts for longer:
 * without an overlap only the new one does.
 *
 * @param overlap nanoseconds
 * @throws AppError `not_found`, `invalid` for the anonymous token and for an overlap out of bounds, `conflict`, `forbidden`
 */
export async function rotateToken(ctx: Context, { scope, key, cas }: Target, overlap: bigint): Promise<RotatedToken> {
  checkPermission(ctx, scope, "acl", "write");
  if (!isUuid(key)) throw new AppError("not_found", "AccessorID is not a valid UUID");
  if (overlap < 0n || overlap > MAX_OVERLAP) {
    throw invalid(`Overlap has to be between 0 and ${formatDuration(MAX_OVERLAP)} (was ${formatDuration(overlap)})`);
  }
  const id = key.toLowerCase();
  const secretId = newUuid();
  const secret = await sealSecret(ctx.db, id, secretId);
  const { token, oldUntil } = await changeIn(ctx, scope, async (tx, change) => {
    // Asked inside, so that what it lasts is counted from when the secret is an old one.
    const now = ctx.now();
    const [current, known, index] = await Promise.all([
      tokenStore.find(tx, scope, id),
      listOldSecrets(tx, id),
      tx.index(),
    ]);
    if (current === undefined || isExpired(current, now)) throw new AppError("not_found", `Cannot find token "${id}"`);
    if (id === ANONYMOUS.accessorId) throw invalid("Rotation is not permitted on the anonymous token");
    checkCas(cas, current);
    const end = overlap === 0n ? undefined : now + Number(overlap / NS_PER_MS);
    replaceOldSecrets(tx, id, end === undefined ? [] : oldSecrets(current, known, now, end));
    const rotated = { ...current, ...secret, modifyIndex: index };
    const oldSecretsUntil = end === undefined ? {} : { oldSecretsUntil: new Date(end).toISOString() };
    writeTokens.update(tx, rotated, current, { action: "rotate", detail: oldSecretsUntil });
    change(TOKENS, id);
    return { token: rotated, oldUntil: end };
  });
  const uses = await readLastUses(ctx.db, [token]);
  return { token: await linkToken(ctx, token, secretId, uses.get(id)), oldUntil };
}

function oldSecrets(current: Token, known: readonly OldSecret[], now: number, end: number): OldSecret[] {
  const living = known.filter(({ expiresAt }) => expiresAt > now);
  if (living.length >= MOST_OLD) {
    throw new AppError(
      "conflict",
      `The token has ${MOST_OLD} old secrets that count already; rotate it without an Overlap`,
    );
  }
  const { secretLookup, accessorId } = current;
  return [
    ...living.map((old) => ({ ...old, expiresAt: Math.min(old.expiresAt, end) })),
    { secretLookup, accessorId, expiresAt: end },
  ];
}

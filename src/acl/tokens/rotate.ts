/** Gives a token another secret. Implements `POST /v1/acl/token/:accessor/rotate`. */
import type { Context } from "../../context.ts";
import type { Transaction } from "../../storage/database.ts";
import type { Scope } from "../../rights/scope.ts";
import { AppError, invalid } from "../../errors.ts";
import { formatDuration } from "../../go/duration.ts";
import { noted, ROTATIONS, type Noted } from "../idempotency.ts";
import { type NoteChange, changePrepared, checkCas, Outdated, Settled } from "../kit/write.ts";
import { TOKENS } from "../../rights/kinds.ts";
import type { WriteTarget } from "../kit/objects.ts";
import { checkPermission } from "../../rights/permission.ts";
import { isUuid, newUuid } from "../../rights/uuid.ts";
import { checkMayBeGiven } from "./giving.ts";
import { linkToken, type LinkedToken } from "./linked.ts";
import { ANONYMOUS } from "../../rights/reserved-secrets.ts";
import { listOldSecrets, replaceOldSecrets, type OldSecret } from "./old-secrets.ts";
import { isExpired } from "./reads.ts";
import { openSecret, sealSecret } from "./secrets.ts";
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

/** Options of a rotation. */
export interface Rotation {
  /** Time for which the previous secret stays valid, in nanoseconds. */
  overlap: bigint;
  /** The `Idempotency-Key`: a repetition with this key returns the secret of the first rotation, for ten minutes. */
  idempotencyKey?: string | undefined;
}

/** Result of a rotation, with the new secret. */
interface Rotated {
  token: Token;
  secretId: string;
  oldUntil: number | undefined;
}

/**
 * Gives a token a new secret. The previous secret stays valid for `overlap`, and no older one stays valid for longer:
 * without an overlap only the new one is valid. A repeated rotation returns the result of the first one, also to a
 * caller with a secret in its overlap: a caller who lost the answer has no other.
 *
 * @throws AppError `not_found`, `invalid` for the anonymous token and for an overlap out of bounds, `conflict`,
 * `forbidden`, `rate_limited`
 */
export async function rotateToken(ctx: Context, target: WriteTarget, rotation: Rotation): Promise<RotatedToken> {
  const { scope, key, cas } = target;
  const { overlap, idempotencyKey } = rotation;
  checkPermission(ctx, scope, "acl", "write");
  if (!isUuid(key)) throw new AppError("not_found", "AccessorID is not a valid UUID");
  if (overlap < 0n || overlap > MAX_OVERLAP) {
    throw invalid(`Overlap must be between 0 and ${formatDuration(MAX_OVERLAP)} (was ${formatDuration(overlap)})`);
  }
  const id = key.toLowerCase();
  const body = ["rotate", id, overlap.toString(), cas ?? null];
  const note = idempotencyKey === undefined ? undefined : noted(ctx, scope, { key: idempotencyKey, body }, ROTATIONS);
  const prepare = async (): Promise<NewSecret | Settled<Rotated>> => {
    const repeated = await repeatedRotation(ctx, scope, id, note);
    if (repeated !== undefined) return repeated;
    checkMayBeGiven(ctx);
    const secretId = newUuid();
    return { secretId, ...(await sealSecret(ctx.db, id, secretId)) };
  };
  const work = (tx: Transaction, change: NoteChange, secret: NewSecret): Promise<Rotated> =>
    replaceSecret(ctx, tx, change, { scope, id, cas, overlap, note, secret });
  const { token, secretId, oldUntil } = await changePrepared(ctx, scope, `rotation of ${id}`, prepare, work);
  const uses = await readLastUses(ctx.db, [token]);
  return { token: await linkToken(ctx, token, secretId, uses.get(id)), oldUntil };
}

type NewSecret = Pick<Token, "secretLookup" | "secretSealed"> & { secretId: string };

/**
 * Returns the result of the earlier request. The token itself contains the encrypted secret: the note contains only its
 * lookup key.
 *
 * @throws AppError `not_found` when the token does not exist, `conflict` when it has had another rotation since
 */
async function repeatedRotation(
  ctx: Context,
  scope: Scope,
  id: string,
  note: Noted | undefined,
): Promise<Settled<Rotated> | undefined> {
  const [secretLookup, end = ""] = (await note?.find(ctx.db))?.split(" ") ?? [];
  if (secretLookup === undefined) return undefined;
  const token = await tokenStore.find(ctx.db, scope, id);
  if (token === undefined || isExpired(token, ctx.now())) throw new AppError("not_found", `Cannot find token "${id}"`);
  if (token.secretLookup !== secretLookup) {
    throw new AppError("conflict", "The token was rotated again after the rotation with this Idempotency-Key");
  }
  return new Settled({
    token,
    secretId: await openSecret(ctx.db, token),
    oldUntil: end === "" ? undefined : Number(end),
  });
}

interface Replacement extends Pick<WriteTarget, "scope" | "cas"> {
  id: string;
  /** Nanoseconds. */
  overlap: bigint;
  note: Noted | undefined;
  secret: NewSecret;
}

/** The rotation, as the only writer. */
async function replaceSecret(ctx: Context, tx: Transaction, change: NoteChange, given: Replacement): Promise<Rotated> {
  const { scope, id, cas, overlap, note } = given;
  const { secretId, ...secret } = given.secret;
  // Asked inside, so that what it lasts is counted from when the secret is an old one.
  const now = ctx.now();
  const [current, known, index, earlier] = await Promise.all([
    tokenStore.find(tx, scope, id),
    listOldSecrets(tx, id),
    tx.index(),
    note?.findOrCheckRoom(tx),
  ]);
  if (earlier !== undefined) throw new Outdated();
  if (current === undefined || isExpired(current, now)) throw new AppError("not_found", `Cannot find token "${id}"`);
  if (id === ANONYMOUS.accessorId) throw invalid("Rotation is not permitted on the anonymous token");
  checkCas(cas, current);
  // By a clock in doubt a secret that counts again, once that is set, would be gone.
  const kept = ctx.db.forGood.isInDoubt() ? known : known.filter(({ expiresAt }) => expiresAt > now);
  const oldUntil = overlap === 0n ? undefined : now + Number(overlap / NS_PER_MS);
  replaceOldSecrets(tx, id, oldUntil === undefined ? [] : oldSecrets(current, kept, oldUntil));
  const token = { ...current, ...secret, modifyIndex: index };
  const detail = oldUntil === undefined ? {} : { oldSecretsUntil: new Date(oldUntil).toISOString() };
  writeTokens.update(tx, token, current, { action: "rotate", detail });
  note?.note(tx, `${secret.secretLookup} ${oldUntil ?? ""}`);
  change(TOKENS, id);
  return { token, secretId, oldUntil };
}

function oldSecrets(current: Token, living: readonly OldSecret[], end: number): OldSecret[] {
  if (living.length >= MOST_OLD) {
    throw new AppError(
      "conflict",
      `The token already has ${MOST_OLD} old secrets that are still valid. Rotate without Overlap to revoke them`,
    );
  }
  const { secretLookup, accessorId } = current;
  return [
    ...living.map((old) => ({ ...old, expiresAt: Math.min(old.expiresAt, end) })),
    { secretLookup, accessorId, expiresAt: end },
  ];
}

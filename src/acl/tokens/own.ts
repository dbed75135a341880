import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { UNKNOWN_TOKEN } from "../../refused.ts";
import type { Database } from "../../storage/database.ts";
import { createDerivedCache, type Dependency } from "../../storage/reads/derived-cache.ts";
import { AUTH_METHODS, POLICIES, ROLES, TOKENS } from "../../rights/kinds.ts";
import { fold } from "../../fold.ts";
import { shownSecret } from "./secrets.ts";
import { linkToken, type LinkedToken } from "./linked.ts";
import { isExpired } from "./reads.ts";
import { findTokenWithUse } from "./use-store.ts";
import { dayOf, endOfDay } from "./uses.ts";

/** The caller's own token with its secret. */
export interface OwnToken {
  token: LinkedToken;
  /** Rendered answer, made once for as long as the token is kept. */
  json: string;
  /** Until when its last use is known, in milliseconds since the epoch. */
  freshUntil: number;
}

/**
 * Reads the caller's own token, which needs no permission; in the same turn where it is known.
 *
 * @param secretId that the caller presented: who has only an old one is not shown the new one
 * @throws AppError `forbidden` when it is gone since
 */
export type ReadOwnToken = (ctx: Context, secretId: string) => Promise<OwnToken> | OwnToken;

/** A use is told by no event: until the one of today is there it is looked for as often. */
const USE_MS = 2000;

const CACHE_BYTES = 8 * 1024 * 1024;
/** Approximate memory of a token without links, identities and text, in bytes. */
const TOKEN_BYTES = 1200;
const LINK_BYTES = 150;

/**
 * Answers the most frequent request of clients. When this process makes all writes, its caches are exact, and the token
 * is kept as rendered. Otherwise a read must include the latest writes of other nodes, and reads the database.
 */
export function createOwnTokenReader(db: Database, render: (token: LinkedToken) => string): ReadOwnToken {
  const read = async (ctx: Context, secretId?: string): Promise<OwnToken> => {
    const token = await readOwn(ctx, secretId);
    return { token, json: render(token), freshUntil: freshUntil(token, ctx.now()) };
  };
  const readAsOld = (ctx: Context, secretId: string) =>
    read(ctx, ctx.actor.byOldSecret && ctx.actor.session === undefined ? secretId : undefined);
  if (db.engine === "postgres") return readAsOld;
  const cache = createDerivedCache<OwnToken>({
    feed: db.feed,
    name: "own-tokens",
    maxBytes: CACHE_BYTES,
    sizeOf: ({ token, json }) => TOKEN_BYTES + LINK_BYTES * (token.policies.length + token.roles.length) + json.length,
  });
  const living = (own: OwnToken, ctx: Context): OwnToken => {
    if (isExpired(own.token, ctx.now())) throw new AppError("forbidden", "ACL not found", { refused: UNKNOWN_TOKEN });
    return own;
  };
  return (ctx, secretId) => {
    const { accessorId, byOldSecret, session } = ctx.actor;
    // The cached text contains the current secret.
    if (byOldSecret || session !== undefined) return readAsOld(ctx, secretId);
    const known = cache.get(accessorId);
    if (known !== undefined && ctx.now() < known.freshUntil) return living(known, ctx);
    return cache.fill(accessorId, () => read(ctx), dependenciesOf).then((own) => living(own, ctx));
  };
}

/** @param secretId the secret as it is to be shown; undefined for that of the token */
async function readOwn(ctx: Context, secretId: string | undefined): Promise<LinkedToken> {
  const found = await findTokenWithUse(ctx.db, ctx.actor.accessorId);
  if (found === undefined || isExpired(found.token, ctx.now()))
    throw new AppError("forbidden", "ACL not found", { refused: UNKNOWN_TOKEN });
  const { token, lastUsed } = found;
  return linkToken(ctx, token, secretId ?? (await shownSecret(ctx, token)), lastUsed);
}

function freshUntil({ lastUsed }: LinkedToken, now: number): number {
  const isOfToday = lastUsed !== "" && dayOf(Date.parse(lastUsed)) === dayOf(now);
  return isOfToday ? endOfDay(now) : now + USE_MS;
}

/** The token, and the names of what it links to; undefined, not to be kept, where identities make it large. */
function dependenciesOf({ token }: OwnToken): Dependency[] | undefined {
  const { partition } = token.scope;
  if (token.serviceIdentities.length + token.nodeIdentities.length + token.templatedPolicies.length > 10)
    return undefined;
  return [
    { partition, table: TOKENS, key: token.accessorId },
    ...(token.authMethod === "" ? [] : [{ partition, table: AUTH_METHODS, key: fold(token.authMethod) }]),
    ...token.policies.map(({ id }) => ({ partition, table: POLICIES, key: id })),
    ...token.roles.map(({ id }) => ({ partition, table: ROLES, key: id })),
  ];
}

import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { UNKNOWN_TOKEN } from "../../refused.ts";
import type { Database } from "../../storage/database.ts";
import { createDerivedCache, type Dependency } from "../../storage/derived-cache.ts";
import { AUTH_METHODS, POLICIES, ROLES, TOKENS } from "../kinds.ts";
import { fold } from "../rules/fold.ts";
import { openSecret } from "./secrets.ts";
import { linkToken, type LinkedToken } from "./linked.ts";
import { isExpired } from "./reads.ts";
import { tokenStore } from "./store.ts";

/** The caller's own token with its secret. */
export interface OwnToken {
  token: LinkedToken;
  /** As it is answered: made once for as long as the token is kept. */
  json: string;
}

/**
 * Reads the caller's own token, which needs no permission; in the same turn where it is known.
 *
 * @throws AppError `forbidden` when it is gone since
 */
export type ReadOwnToken = (ctx: Context) => Promise<OwnToken> | OwnToken;

const CACHE_BYTES = 8 * 1024 * 1024;
/** Of a token without links and identities and without its text, about. */
const TOKEN_BYTES = 1200;
const LINK_BYTES = 150;

/**
 * What clients ask most. Where this process makes all writes its caches are
 * exact, so the token is kept as it is shown; elsewhere a read must see what
 * other nodes have just written, so it is read.
 */
export function createOwnTokenReader(db: Database, render: (token: LinkedToken) => string): ReadOwnToken {
  const read = async (ctx: Context): Promise<OwnToken> => {
    const token = await readOwn(ctx);
    return { token, json: render(token) };
  };
  if (db.engine === "postgres") return read;
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
  return (ctx) => {
    const { accessorId } = ctx.actor;
    const known = cache.get(accessorId);
    if (known !== undefined) return living(known, ctx);
    return cache.fill(accessorId, () => read(ctx), dependenciesOf).then((own) => living(own, ctx));
  };
}

async function readOwn(ctx: Context): Promise<LinkedToken> {
  const token = await tokenStore.anywhere(ctx.db, ctx.actor.accessorId);
  if (token === undefined || isExpired(token, ctx.now()))
    throw new AppError("forbidden", "ACL not found", { refused: UNKNOWN_TOKEN });
  return linkToken(ctx, token, await openSecret(ctx.db, token));
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

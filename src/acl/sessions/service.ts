/** Sessions of the console: begun by who shows a token's secret or logs in, listed, and ended. Implements `/v1/acl/session`. */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { UNKNOWN_TOKEN } from "../../refused.ts";
import type { Transaction } from "../../storage/database.ts";
import { authorize } from "../../rights/authorize.ts";
import { POOLS } from "../../pools.ts";
import { networkOf } from "../../limits/network.ts";
import { SESSIONS } from "../../rights/kinds.ts";
import { checkPermission } from "../../rights/permission.ts";
import { isIn, type Scope } from "../../rights/scope.ts";
import { checkMayBeGiven } from "../tokens/giving.ts";
import { removeLoginToken } from "../tokens/login.ts";
import { tokenStore, type Token } from "../tokens/store.ts";
import { newUuid } from "../../rights/uuid.ts";
import { changeIn, changeRegardless, type NoteChange } from "../kit/write.ts";
import { isOver } from "./life.ts";
import { decideRecords } from "./on-record.ts";
import {
  deleteSessions,
  findSession,
  insertSession,
  listSessionsIn,
  listSessionsOf,
  markSignedIn,
  type ConsoleSession,
  wasSignedIn,
} from "./store.ts";

/**
 * Maximum number of sessions of a token. For a further one, the server ends the longest idle session of the address
 * that has the most.
 */
export const MOST_OF_TOKEN = POOLS.sessions.size;
/** Maximum number of listed sessions: those that were used last. */
export const MOST_LISTED = 1000;

/** Properties of a new session. */
export interface NewSession {
  secretId: string;
  /** Whether the token was made for it. */
  madeByLogin: boolean;
  address: string;
  userAgent: string;
}

/**
 * Begins a session of the caller's own token.
 *
 * @throws AppError `forbidden` when the token has gone meanwhile, and by a secret in its overlap
 */
export async function beginSession(ctx: Context, given: NewSession): Promise<ConsoleSession> {
  checkMayBeGiven(ctx);
  const { accessorId, scope } = ctx.actor;
  const now = ctx.now();
  const { madeByLogin, address, userAgent } = given;
  const secretLookup = ctx.db.keyring.lookup(given.secretId);
  const times = { createdAt: now, activeAt: now };
  const session: ConsoleSession = {
    id: newUuid(),
    accessorId,
    secretLookup,
    madeByLogin,
    address,
    userAgent,
    ...times,
  };
  const onRecord = decideRecords(ctx);
  const begin = async (tx: Transaction, change: NoteChange): Promise<ConsoleSession> => {
    const [token, others, isFirst] = await Promise.all([
      tokenStore.anywhere(tx, accessorId),
      listSessionsOf(tx, accessorId),
      wasSignedIn(tx).then((was) => !was),
    ]);
    if (token === undefined) throw new AppError("forbidden", "ACL not found", { refused: UNKNOWN_TOKEN });
    const living = others.filter((other) => !isOver(other, now));
    // By a clock in doubt a session that counts again, once that is set, would be gone.
    const over = ctx.db.forGood.isInDoubt() ? [] : others.filter((other) => isOver(other, now));
    removeAll(tx, change, scope, over, "expire");
    const displaced = displacedBy(session, living, MOST_OF_TOKEN);
    removeAll(tx, change, scope, displaced, "displace", (other) => onRecord.isDue("end", other));
    insertSession(tx, session);
    if (onRecord.isDue("begin", session)) record(tx, scope, session, "begin", { address, userAgent, madeByLogin });
    else tx.unrecorded(IS_ON_RECORD);
    if (isFirst) markSignedIn(tx, now);
    return session;
  };
  return onRecord.during(changeIn(ctx, scope, begin));
}

/**
 * Returns the sessions to end for a new one. A client that begins one session after the other displaces its own, and
 * not those of others.
 *
 * @param living of the same token, the longest idle first
 */
export function displacedBy<S extends Pick<ConsoleSession, "address">>(
  added: Pick<ConsoleSession, "address">,
  living: readonly S[],
  most: number,
): S[] {
  const left = new Set(living);
  const displaced: S[] = [];
  while (left.size + 1 > most) {
    const counts = new Map([[networkOf(added.address), 1]]);
    for (const { address } of left) counts.set(networkOf(address), (counts.get(networkOf(address)) ?? 0) + 1);
    const largest = Math.max(...[...left].map(({ address }) => counts.get(networkOf(address)) ?? 0));
    const [goes] = [...left].filter(({ address }) => counts.get(networkOf(address)) === largest);
    if (goes === undefined) break;
    displaced.push(goes);
    left.delete(goes);
  }
  return displaced;
}

/** A session with where its token lies. */
export interface ListedSession extends ConsoleSession {
  scope: Scope;
  /** Whether the request came by it. */
  isCurrent: boolean;
}

/** The caller's own sessions, and all of the scope where it may read tokens there: those that were used last come first. */
export async function listSessions(ctx: Context, scope: Scope): Promise<ListedSession[]> {
  const { actor, db } = ctx;
  const seesAll = authorize(actor, "acl", "", "read", scope);
  const [own, all] = await Promise.all([
    actor.anonymous ? [] : listSessionsOf(db, actor.accessorId),
    seesAll ? listSessionsIn(db, scope, MOST_LISTED) : [],
  ]);
  const now = ctx.now();
  const isLiving = (session: ConsoleSession) => !isOver(session, now);
  const mine = own.filter(isLiving).map((session) => ({ ...session, scope: actor.scope }));
  const others = all.filter((session) => session.accessorId !== actor.accessorId && isLiving(session));
  // One's own are there however many others were used later.
  return [...mine, ...others.slice(0, MOST_LISTED - mine.length).map((session) => ({ ...session, scope }))]
    .map((session) => ({ ...session, isCurrent: session.id === actor.session }))
    .toSorted((one, other) => other.activeAt - one.activeAt);
}

/**
 * Ends a session: one's own, or any of the scope.
 *
 * @throws AppError `forbidden` for another's without acl:write, `not_found` for none
 */
export async function endSession(ctx: Context, scope: Scope, id: string): Promise<void> {
  const { actor } = ctx;
  const found = await findSession(ctx.db, id);
  const isOwn = found !== undefined && !actor.anonymous && found.accessorId === actor.accessorId;
  if (!isOwn) checkPermission(ctx, scope, "acl", "write");
  const where = isOwn ? actor.scope : scope;
  const onRecord = isOwn ? decideRecords(ctx) : undefined;
  const end = async (tx: Transaction, change: NoteChange): Promise<void> => {
    const session = await findSession(tx, id);
    const token = session && (await tokenStore.anywhere(tx, session.accessorId));
    if (session === undefined || token === undefined || !isIn(token.scope, where)) throw noSession();
    removeAll(tx, change, where, [session], "end", (ended) => onRecord?.isDue("end", ended) ?? true);
  };
  const ended = changeIn(ctx, where, end);
  await (onRecord?.during(ended) ?? ended);
}

function noSession(): AppError {
  return new AppError("not_found", "session does not exist");
}

/** Signs out: ends the session that the request came by, and its token where that was made for it. */
export async function signOut(ctx: Context): Promise<void> {
  const { session: id = "", scope } = ctx.actor;
  const onRecord = decideRecords(ctx);
  const end = async (tx: Transaction, change: NoteChange): Promise<void> => {
    const session = await findSession(tx, id);
    if (session === undefined) return;
    removeAll(tx, change, scope, [session], "end", (ended) => onRecord.isDue("end", ended));
    const token = session.madeByLogin ? await tokenStore.anywhere(tx, session.accessorId) : undefined;
    if (token !== undefined) removeLoginToken(tx, change, token);
  };
  await onRecord.during(changeRegardless(ctx, scope, end));
}

/** The session that a request came by. @throws AppError `not_found` when it has ended just now */
export async function readOwnSession(ctx: Context): Promise<{ session: ConsoleSession; token: Token }> {
  const [session, token] = await Promise.all([
    findSession(ctx.db, ctx.actor.session ?? ""),
    tokenStore.anywhere(ctx.db, ctx.actor.accessorId),
  ]);
  if (session === undefined || token === undefined) throw noSession();
  return { session, token };
}

type Ended = Pick<ConsoleSession, "id" | "accessorId">;

const IS_ON_RECORD = "the token did this from the same address within the last minute, which is recorded";

/**
 * Ends sessions whose tokens lie in one scope, and puts that on record.
 *
 * @param action `end`, `expire` or `displace`
 * @param isDue whether one is to be on record: those that no right asks for may be left out
 */
export function removeAll<S extends Ended>(
  tx: Transaction,
  change: NoteChange,
  scope: Scope,
  sessions: readonly S[],
  action: "end" | "expire" | "displace",
  isDue: (session: S) => boolean = () => true,
): void {
  deleteSessions(tx, sessions);
  for (const session of sessions) {
    change(SESSIONS, session.id);
    if (isDue(session)) record(tx, scope, session, action);
    else tx.unrecorded(IS_ON_RECORD);
  }
}

function record(tx: Transaction, scope: Scope, { id, accessorId }: Ended, action: string, detail: object = {}): void {
  // The name of a session in audit records is the AccessorID of its token.
  tx.record({ ...scope, kind: "session", objectId: id, name: accessorId, action, detail: { ...detail } });
}

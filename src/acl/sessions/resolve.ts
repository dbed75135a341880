/**
 * Finds the actor behind a session of the console: the holder of the secret that began it, for as long as the session
 * lasts. Derived values are cached as for secrets, and dropped when their source changes.
 */
import type { Database } from "../../storage/database.ts";
import { createDerivedCache } from "../../storage/reads/derived-cache.ts";
import type { Actor } from "../../rights/actor.ts";
import { SESSIONS } from "../../rights/kinds.ts";
import { isExpired } from "../tokens/reads.ts";
import { type AccessOptions, createLookupLoader, noteUse, RESOLVED_BYTES, type Resolved } from "../tokens/resolve.ts";
import { dayOf, type TokenUses } from "../tokens/uses.ts";
import type { SessionActivity } from "./activity.ts";
import { endOf, isOver, NOTE_EVERY_MS } from "./life.ts";
import { findSession } from "./store.ts";

/**
 * Returns the actor behind a session; undefined when it does not exist, or when it or its token has ended.
 *
 * @param isActive whether a user makes the request, which keeps the session from ending, and not the page by itself
 * @param isCurrent see `ResolveToken`
 */
export type ResolveSession = (
  id: string,
  isActive: boolean,
  isCurrent?: boolean,
) => Promise<Actor | undefined> | Actor | undefined;

interface ResolvedSession extends Resolved {
  createdAt: number;
  /** The last time that is known here. */
  activeAt: number;
  /** The last time that is on its way into the database, or in it. */
  notedAt: number;
}

const NOBODY: ResolvedSession = { createdAt: 0, activeAt: 0, notedAt: 0 };

const SESSION_CACHE_BYTES = 4 * 1024 * 1024;
const RIGHTS_CACHE_BYTES = 8 * 1024 * 1024;

export interface SessionResolverOptions {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Receives each token that is found. */
  uses?: Pick<TokenUses, "note"> | undefined;
  /** Receives sessions that a user uses. */
  activity?: Pick<SessionActivity, "note"> | undefined;
}

export function createSessionResolver(
  db: Database,
  access: AccessOptions,
  { now, uses, activity }: SessionResolverOptions,
): ResolveSession {
  const loadByLookup = createLookupLoader(db, access, { name: "session-rights", maxBytes: RIGHTS_CACHE_BYTES });
  const cache = createDerivedCache<ResolvedSession>({
    feed: db.feed,
    name: "sessions",
    maxBytes: SESSION_CACHE_BYTES,
    sizeOf: ({ rights }) => RESOLVED_BYTES + (rights?.bytes ?? 0),
  });

  const load = (id: string) => loadSession(db, loadByLookup, id);
  const find = (id: string, how: "fill" | "current"): Promise<ResolvedSession> =>
    cache[how](
      id,
      () => load(id),
      (value) => value.dependencies,
    );

  async function findCurrent(id: string): Promise<ResolvedSession> {
    const resolved = await find(id, "current");
    // The feed does not tell of uses.
    return isOver(resolved, now()) ? load(id) : resolved;
  }

  function actorOf(id: string, resolved: ResolvedSession, isActive: boolean): Actor | undefined {
    const time = now();
    if (isExpired(resolved, time) || isOver(resolved, time)) return undefined;
    if (resolved.refusal !== undefined) throw resolved.refusal;
    const { actor } = resolved;
    if (actor === undefined) return undefined;
    if (isActive) noteActivity(id, resolved, time);
    const day = dayOf(time);
    if (uses !== undefined && resolved.usedOn !== day) noteUse(uses, resolved, time, day);
    return { ...actor, expiresAt: Math.min(actor.expiresAt ?? Infinity, endOf(resolved)) };
  }

  function noteActivity(id: string, resolved: ResolvedSession, time: number): void {
    resolved.activeAt = time;
    if (time - resolved.notedAt < NOTE_EVERY_MS) return;
    if (activity?.note([id, time]) === true) resolved.notedAt = time;
  }

  return (id, isActive, isCurrent) => {
    if (isCurrent === true) return findCurrent(id).then((resolved) => actorOf(id, resolved, isActive));
    const known = cache.get(id);
    // Another server may know of a later use.
    if (known !== undefined && !isOver(known, now())) return actorOf(id, known, isActive);
    return find(id, "fill").then((resolved) => actorOf(id, resolved, isActive));
  };
}

async function loadSession(
  db: Database,
  loadByLookup: ReturnType<typeof createLookupLoader>,
  id: string,
): Promise<ResolvedSession> {
  const session = await findSession(db, id);
  if (session === undefined) return NOBODY;
  const found = await loadByLookup(session.secretLookup);
  const { createdAt, activeAt } = session;
  const times = { createdAt, activeAt, notedAt: activeAt };
  const { actor, dependencies = [] } = found;
  // The cached state of a token with too many rules contains the error, and each request gets it.
  if (actor === undefined) return { ...found, ...times };
  if (actor.accessorId !== session.accessorId) return NOBODY;
  const row = { ...actor.scope, table: SESSIONS, key: id };
  // A caller with the token itself does not share answers with a session, which may not see secrets.
  const rightsKey = `${actor.rightsKey} by session`;
  return {
    ...found,
    ...times,
    actor: { ...actor, session: id, rightsKey, restsOn: [...actor.restsOn, row] },
    dependencies: [...dependencies, row],
  };
}

/**
 * What making lists may take of the server, all of them together. However many are asked for, by one caller or by several, they
 * share one bounded part of each round of the event loop, in turn by caller; and so many are made at a time as have a place:
 * the others wait for one, in order, and hold nothing but their request.
 */
import { CallerGone, callerNow, type Owner, throwIfGone } from "./callers.ts";
import { AppError } from "./errors.ts";
import { createInTurn } from "./in-turn.ts";
import { createTurns } from "./turns.ts";

/** The part of each round that is theirs. Asked before each slice that is read, and before each piece of text. */
export const listTurns = createTurns();

/** Lists that are made at a time, of which each may hold a slice of rows or, as a document, all of its text. */
export const LIST_PLACES = { all: 24, ofNamespace: 16, ofToken: 2 };
/** How much waits for a place: all, of one token, and for how long. */
const WAITING = { all: 16_384, ofOwner: 1024, milliseconds: 60_000 };
/** A list whose client has not asked on for so long gives its place to another one, and waits for a new one then. */
const UNREAD_MS = 500;

/** How many places each token and each namespace has that has any. */
const taken = new Map<string, number>();
let running = 0;

/** A list that waits for a place. */
interface Waiter {
  owner: Owner;
  begin: () => void;
}

const waiting = createInTurn<Waiter>();

/** Lists of this thread: how many have a place, and how many wait for one. */
export const listsInPlaces = { running: () => running, waiting: () => waiting.size() };

const keysOf = ({ name, group }: Owner) => ({ ofToken: `token ${name}`, ofNamespace: `namespace ${group}` });

function hasRoom(owner: Owner): boolean {
  const { ofToken, ofNamespace } = keysOf(owner);
  if (running >= LIST_PLACES.all) return false;
  return (taken.get(ofToken) ?? 0) < LIST_PLACES.ofToken && (taken.get(ofNamespace) ?? 0) < LIST_PLACES.ofNamespace;
}

/** Counts a place as taken. @returns what gives it back, to be called once */
function takeNow(owner: Owner): () => void {
  const keys = Object.values(keysOf(owner));
  const count = (by: 1 | -1): void => {
    running += by;
    for (const key of keys) {
      const now = (taken.get(key) ?? 0) + by;
      if (now === 0) taken.delete(key);
      else taken.set(key, now);
    }
  };
  count(1);
  return () => {
    count(-1);
    waiting.take((next) => hasRoom(next.owner))?.begin();
  };
}

/** Where there is room, nobody waits whom it would do for. */
function takePlace(owner: Owner): (() => void) | Promise<() => void> {
  return hasRoom(owner) ? takeNow(owner) : waitForPlace(owner);
}

async function waitForPlace(owner: Owner): Promise<() => void> {
  throwIfGone();
  if (waiting.size() >= WAITING.all || waiting.size(owner.name) >= WAITING.ofOwner) throw tooMany();
  const { promise, resolve, reject } = Promise.withResolvers<() => void>();
  const waiter: Waiter = { owner, begin: () => resolve(takeNow(owner)) };
  waiting.add(owner.name, waiter);
  const end = (reason: Error): void => {
    waiting.remove(owner.name, waiter);
    reject(reason);
  };
  const timer = setTimeout(() => end(tooMany()), WAITING.milliseconds);
  const gone = callerNow()?.gone;
  const leave = (): void => end(new CallerGone());
  gone?.addEventListener("abort", leave);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    gone?.removeEventListener("abort", leave);
  }
}

function tooMany(): AppError {
  return new AppError("rate_limited", "Too many lists are being made, try again later", { retryAfterSeconds: 1 });
}

/** The place of one list. */
export class ListPlace {
  #leave: (() => void) | undefined;
  #unread: NodeJS.Timeout | undefined;

  /**
   * Resolves when the list has a place and the caller's turn has come: to begin, or to go on.
   *
   * @throws AppError `rate_limited` when too many wait
   * @throws {CallerGone} when nobody waits for the list any more
   */
  async take(): Promise<void> {
    clearTimeout(this.#unread);
    const owner = this.#leave === undefined ? callerNow()?.owner : undefined;
    if (owner !== undefined) {
      const place = takePlace(owner);
      this.#leave = place instanceof Promise ? await place : place;
    }
    await listTurns.pause();
  }

  /** What was made is on its way. Until the next part is asked for, the place is kept for a while and no longer. */
  handOut(): void {
    if (this.#leave !== undefined) this.#unread = setTimeout(() => this.leave(), UNREAD_MS).unref();
  }

  /** Gives the place back, as often as it is called. */
  leave(): void {
    clearTimeout(this.#unread);
    const leave = this.#leave;
    this.#leave = undefined;
    leave?.();
  }
}

/** Makes a list that is held as a whole, in a place of its own. See `ListPlace.take`. */
export async function makeInPlace<T>(make: () => Promise<T>): Promise<T> {
  const place = new ListPlace();
  try {
    await place.take();
    return await make();
  } finally {
    place.leave();
  }
}

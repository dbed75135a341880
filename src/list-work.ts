/**
 * Limits the resources that all lists together may use. They share one bounded part of each round of the event loop, in
 * turn by caller, however many of them one caller or several request. Only as many lists as there are places are made
 * at a time. The others wait for a place, in order, and hold nothing but their request.
 */
import { callerNow } from "./callers.ts";
import { createOwnedLane } from "./limits/owned-lane.ts";
import { createTurns } from "./turns.ts";

/**
 * Turns for the part of each round that lists share. A list asks for a turn before each slice that it reads, and before
 * each piece of text.
 */
export const listTurns = createTurns();

/** Lists that are made at a time, of which each may hold a slice of rows or, as a document, all of its text. */
export const LIST_PLACES = { all: 24, ofNamespace: 16, ofToken: 2 };
/** How much waits for a place: all, of one token, and for how long. */
const WAITING = { all: 16_384, ofOwner: 1024, milliseconds: 60_000 };
/** A list whose client has not asked on for so long gives its place to another one, and waits for a new one then. */
const UNREAD_MS = 500;

const places = createOwnedLane("lists", LIST_PLACES.all, "Too many lists are being created", {
  ofGroup: LIST_PLACES.ofNamespace,
  ofOwner: LIST_PLACES.ofToken,
  waiting: WAITING,
  code: "rate_limited",
});

/** Lists of this thread: how many have a place, and how many wait for one. */
export const listsInPlaces = { running: () => places.running(), waiting: () => places.waiting() };

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
    if (owner !== undefined) this.#leave = await places.take(owner.name, owner.group);
    await listTurns.pause();
  }

  /** Notes that a part is being sent. Until the next part is requested, the place is kept for a limited time. */
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

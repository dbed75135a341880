/** Places of work that needs long, of which a token and a namespace have so many at a time. */
import { isBounded, onLeave } from "./bounds.ts";
import { callerNow, throwIfGone, type WorkCaller } from "./callers.ts";
import { createOwnedLane } from "./limits/owned-lane.ts";

/** How much work that needs long goes on at a time, by turns; of tokens of one namespace, and of one token. */
const PLACES = { all: 8, ofNamespace: 6, ofToken: 2 };
/** How much waits for a place: all, of one token, and for how long. The bodies of what waits stay in the account of bodies. */
const WAITING = { all: 1024, ofOwner: 256, milliseconds: 30_000 };
/** Work that is done by then needs no place, in milliseconds of its own. */
const SHORT_MS = 5;
/** Most that is counted of the time before one pause, in milliseconds: it may hold a wait for the database. */
const MOST_COUNTED_MS = 5;
/** Work that has not paused for so long gives its place to another, and takes a new one at its next pause. */
const IDLE_MS = 50;

const places = createOwnedLane("work", PLACES.all, "Too many long operations are running", {
  ofGroup: PLACES.ofNamespace,
  ofOwner: PLACES.ofToken,
  waiting: WAITING,
  code: "rate_limited",
});

/** Work of this thread that needs long: how much has a place, and how much waits for one. */
export const workInPlaces = { running: () => places.running(), waiting: () => places.waiting() };

/** The place of all work of one caller: taken once it has needed long. */
class Place {
  readonly #caller: WorkCaller;
  /** Milliseconds of its own. */
  #used = 0;
  #since: number | undefined;
  #leave: (() => void) | undefined;
  #taking: Promise<void> | undefined;
  /** Pieces of work that keep it until their end. */
  #keepers = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(caller: WorkCaller) {
    this.#caller = caller;
    onLeave(caller, () => this.#leaveUnlessKept());
  }

  /** Work begins that keeps the place, if it comes to need one, until its end. */
  keep(): void {
    this.#keepers += 1;
    clearTimeout(this.#idle);
  }

  /** Such work is over. */
  release(): void {
    this.#keepers -= 1;
    this.#leaveUnlessKept();
  }

  /**
   * Asked at a pause. Waits until there is a place, where one is needed.
   *
   * @param used milliseconds of work before the pause; undefined where only the time since the last one is known
   */
  async take(used: number | undefined): Promise<void> {
    if (this.#leave === undefined && !isBounded(this.#caller)) {
      this.#used += used ?? this.#sinceLast();
      if (this.#used > SHORT_MS) await (this.#taking ??= this.#takeNow().finally(() => (this.#taking = undefined)));
    }
    this.#waitForNext();
  }

  /** The pause is over. @throws {CallerGone} when nobody waits for the work any more */
  goOn(): void {
    throwIfGone();
    this.#since = performance.now();
    this.#waitForNext();
  }

  #sinceLast(): number {
    return this.#since === undefined ? 0 : Math.min(performance.now() - this.#since, MOST_COUNTED_MS);
  }

  async #takeNow(): Promise<void> {
    const { owner } = this.#caller;
    if (owner !== undefined) this.#leave = await places.take(owner.name, owner.group);
  }

  #waitForNext(): void {
    clearTimeout(this.#idle);
    if (this.#leave === undefined || this.#keepers > 0) return;
    this.#idle = setTimeout(() => this.#leaveUnlessKept(), IDLE_MS).unref();
  }

  #leaveUnlessKept(): void {
    if (this.#keepers > 0) return;
    clearTimeout(this.#idle);
    const leave = this.#leave;
    this.#leave = undefined;
    leave?.();
  }
}

/** Each is gone with its caller. */
const placesOf = new WeakMap<WorkCaller, Place>();

/** Returns the place of who asks; undefined for nobody in particular, and for those who have taken a share already. */
export function placeNow(): Place | undefined {
  const caller = callerNow();
  if (caller?.owner === undefined) return undefined;
  let place = placesOf.get(caller);
  if (place === undefined) placesOf.set(caller, (place = new Place(caller)));
  return place;
}

/**
 * A pause of work that has no end that is known here. Its place is given back when it does not pause again soon.
 *
 * @param wait for the next turn
 * @param used milliseconds of work before it, if known
 * @throws AppError `rate_limited` when it needs a place and too much waits for one
 * @throws {CallerGone} when nobody waits for the work any more
 */
export async function pauseInPlace(wait: () => Promise<void>, used?: number): Promise<void> {
  const place = placeNow();
  await place?.take(used === undefined ? undefined : Math.min(used, MOST_COUNTED_MS));
  await wait();
  if (place === undefined) throwIfGone();
  else place.goOn();
}

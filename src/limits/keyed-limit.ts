/** Limits how often something happens, such as failures of a client: a bucket of tokens for each key, of which each time takes one. */
export interface KeyedLimit {
  /**
   * @param key a short text: what callers send is hashed before
   * @returns whole seconds after which there is a token again; undefined when there is one now
   */
  check: (key: string) => number | undefined;
  /** Takes a token, also one that is not there: what was under way together counts all. */
  take: (key: string) => void;
  /** Returns the tokens that are left in the bucket of a key, and the number of whole seconds until it is full. */
  left: (key: string) => { tokens: number; fullAfter: number };
  /** How many keys are remembered: those whose bucket is not full. */
  entries: () => number;
}

export interface KeyedLimitOptions {
  /** Tokens that a full bucket has room for, and that it gains in a minute, evenly; 0 for no limit. */
  perMinute: number;
  /** Milliseconds of a clock that never goes back, such as `performance.now`. */
  now: () => number;
  /** Buckets that are remembered. Over it, those that are nearest to full are forgotten. */
  maxEntries?: number;
}

const MAX_ENTRIES = 10_000;
const MINUTE = 60_000;
/**
 * Seconds that it takes at most until a bucket is full. An empty one takes a minute; another minute is for tries that were
 * under way together, which were all looked at before the first one failed.
 */
const MAX_SECONDS = 120;

/**
 * Makes a limit. What it does takes the same time however many keys there are.
 *
 * A bucket is the moment at which it will be full, which taking a token puts off. Moments are counted in ticks, of which a
 * millisecond has `perMinute`: so a token is a whole number of them, and nothing is rounded.
 */
export function createKeyedLimit({ perMinute, now, maxEntries = MAX_ENTRIES }: KeyedLimitOptions): KeyedLimit {
  if (perMinute === 0) return UNLIMITED;
  const second = 1000 * perMinute;
  const buckets = createBuckets(second);

  function currentTick(): number {
    const tick = Math.floor(now()) * perMinute;
    buckets.forgetUntil(tick);
    return tick;
  }

  return {
    check(key) {
      const tick = currentTick();
      // A bucket that has no room for less than this has a token.
      const missing = (buckets.fullAt(key) ?? tick) - tick - (perMinute - 1) * MINUTE;
      return missing <= 0 ? undefined : Math.ceil(missing / second);
    },
    take(key) {
      const tick = currentTick();
      const known = buckets.fullAt(key);
      // Before the new one is there: who comes is remembered, also beside many who came more often.
      if (known === undefined && buckets.size() >= maxEntries) buckets.forgetNearest();
      buckets.set(key, Math.min(Math.max(known ?? tick, tick) + MINUTE, tick + MAX_SECONDS * second));
    },
    left(key) {
      const tick = currentTick();
      const missing = Math.max(0, (buckets.fullAt(key) ?? tick) - tick);
      const tokens = Math.max(0, Math.floor((perMinute * MINUTE - missing) / MINUTE));
      return { tokens, fullAfter: Math.ceil(missing / second) };
    },
    entries() {
      currentTick();
      return buckets.size();
    },
  };
}

const UNLIMITED: KeyedLimit = {
  check: () => undefined,
  take: () => undefined,
  left: () => ({ tokens: Infinity, fullAfter: 0 }),
  entries: () => 0,
};

interface Buckets {
  fullAt: (key: string) => number | undefined;
  size: () => number;
  /** @param fullAt at most `MAX_SECONDS` behind the tick that was last forgotten until */
  set: (key: string, fullAt: number) => void;
  /** Forgets buckets that are full, to the second. */
  forgetUntil: (tick: number) => void;
  /** Forgets a bucket that is among the next to be full, to the second. */
  forgetNearest: () => void;
}

/** Keeps buckets by the second in which they will be full, of which there are few. */
function createBuckets(second: number): Buckets {
  const moments = new Map<string, number>();
  const seconds = new Map<number, Set<string>>();
  /** No bucket is full before it. */
  let first = 0;

  const secondOf = (tick: number): number => Math.floor(tick / second);

  function remove(key: string): void {
    const moment = moments.get(key);
    if (moment === undefined) return;
    moments.delete(key);
    const keys = seconds.get(secondOf(moment));
    keys?.delete(key);
    if (keys?.size === 0) seconds.delete(secondOf(moment));
  }

  function forgetSecond(at: number): void {
    for (const key of seconds.get(at) ?? []) moments.delete(key);
    seconds.delete(at);
  }

  return {
    fullAt: (key) => moments.get(key),
    size: () => moments.size,
    set(key, fullAt) {
      remove(key);
      moments.set(key, fullAt);
      const at = secondOf(fullAt);
      const keys = seconds.get(at) ?? new Set();
      seconds.set(at, keys.add(key));
    },
    forgetUntil(tick) {
      const current = secondOf(tick);
      for (let at = first; at < current && seconds.size > 0; at++) forgetSecond(at);
      first = current;
    },
    forgetNearest() {
      let nearest = first;
      while (seconds.size > 0 && !seconds.has(nearest)) nearest++;
      for (const key of seconds.get(nearest) ?? []) {
        remove(key);
        return;
      }
    },
  };
}

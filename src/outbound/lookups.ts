import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { orAborted } from "./aborted.ts";

/** Finds the addresses of a name, in the order of the resolver. */
export interface Lookups {
  /**
   * @param signal ends the wait, not the look-up: that can not be ended
   * @throws {Error} the resolver's, or the signal's reason
   */
  find: (name: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;
}

/**
 * Bounds how many look-ups run: each holds a thread of a pool that others need, for as long as a resolver is silent. The
 * others wait, and those for one name share a look-up.
 *
 * @param most how many run at the same time
 */
export function createLookups(resolve: LookupFunction, most: number): Lookups {
  const running = new Map<string, Promise<readonly LookupAddress[]>>();
  /** Called when a look-up may have become possible. */
  const waiting = new Set<() => void>();

  function run(name: string): Promise<readonly LookupAddress[]> {
    const known = running.get(name);
    if (known !== undefined) return known;
    const found = lookUp(resolve, name).finally(() => {
      running.delete(name);
      for (const wake of waiting) wake();
    });
    running.set(name, found);
    return found;
  }

  async function freed(signal: AbortSignal): Promise<void> {
    let wake: () => void = () => undefined;
    const woken = new Promise<void>((resolveWoken) => (wake = resolveWoken));
    waiting.add(wake);
    try {
      await orAborted(woken, signal);
    } finally {
      waiting.delete(wake);
    }
  }

  return {
    async find(name, signal) {
      // Several are woken, and the first one may have taken the place.
      while (running.size >= most && !running.has(name)) await freed(signal);
      return orAborted(run(name), signal);
    },
  };
}

function lookUp(resolve: LookupFunction, name: string): Promise<readonly LookupAddress[]> {
  return new Promise((found, failed) => {
    resolve(name, { all: true, order: "verbatim" }, (error, address, family) => {
      if (error !== null) failed(error);
      else found(typeof address === "string" ? [{ address, family: family ?? 0 }] : address);
    });
  });
}

/**
 * Cache of recently proven tokens: a token that logs in again within a minute is not verified again. Only proven tokens
 * get in, so only callers whose tokens can log in can fill it. A token that is pushed out is verified again, and no
 * more.
 */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";

/**
 * Proven tokens of one configuration of a method. Another configuration, also of the same method, does not find them.
 *
 * @typeParam I identities
 */
export interface ProvenTokens<I> {
  /**
   * @param now milliseconds since the epoch
   * @returns undefined when it has to be verified; the caller looks whether its keys are those of now
   */
  find(token: string, now: number): Proven<I> | undefined;
  keep(token: string, proven: Proven<I>): void;
}

export interface Proven<I> {
  readonly identity: I;
  /** Version of the keys that proved it. */
  readonly keys: number;
  /** Until when its claims are accepted, in seconds since the epoch. */
  readonly end: number;
  /** When they were checked, in milliseconds since the epoch. */
  readonly since: number;
}

/** The room that all validators of a server share. */
export interface ProvenTokensRoom<I> {
  /** For a new validator. */
  open(): ProvenTokens<I>;
  entries(): number;
}

const MAX_BYTES = 8 * 1024 * 1024;
/** Bytes of an entry, without the part that depends on the length of its token. */
const ENTRY_BYTES = 1000;
/** Approximate bytes that the parsed token takes for each of its characters. */
const CHARACTER_BYTES = 4;
const LONGEST_MS = 60_000;
/** Longer ones are verified each time: they would take the room of many, and a digest of what is no token costs too. */
const LONGEST_TOKEN = 4096;

/** @param maxBytes what is kept in all, about */
export function createProvenTokens<I extends object>(maxBytes = MAX_BYTES): ProvenTokensRoom<I> {
  const entries = new LRUCache<string, Proven<I>>({ maxSize: maxBytes });
  let validators = 0;
  return {
    entries: () => entries.size,
    open() {
      const validator = ++validators;
      // Not the token itself: it is a credential.
      const keyOf = (token: string) => `${validator} ${hash("sha256", token, "base64url")}`;
      return {
        find(token, now) {
          if (token.length > LONGEST_TOKEN) return undefined;
          const key = keyOf(token);
          const proven = entries.get(key);
          if (proven === undefined) return undefined;
          const age = now - proven.since;
          // A clock that was set back says nothing of how long ago that was.
          if (age >= 0 && age < LONGEST_MS && now / 1000 <= proven.end) return proven;
          entries.delete(key);
          return undefined;
        },
        keep(token, proven) {
          if (token.length > LONGEST_TOKEN) return;
          entries.set(keyOf(token), proven, { size: ENTRY_BYTES + CHARACTER_BYTES * token.length });
        },
      };
    },
  };
}

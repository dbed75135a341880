import { ProviderError } from "../errors.ts";
import type { KeySet } from "./key-set.ts";

/** Keys of a provider, fetched when they are needed and kept. */
export interface RemoteKeys {
  /**
   * The keys that are known. Old ones are fetched again meanwhile, very old ones first, since nobody has asked for long
   * which were withdrawn. All stay if that fails: they still prove what they always proved.
   *
   * @throws ProviderError when there are none yet
   */
  current(): Promise<KeySet>;
  /**
   * The keys of now, for a token that those at hand do not prove: the provider may have new ones. It is asked only once in
   * a while, whatever tokens come.
   *
   * @returns undefined when there are no others
   */
  newerThan(keys: KeySet): Promise<KeySet | undefined>;
  /** Tells the keys that are known now from all before them. */
  version(): number;
  /** Whether the provider failed to answer last time, so that nobody knows which keys it has now. */
  isInDoubt(): boolean;
  /** Memory of the keys, about. */
  bytes(): number;
  close(): void;
}

export interface RemoteKeysOptions {
  /** @throws ProviderError */
  load: () => Promise<KeySet>;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Called with the reason when keys could not be fetched, at most once a minute. */
  onTrouble: (message: string) => void;
}

/** Keys of this age are fetched again, so that one that was withdrawn does not count for long. */
const REFRESH_MS = 10 * 60_000;
/** Keys of this age are used only after an attempt to fetch them. */
const MAX_AGE_MS = 20 * 60_000;
/** For so long after an attempt that failed, nobody waits for another: longer than one takes when nothing is answered. */
const NO_WAIT_MS = 60_000;
/** Between two look-ups for tokens that no key proves, and between two attempts to refresh. */
const LOOK_UP_MS = 10_000;
/** For so long a failure answers all that need keys when there are none. */
const FAILURE_MS = 1000;
const TROUBLE_MS = 60_000;

/** Keys that nobody has asked for yet. */
export function createRemoteKeys({ load, now, onTrouble }: RemoteKeysOptions): RemoteKeys {
  let keys: KeySet | undefined;
  let version = 0;
  let loadedAt: number | undefined;
  let triedAt: number | undefined;
  let failedAt: number | undefined;
  let lookedUpAt: number | undefined;
  let toldAt: number | undefined;
  let failure: ProviderError | undefined;
  let inFlight: Promise<KeySet> | undefined;
  let isClosed = false;

  /** A clock that was set back must not keep anything from happening, so that counts as long ago too. */
  function isLongAgo(time: number | undefined, milliseconds: number): boolean {
    const elapsed = time === undefined ? milliseconds : now() - time;
    return elapsed >= milliseconds || elapsed < 0;
  }

  /** All who need the keys at one time wait for one attempt. */
  function fetchKeys(): Promise<KeySet> {
    inFlight ??= attempt().finally(() => (inFlight = undefined));
    return inFlight;
  }

  async function attempt(): Promise<KeySet> {
    triedAt = now();
    try {
      const loaded = await load();
      [keys, loadedAt, failure] = [loaded, now(), undefined];
      version += 1;
      return loaded;
    } catch (error) {
      failure = error instanceof ProviderError ? error : new ProviderError("unexpected failure", { cause: error });
      failedAt = now();
      tell(failure.message);
      throw failure;
    }
  }

  function tell(message: string): void {
    if (isClosed || !isLongAgo(toldAt, TROUBLE_MS)) return;
    toldAt = now();
    onTrouble(`the keys of the provider could not be fetched: ${message}`);
  }

  function refreshInBackground(): void {
    if (isClosed || !isLongAgo(loadedAt, REFRESH_MS) || !isLongAgo(triedAt, LOOK_UP_MS)) return;
    fetchKeys().catch(() => {
      // It has been told, and the old keys stay.
    });
  }

  /** Keys that are at hand, or those that the provider has now in place of very old ones. */
  function renewed(known: KeySet): Promise<KeySet> {
    const mayWait = isLongAgo(failedAt, NO_WAIT_MS);
    if (mayWait && isLongAgo(loadedAt, MAX_AGE_MS)) return fetchKeys().catch(() => known);
    refreshInBackground();
    return Promise.resolve(known);
  }

  return {
    current() {
      if (keys !== undefined) return renewed(keys);
      if (inFlight === undefined && failure !== undefined && !isLongAgo(triedAt, FAILURE_MS)) {
        return Promise.reject(failure);
      }
      return fetchKeys();
    },
    newerThan(known) {
      if (keys !== known) return Promise.resolve(keys);
      if (inFlight === undefined) {
        if (!isLongAgo(lookedUpAt, LOOK_UP_MS)) return Promise.resolve(undefined);
        lookedUpAt = now();
      }
      return fetchKeys().catch(() => undefined);
    },
    version: () => version,
    isInDoubt: () => failure !== undefined,
    bytes: () => keys?.bytes ?? 0,
    close: () => void (isClosed = true),
  };
}

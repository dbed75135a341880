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
export function createRemoteKeys(options: RemoteKeysOptions): RemoteKeys {
  return new FetchedKeys(options);
}

class FetchedKeys implements RemoteKeys {
  readonly #load: RemoteKeysOptions["load"];
  readonly #now: RemoteKeysOptions["now"];
  readonly #onTrouble: RemoteKeysOptions["onTrouble"];
  #keys: KeySet | undefined;
  #version = 0;
  #loadedAt: number | undefined;
  #triedAt: number | undefined;
  #failedAt: number | undefined;
  #lookedUpAt: number | undefined;
  #toldAt: number | undefined;
  #failure: ProviderError | undefined;
  #inFlight: Promise<KeySet> | undefined;
  #isClosed = false;

  constructor({ load, now, onTrouble }: RemoteKeysOptions) {
    this.#load = load;
    this.#now = now;
    this.#onTrouble = onTrouble;
  }

  current(): Promise<KeySet> {
    if (this.#keys !== undefined) return this.#renewed(this.#keys);
    if (this.#inFlight === undefined && this.#failure !== undefined && !this.#isLongAgo(this.#triedAt, FAILURE_MS)) {
      return Promise.reject(this.#failure);
    }
    return this.#fetchKeys();
  }

  newerThan(known: KeySet): Promise<KeySet | undefined> {
    if (this.#keys !== known) return Promise.resolve(this.#keys);
    if (this.#inFlight === undefined) {
      if (!this.#isLongAgo(this.#lookedUpAt, LOOK_UP_MS)) return Promise.resolve(undefined);
      this.#lookedUpAt = this.#now();
    }
    return this.#fetchKeys().catch(() => undefined);
  }

  version(): number {
    return this.#version;
  }

  isInDoubt(): boolean {
    return this.#failure !== undefined;
  }

  bytes(): number {
    return this.#keys?.bytes ?? 0;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** A clock that was set back must not keep anything from happening, so that counts as long ago too. */
  #isLongAgo(time: number | undefined, milliseconds: number): boolean {
    const elapsed = time === undefined ? milliseconds : this.#now() - time;
    return elapsed >= milliseconds || elapsed < 0;
  }

  /** All who need the keys at one time wait for one attempt. */
  #fetchKeys(): Promise<KeySet> {
    this.#inFlight ??= this.#attempt().finally(() => (this.#inFlight = undefined));
    return this.#inFlight;
  }

  async #attempt(): Promise<KeySet> {
    this.#triedAt = this.#now();
    try {
      const loaded = await this.#load();
      [this.#keys, this.#loadedAt, this.#failure] = [loaded, this.#now(), undefined];
      this.#version += 1;
      return loaded;
    } catch (error) {
      this.#failure =
        error instanceof ProviderError ? error : new ProviderError("unexpected failure", { cause: error });
      this.#failedAt = this.#now();
      this.#tell(this.#failure.message);
      throw this.#failure;
    }
  }

  #tell(message: string): void {
    if (this.#isClosed || !this.#isLongAgo(this.#toldAt, TROUBLE_MS)) return;
    this.#toldAt = this.#now();
    this.#onTrouble(`the keys of the provider could not be fetched: ${message}`);
  }

  #refreshInBackground(): void {
    if (this.#isClosed || !this.#isLongAgo(this.#loadedAt, REFRESH_MS) || !this.#isLongAgo(this.#triedAt, LOOK_UP_MS))
      return;
    this.#fetchKeys().catch(() => {
      // It has been told, and the old keys stay.
    });
  }

  /** Keys that are at hand, or those that the provider has now in place of very old ones. */
  #renewed(known: KeySet): Promise<KeySet> {
    const mayWait = this.#isLongAgo(this.#failedAt, NO_WAIT_MS);
    if (mayWait && this.#isLongAgo(this.#loadedAt, MAX_AGE_MS)) return this.#fetchKeys().catch(() => known);
    this.#refreshInBackground();
    return Promise.resolve(known);
  }
}

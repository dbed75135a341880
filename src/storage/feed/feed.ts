/**
 * The change feed: who keeps something derived from stored rows (caches), or
 * waits for a change (blocking queries, streams), is told of every `/v1` write
 * here, and of the counters that writes of `/api/v2` raise. Nobody is told of a write before its commit is confirmed.
 */

/** Scope of objects of a table; `*` stands for all namespaces. */
export interface TableScope {
  partition: string;
  namespace: string;
}

/** One changed object, as a service passes it to `tx.touch`. */
export interface TouchedObject {
  /** Such as `tokens`. */
  table: string;
  namespace: string;
  partition: string;
  /** The object within its table, such as a token's AccessorID. */
  key: string;
}

/** In place of a partition, where the counter of an organization, or that of all of them, was raised: no partition is called so. */
export const NO_PARTITION = "";

/**
 * Returns the raising of a counter as a change, with the value of the counter as its index. Each server publishes only
 * its own; see `watch/watches.ts`.
 */
export function counterChange(name: string): TouchedObject {
  return { partition: NO_PARTITION, namespace: "", table: "counters", key: name };
}

/** Event that listeners receive. */
export type FeedEvent =
  /** One object changed in the write with this index (the partition's counter). Indexes may arrive out of order. */
  | (TouchedObject & { index: number })
  /** Something in the partition changed and it is not known what, or may have changed. */
  | { partition: string; all: true };

/** The functions are called one event at a time; what they throw is logged and goes no further. */
export interface FeedListener {
  /** In the very turn in which this process learns of the commit: to drop what was derived before. */
  onCommitted?: (event: FeedEvent) => void;
  /** When the change is durable, so that clients may learn of it. */
  onDurable?: (event: FeedEvent) => void;
  /**
   * The same for all that became durable together, for who has to go on where it stopped.
   *
   * @param told gives the index up to which every write in a partition has been told now; undefined where none is known
   */
  onDurableTurn?: (events: readonly FeedEvent[], told: (partition: string) => number | undefined) => void;
}

/** One committed write in a partition. It may have changed nothing: its index counts all the same. */
export interface Commit {
  partition: string;
  index: number;
  changes: readonly TouchedObject[];
}

/** Sizes of one cache; see `derived-cache.ts`. */
export interface CacheStats {
  entries: number;
  bytes: number;
  hits: number;
  misses: number;
}

/** Numbers for `/metrics`. */
export interface FeedStats {
  /** Events given to listeners since the start. */
  published: number;
  /** Seconds since the last successful poll began; undefined where nothing is polled. */
  pollAgeSeconds: number | undefined;
  caches: Record<string, CacheStats>;
}

export interface Feed {
  /** Adds a listener; the function returned takes it away. */
  subscribe(listener: FeedListener): () => void;
  /**
   * Whether every change older than about a second has been told, so that caches
   * may be believed. Asked at each look-up: it turns false by mere passage of time.
   */
  isTrusted(): boolean;
  /**
   * Whether all has been told that any server wrote in a partition before the call. In the same turn where each write is
   * told before it is answered; elsewhere it asks the database.
   *
   * @throws AppError `unavailable` when the database cannot be asked
   */
  isCurrent(partition: string): Promise<boolean> | boolean;
  /** How many changes have been told, by which to see that there was none; undefined where others' are told later. */
  changes(): number | undefined;
  /** Shows a cache in the statistics, under a name of its own. */
  addCache(name: string, stats: () => CacheStats): void;
}

/** The side of the feed that the engine speaks to. */
export interface FeedHub {
  /** Tells listeners, at once those that asked for it, and the others when everything committed is durable. */
  publish(events: readonly FeedEvent[]): void;
  feed: Feed;
  stats(): FeedStats;
}

export interface HubOptions {
  /** See `EngineDatabase.whenDurable`. */
  whenDurable: (done: (error?: Error) => void) => void;
  /** Age of what the feed knows, in seconds; undefined where all writes are this process's own. */
  pollAgeSeconds: () => number | undefined;
  /** The index up to which every write of a partition has been published; undefined where indexes are published in order. */
  publishedUpTo: ((partition: string) => number | undefined) | undefined;
  onWarning: (message: string) => void;
}

/** Caches are not believed when the feed knows nothing newer than this, in seconds. */
export const TRUSTED_SECONDS = 1;

/** Makes the hub of one database. */
export function createFeedHub(options: HubOptions): FeedHub {
  return new PublishingHub(options);
}

class PublishingHub implements FeedHub {
  readonly #whenDurable: HubOptions["whenDurable"];
  readonly #pollAgeSeconds: HubOptions["pollAgeSeconds"];
  readonly #publishedUpTo: HubOptions["publishedUpTo"];
  readonly #onWarning: HubOptions["onWarning"];
  readonly feed: Feed;
  readonly #listeners = new Set<FeedListener>();
  readonly #caches = new Map<string, () => CacheStats>();
  #published = 0;
  /** Events that were published in this turn and for which durability has not been requested yet. */
  #turn: FeedEvent[] = [];
  /** Last index of each partition that has changed in this turn. Kept where indexes are published in order. */
  #last = new Map<string, number>();

  /** One wait for durability for all of a turn. */
  readonly #closeTurn = (): void => {
    const events = this.#turn;
    this.#turn = [];
    // Read now: what is published before they are durable is told in a later turn.
    const upTo = new Map<string, number | undefined>();
    for (const { partition } of events) {
      upTo.set(
        partition,
        this.#publishedUpTo === undefined ? this.#last.get(partition) : this.#publishedUpTo(partition),
      );
    }
    this.#last = new Map();
    this.#whenDurable((error) => {
      if (error !== undefined) return;
      this.#tell("onDurable", events);
      for (const { onDurableTurn } of this.#listeners) {
        if (onDurableTurn !== undefined) this.#shielded(onDurableTurn, events, (partition) => upTo.get(partition));
      }
    });
  };

  constructor({ whenDurable, pollAgeSeconds, publishedUpTo, onWarning }: HubOptions) {
    this.#whenDurable = whenDurable;
    this.#pollAgeSeconds = pollAgeSeconds;
    this.#publishedUpTo = publishedUpTo;
    this.#onWarning = onWarning;
    this.feed = {
      subscribe: (listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
      isTrusted: () => {
        const age = pollAgeSeconds();
        return age === undefined || age < TRUSTED_SECONDS;
      },
      // An engine with other writers puts a question to the database in its place.
      isCurrent: () => true,
      changes: () => (pollAgeSeconds() === undefined ? this.#published : undefined),
      addCache: (name, stats) => void this.#caches.set(name, stats),
    };
  }

  publish(events: readonly FeedEvent[]): void {
    if (events.length === 0) return;
    this.#published += events.length;
    this.#tell("onCommitted", events);
    if (this.#turn.length === 0) setImmediate(this.#closeTurn);
    for (const event of events) {
      this.#turn.push(event);
      if ("index" in event) this.#last.set(event.partition, event.index);
    }
  }

  stats(): FeedStats {
    return {
      published: this.#published,
      pollAgeSeconds: this.#pollAgeSeconds(),
      caches: Object.fromEntries([...this.#caches].map(([name, stats]) => [name, stats()])),
    };
  }

  #tell(when: "onCommitted" | "onDurable", events: readonly FeedEvent[]): void {
    for (const listener of this.#listeners) {
      const hear = listener[when];
      if (hear !== undefined) for (const event of events) this.#shielded(hear, event);
    }
  }

  /** The write has happened: whatever a listener does must not make it look failed, nor keep it from the others. */
  #shielded<A extends unknown[]>(hear: (...given: A) => void, ...given: A): void {
    try {
      hear(...given);
    } catch (error) {
      this.#onWarning(`a listener of the change feed failed: ${String(error)}`);
    }
  }
}

/** The events of a commit. */
export function eventsOf({ index, changes }: Commit): FeedEvent[] {
  return changes.map((change) => ({ ...change, index }));
}

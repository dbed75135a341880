import { setImmediate as endOfTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { shareWork, type SharedWork } from "../../callers.ts";
import type { Feed, FeedEvent } from "../feed/feed.ts";

/**
 * A row, or rows, that a derived value came from. Without `key` it is any row of
 * the table, of any namespace; without `table` anything in the partition.
 */
export interface Dependency {
  partition: string;
  table?: string;
  key?: string;
}

/** Values derived from stored rows, such as the rights of a token, for as long as those rows stay as they are. */
export interface DerivedCache<V extends object | string | number | boolean> {
  /** The value, if it is there and what it came from has not changed as far as the feed knows. */
  get(key: string): V | undefined;
  /**
   * Loads a value and keeps it, unless its partition was touched meanwhile. Callers that ask for the same key at the
   * same time share a load, which ends with the last of them, but none gets one that began before a change that was told
   * before the call.
   *
   * @param load reads from the primary
   * @param dependsOn what the value came from, known once it is there; undefined when it is not to be kept, an empty
   * list when it follows from its key alone
   */
  fill(key: string, load: () => Promise<V>, dependsOn: (value: V) => readonly Dependency[] | undefined): Promise<V>;
  /**
   * The value as it is now: what is there, if the feed has told all that any server wrote before the call, and else one that
   * is loaded from then on, which takes its place. Those who ask in one turn share that. It is for who must not be given what is
   * a second old.
   *
   * @throws AppError `unavailable` when the database cannot be asked
   */
  current(key: string, load: () => Promise<V>, dependsOn: (value: V) => readonly Dependency[] | undefined): Promise<V>;
  /** Forgets everything and hears no more of the feed. */
  close(): void;
}

export interface DerivedCacheOptions<V> {
  feed: Feed;
  /** Name in the metrics; one of its own for each cache. */
  name: string;
  maxBytes: number;
  /** Bytes that a value takes; what the cache itself needs for it is added. */
  sizeOf: (value: V) => number;
}

interface Entry<V> {
  key: string;
  value: V;
  /** Dependencies of the value. */
  links: { partition: Partition<V>; id: string }[];
}

/** Dependencies of the entries of a partition; exists only while an entry of the partition is kept. */
interface Partition<V> {
  name: string;
  /** Set when anything may have changed: the entries that hold this one are void, and later ones get another. */
  isVoid: boolean;
  /** Entries by `rowId`. */
  byRow: Map<string, Set<Entry<V>>>;
}

interface Load<V> {
  /** Number of the last event before it began. */
  began: number;
  /** Whether it waits for the end of the turn, for others to share it who must not be given what was read before they asked. */
  isHeld: boolean;
  value: SharedWork<V>;
}

/** Bytes of an entry without key and value, and of each row it depends on, about. */
const ENTRY_BYTES = 300;
const DEPENDENCY_BYTES = 200;

/** Makes a cache that forgets what was used longest ago when it is full. While the feed is not trusted it is as if it were not there. */
export function createDerivedCache<V extends object | string | number | boolean>(
  options: DerivedCacheOptions<V>,
): DerivedCache<V> {
  return new DerivedEntries(options);
}

class DerivedEntries<V extends object | string | number | boolean> implements DerivedCache<V> {
  readonly #feed: DerivedCacheOptions<V>["feed"];
  readonly #sizeOf: DerivedCacheOptions<V>["sizeOf"];
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #partitions = new Map<string, Partition<V>>();
  readonly #loads = new Map<string, Load<V>>();
  /** Loads under way, also those that a later one of the same key has taken the place of. */
  #running = 0;
  /** While there are any: the last event of each partition that has changed since they began. */
  readonly #touched = new Map<string, number>();
  #hits = 0;
  #misses = 0;
  /** Events heard so far. */
  #events = 0;
  readonly #unsubscribe: () => void;

  constructor({ feed, name, maxBytes, sizeOf }: DerivedCacheOptions<V>) {
    this.#feed = feed;
    this.#sizeOf = sizeOf;
    this.#entries = new LRUCache<string, Entry<V>>({ maxSize: maxBytes, dispose: (entry) => this.#unlink(entry) });
    this.#unsubscribe = feed.subscribe({ onCommitted: (event) => this.#hear(event) });
    feed.addCache(name, () => ({
      entries: this.#entries.size,
      bytes: this.#entries.calculatedSize,
      hits: this.#hits,
      misses: this.#misses,
    }));
  }

  get(key: string): V | undefined {
    return this.#count(this.#find(key));
  }

  async fill(
    key: string,
    load: () => Promise<V>,
    dependsOn: (value: V) => readonly Dependency[] | undefined,
  ): Promise<V> {
    if (!this.#feed.isTrusted()) return load();
    const shared = this.#loads.get(key);
    if (shared?.began === this.#events && !shared.value.isGone()) return shared.value.join(load);
    return this.#begin(false, key, load, dependsOn);
  }

  async current(
    key: string,
    load: () => Promise<V>,
    dependsOn: (value: V) => readonly Dependency[] | undefined,
  ): Promise<V> {
    const entry = this.#find(key);
    // An event that came while the database was asked may have ended it.
    const isKept = entry !== undefined && (await this.#isCurrent(entry)) && this.#find(key) === entry;
    const known = this.#count(isKept ? entry : undefined);
    if (known !== undefined) return known;
    if (!this.#feed.isTrusted()) return load();
    // Not one that has begun: that may have been before what this one has to know of.
    const shared = this.#loads.get(key);
    if (shared?.isHeld === true && !shared.value.isGone()) return shared.value.join(load);
    return this.#begin(true, key, load, dependsOn);
  }

  close(): void {
    this.#unsubscribe();
    this.#entries.clear();
    this.#partitions.clear();
  }

  /** Only where something is kept: callers may name partitions that do not exist. */
  #partitionOf(partitionName: string): Partition<V> {
    let partition = this.#partitions.get(partitionName);
    if (partition === undefined) {
      partition = { name: partitionName, isVoid: false, byRow: new Map() };
      this.#partitions.set(partitionName, partition);
    }
    return partition;
  }

  #hear(event: FeedEvent): void {
    this.#events += 1;
    if (this.#running > 0) this.#touched.set(event.partition, this.#events);
    const partition = this.#partitions.get(event.partition);
    if (partition === undefined) return;
    if ("all" in event) {
      // Not removed one by one, which could be long: each is found void when it is looked up, or is the oldest.
      partition.isVoid = true;
      this.#partitions.delete(partition.name);
      return;
    }
    for (const id of [rowId(), rowId(event.table), rowId(event.table, event.key)]) {
      for (const entry of partition.byRow.get(id) ?? []) this.#entries.delete(entry.key);
    }
  }

  #unlink(entry: Entry<V>): void {
    for (const { partition, id } of entry.links) {
      const set = partition.byRow.get(id);
      if (set?.delete(entry) === true && set.size === 0) partition.byRow.delete(id);
      if (partition.byRow.size === 0 && !partition.isVoid) this.#partitions.delete(partition.name);
    }
  }

  #store(key: string, value: V, dependencies: readonly Dependency[]): void {
    const bytes = this.#sizeOf(value) + 2 * key.length + ENTRY_BYTES + DEPENDENCY_BYTES * dependencies.length;
    const entry: Entry<V> = { key, value, links: [] };
    this.#entries.set(key, entry, { size: bytes });
    // It is not kept when it is larger than all that may be.
    if (this.#entries.peek(key) !== entry) return;
    for (const dependency of dependencies) this.#hold(entry, dependency);
  }

  #hold(entry: Entry<V>, { partition: partitionName, table, key }: Dependency): void {
    const partition = this.#partitionOf(partitionName);
    const id = rowId(table, key);
    entry.links.push({ partition, id });
    let set = partition.byRow.get(id);
    if (set === undefined) partition.byRow.set(id, (set = new Set()));
    set.add(entry);
  }

  #settle(key: string, load: Load<V>, value: V, dependencies: readonly Dependency[] | undefined): void {
    // One that began later knows more, and may have come to its end before.
    if (this.#loads.get(key) !== load) return;
    // An entry from before it began is over, though no event has said so.
    if (dependencies === undefined) return void this.#entries.delete(key);
    const isStale = dependencies.some(({ partition }) => (this.#touched.get(partition) ?? 0) > load.began);
    if (!isStale) this.#store(key, value, dependencies);
  }

  #find(key: string): Entry<V> | undefined {
    const entry = this.#feed.isTrusted() ? this.#entries.get(key) : undefined;
    if (entry === undefined || !entry.links.some(({ partition }) => partition.isVoid)) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  #count(entry: Entry<V> | undefined): V | undefined {
    if (entry === undefined) this.#misses += 1;
    else this.#hits += 1;
    return entry?.value;
  }

  /** Makes a load, now or, held, at the end of the turn. Those who come after it begins share it by way of `fill`. */
  async #begin(isHeld: boolean, ...[key, load, dependsOn]: Parameters<DerivedCache<V>["fill"]>): Promise<V> {
    const loadHeld = async (): Promise<V> => {
      await endOfTurn();
      mine.isHeld = false;
      return load();
    };
    const value = shareWork(isHeld ? loadHeld : load);
    const mine: Load<V> = { began: this.#events, isHeld, value };
    this.#loads.set(key, mine);
    this.#running += 1;
    try {
      const found = await value.join(load);
      this.#settle(key, mine, found, dependsOn(found));
      return found;
    } finally {
      if (this.#loads.get(key) === mine) this.#loads.delete(key);
      this.#running -= 1;
      if (this.#running === 0) this.#touched.clear();
    }
  }

  async #isCurrent({ links }: Entry<V>): Promise<boolean> {
    const names = new Set(links.map(({ partition }) => partition.name));
    return (await Promise.all([...names].map(async (partition) => this.#feed.isCurrent(partition)))).every(Boolean);
  }
}

/** Names of tables are ours and hold no NUL, so no two rows have one name, whatever the keys hold. */
function rowId(table = "", key?: string): string {
  return key === undefined ? table : `${table}\0${key}`;
}

/**
 * Wakes the waiters for a change: the one mechanism behind blocking queries and event streams. The time to arm and to
 * wake one waiter does not depend on the number of others.
 */
import type { Database } from "../storage/database.ts";
import { counterName } from "../storage/writes/counters.ts";
import { NO_PARTITION, type FeedEvent, type TableScope } from "../storage/feed/feed.ts";
import { createTurns } from "../turns.ts";

/** Subject of a wait: an object when a key is given, otherwise all of a table in a namespace. */
export interface Watched extends TableScope {
  table: string;
  /** Key of the object within its table, in any namespace. */
  key?: string | undefined;
  /** Changes with an index up to this one are not news. Default: all are. */
  after?: number;
  /** State that the watched counter guarded when the waiter looked. */
  state?: string;
  /** Selects the changes of a table that wake the waiter. Default: all. */
  sees?: (change: { namespace: string; key: string }) => boolean;
}

/** Why a wait has ended. */
export type WaitOutcome =
  /** The watched data has changed, or may have: read it again. */
  | "changed"
  /** The wait has timed out, or the server stops: answer with the current data. */
  | "over"
  /** The client has disconnected. */
  | "gone";

export interface Waiter {
  /** Watches these subjects, and no others, from now on. Changes before `wait` are not lost. */
  watch(...watched: Watched[]): void;
  /** Resolves at the first change since `watch` was called, or when the waiter ends; `watch` has to be called again then. */
  wait(): Promise<WaitOutcome>;
  /** Ends it for good; a `wait` resolves with this outcome. */
  end(outcome: Exclude<WaitOutcome, "changed">): void;
}

export interface Watches {
  /** A new waiter, which hears nothing yet. It has to be ended. */
  add(): Waiter;
  /** Waiters that wait now: have looked, and hear of the next change. */
  count(): number;
  /** Ends all waiters, and those to come. */
  close(): void;
}

/** A waiter in the set of those that wait for the same. */
interface Link {
  entry: Entry;
  after: number;
  state: string | undefined;
  sees: Watched["sees"];
  group: Group;
}

/** Waiters for the same subject. The last of them deletes the group, and an empty partition. */
interface Group {
  partition: string;
  topic: string;
  /** Key of the object, where the waiters wait for one. */
  key: string | undefined;
  members: Set<Link>;
  topics: Topics;
}

/** Groups of waiters in a partition, by topic. */
type Topics = Map<string, Group>;

interface Entry {
  links: Link[];
  resolve: ((outcome: WaitOutcome) => void) | undefined;
  /** Whether a change has happened that the waiter does not know yet. */
  pending: boolean;
  ended: Exclude<WaitOutcome, "changed"> | undefined;
  /** Subjects of the wait, for times without a feed. */
  watched: readonly Watched[];
}

/** Each woken waiter makes and sends an answer; other requests must get their turn in between. */
const wakeTurns = createTurns();
/** Interval of reads of the tables while the feed knows nothing, in milliseconds. */
const FALLBACK_MS = 500;

const ROOT = counterName({ kind: "root" });
/** Interval of reads of guarded state, in milliseconds: other servers may change it, and no message reports that. */
const COUNTERS_MS = 250;

/** Reads the state that a counter guards, as a text that differs after every change; undefined when it is deleted. */
export type ReadGuarded = (db: Database, counter: string) => Promise<{ at: string } | undefined>;

/** Makes the watches of a database; they live as long as the server. */
export function createWatches(db: Database, readGuarded: ReadGuarded): Watches {
  return new OpenWatches(db, readGuarded);
}

class OpenWatches implements Watches {
  readonly #db: Database;
  readonly #readGuarded: ReadGuarded;
  /** By partition and topic. */
  readonly #partitions = new Map<string, Topics>();
  readonly #entries = new Set<Entry>();
  #waiting = 0;
  #isClosed = false;
  /** Indexes that were read in the last round while the feed knew nothing. */
  #seen: ReadonlyMap<string, number> = new Map();
  /** Looks begun, of which each sees all that was there before it; those that are asked for meanwhile are one. */
  #looking: Promise<void> | undefined;
  #isAsked = false;
  readonly #counters: NodeJS.Timeout | undefined;
  readonly #unsubscribe: () => void;
  readonly #fallback: NodeJS.Timeout;

  constructor(db: Database, readGuarded: ReadGuarded) {
    this.#db = db;
    this.#readGuarded = readGuarded;
    this.#counters =
      db.engine === "sqlite" ? undefined : setInterval(() => void this.#followGuarded(), COUNTERS_MS).unref();
    this.#unsubscribe = db.feed.subscribe({ onDurable: (event) => this.#hear(event) });
    this.#fallback = setInterval(() => void this.#lookForChanges(), FALLBACK_MS).unref();
  }

  add(): Waiter {
    const entry: Entry = { links: [], resolve: undefined, pending: false, ended: undefined, watched: [] };
    this.#entries.add(entry);
    const end = (outcome: Exclude<WaitOutcome, "changed">): void => {
      this.#unlink(entry);
      this.#entries.delete(entry);
      entry.ended ??= outcome;
      this.#settle(entry, entry.ended);
    };
    if (this.#isClosed) end("over");
    return {
      watch: (...watched) => {
        // A change that has already happened must not be lost when the waiter watches another subject.
        if (entry.pending || entry.ended !== undefined) return;
        this.#unlink(entry);
        entry.watched = watched;
        for (const one of watched) this.#link(entry, one);
      },
      wait: () => {
        if (entry.ended !== undefined) return Promise.resolve(entry.ended);
        if (entry.pending) {
          entry.pending = false;
          return Promise.resolve("changed");
        }
        return new Promise((resolve) => {
          entry.resolve = resolve;
          this.#waiting += 1;
        });
      },
      end,
    };
  }

  count(): number {
    return this.#waiting;
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    clearInterval(this.#fallback);
    clearInterval(this.#counters);
    for (const entry of this.#entries) {
      entry.ended = "over";
      this.#notify(entry);
    }
    this.#entries.clear();
  }

  #hear(event: FeedEvent): void {
    const partition = this.#partitions.get(event.partition);
    if (partition === undefined) return;
    if ("all" in event) {
      for (const { members } of partition.values()) for (const { entry } of members) this.#notify(entry);
      return;
    }
    const { table, namespace, key, index } = event;
    // Among its writes are those that change organizations, of which each has a counter of its own.
    if (event.partition === NO_PARTITION && key === ROOT) void this.#followGuarded();
    for (const topic of [tableTopic(table, namespace), tableTopic(table, "*"), keyTopic(table, key)]) {
      for (const { entry, after, sees } of partition.get(topic)?.members ?? []) {
        if (index > after && (sees === undefined || sees(event))) this.#notify(entry);
      }
    }
  }

  #notify(entry: Entry): void {
    this.#unlink(entry);
    if (entry.pending) return;
    entry.pending = true;
    if (entry.resolve === undefined) return;
    void wakeTurns.next().then(() => this.#settle(entry, entry.ended ?? "changed"));
  }

  #settle(entry: Entry, outcome: WaitOutcome): void {
    const { resolve } = entry;
    if (resolve !== undefined) this.#waiting -= 1;
    entry.resolve = undefined;
    entry.pending = false;
    resolve?.(outcome);
  }

  #link(entry: Entry, { partition, table, namespace, key, after = -1, state, sees }: Watched): void {
    let topics = this.#partitions.get(partition);
    if (topics === undefined) this.#partitions.set(partition, (topics = new Map()));
    const topic = key === undefined ? tableTopic(table, namespace) : keyTopic(table, key);
    let group = topics.get(topic);
    if (group === undefined) topics.set(topic, (group = { partition, topic, key, members: new Set(), topics }));
    const made: Link = { entry, after, state, sees, group };
    group.members.add(made);
    entry.links.push(made);
  }

  #unlink(entry: Entry): void {
    for (const made of entry.links) {
      const { partition, topic, members, topics } = made.group;
      if (!members.delete(made) || members.size > 0) continue;
      topics.delete(topic);
      if (topics.size === 0) this.#partitions.delete(partition);
    }
    entry.links = [];
  }

  /**
   * While the feed knows nothing the indexes of what is waited for are read, each once for all its waiters. Those that
   * take any change for news are woken in the first round, since what was missed before it is not known.
   */
  async #lookForChanges(): Promise<void> {
    if (this.#db.feed.isTrusted()) {
      this.#seen = new Map();
      return;
    }
    const read = new Map<string, number>();
    for (const { table, partition, namespace } of [...this.#entries].flatMap(({ watched }) => watched)) {
      if (partition === NO_PARTITION) continue;
      const name = indexName(table, partition, namespace);
      if (read.has(name)) continue;
      const index = await Promise.resolve(this.#db.tableIndex(table, { partition, namespace })).catch(() => undefined);
      read.set(name, index ?? 0);
    }
    for (const entry of this.#entries) {
      const isNews = ({ table, partition, namespace, after }: Watched): boolean => {
        const name = indexName(table, partition, namespace);
        return (read.get(name) ?? 0) > (after ?? this.#seen.get(name) ?? -1);
      };
      if (entry.watched.some(isNews)) this.#notify(entry);
    }
    this.#seen = read;
  }

  /** Reads the state of each counter once for all its waiters. The deletion of the guarded object wakes them too. */
  async #lookAtGuarded(): Promise<void> {
    const groups = [...(this.#partitions.get(NO_PARTITION)?.values() ?? [])];
    await Promise.all(
      groups.map(async ({ key = "", members }) => {
        const found = await this.#readGuarded(this.#db, key);
        for (const { entry, state } of members) if (found?.at !== state) this.#notify(entry);
      }),
    );
  }

  async #followGuarded(): Promise<void> {
    this.#isAsked = true;
    if (this.#looking !== undefined) return;
    while (this.#isAsked) {
      this.#isAsked = false;
      // While storage is away there is no news that a waiter could be told.
      this.#looking = this.#lookAtGuarded().catch(() => undefined);
      await this.#looking;
    }
    this.#looking = undefined;
  }
}

/** Names of tables and namespaces hold no NUL, so that no two topics are alike. */
function tableTopic(table: string, namespace: string): string {
  return `${table}\0${namespace}`;
}

function keyTopic(table: string, key: string): string {
  return `${table}\0\0${key}`;
}

function indexName(table: string, partition: string, namespace: string): string {
  return `${partition}\0${namespace}\0${table}`;
}

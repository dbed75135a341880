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
  /** By partition and topic. */
  const partitions = new Map<string, Topics>();
  const entries = new Set<Entry>();
  let waiting = 0;
  let isClosed = false;
  /** Indexes that were read in the last round while the feed knew nothing. */
  let seen: ReadonlyMap<string, number> = new Map();

  function hear(event: FeedEvent): void {
    const partition = partitions.get(event.partition);
    if (partition === undefined) return;
    if ("all" in event) {
      for (const { members } of partition.values()) for (const { entry } of members) notify(entry);
      return;
    }
    const { table, namespace, key, index } = event;
    // Among its writes are those that change organizations, of which each has a counter of its own.
    if (event.partition === NO_PARTITION && key === ROOT) void followGuarded();
    for (const topic of [tableTopic(table, namespace), tableTopic(table, "*"), keyTopic(table, key)]) {
      for (const { entry, after, sees } of partition.get(topic)?.members ?? []) {
        if (index > after && (sees === undefined || sees(event))) notify(entry);
      }
    }
  }

  function notify(entry: Entry): void {
    unlink(entry);
    if (entry.pending) return;
    entry.pending = true;
    if (entry.resolve === undefined) return;
    void wakeTurns.next().then(() => settle(entry, entry.ended ?? "changed"));
  }

  function settle(entry: Entry, outcome: WaitOutcome): void {
    const { resolve } = entry;
    if (resolve !== undefined) waiting -= 1;
    entry.resolve = undefined;
    entry.pending = false;
    resolve?.(outcome);
  }

  function link(entry: Entry, { partition, table, namespace, key, after = -1, state, sees }: Watched): void {
    let topics = partitions.get(partition);
    if (topics === undefined) partitions.set(partition, (topics = new Map()));
    const topic = key === undefined ? tableTopic(table, namespace) : keyTopic(table, key);
    let group = topics.get(topic);
    if (group === undefined) topics.set(topic, (group = { partition, topic, key, members: new Set(), topics }));
    const made: Link = { entry, after, state, sees, group };
    group.members.add(made);
    entry.links.push(made);
  }

  function unlink(entry: Entry): void {
    for (const made of entry.links) {
      const { partition, topic, members, topics } = made.group;
      if (!members.delete(made) || members.size > 0) continue;
      topics.delete(topic);
      if (topics.size === 0) partitions.delete(partition);
    }
    entry.links = [];
  }

  /**
   * While the feed knows nothing the indexes of what is waited for are read, each once for all its waiters. Those that
   * take any change for news are woken in the first round, since what was missed before it is not known.
   */
  async function lookForChanges(): Promise<void> {
    if (db.feed.isTrusted()) {
      seen = new Map();
      return;
    }
    const read = new Map<string, number>();
    for (const { table, partition, namespace } of [...entries].flatMap(({ watched }) => watched)) {
      if (partition === NO_PARTITION) continue;
      const name = indexName(table, partition, namespace);
      if (read.has(name)) continue;
      const index = await Promise.resolve(db.tableIndex(table, { partition, namespace })).catch(() => undefined);
      read.set(name, index ?? 0);
    }
    for (const entry of entries) {
      const isNews = ({ table, partition, namespace, after }: Watched): boolean => {
        const name = indexName(table, partition, namespace);
        return (read.get(name) ?? 0) > (after ?? seen.get(name) ?? -1);
      };
      if (entry.watched.some(isNews)) notify(entry);
    }
    seen = read;
  }

  /** Reads the state of each counter once for all its waiters. The deletion of the guarded object wakes them too. */
  async function lookAtGuarded(): Promise<void> {
    const groups = [...(partitions.get(NO_PARTITION)?.values() ?? [])];
    await Promise.all(
      groups.map(async ({ key = "", members }) => {
        const found = await readGuarded(db, key);
        for (const { entry, state } of members) if (found?.at !== state) notify(entry);
      }),
    );
  }

  /** Looks begun, of which each sees all that was there before it; those that are asked for meanwhile are one. */
  let looking: Promise<void> | undefined;
  let isAsked = false;
  async function followGuarded(): Promise<void> {
    isAsked = true;
    if (looking !== undefined) return;
    while (isAsked) {
      isAsked = false;
      // While storage is away there is no news that a waiter could be told.
      looking = lookAtGuarded().catch(() => undefined);
      await looking;
    }
    looking = undefined;
  }

  const counters = db.engine === "sqlite" ? undefined : setInterval(() => void followGuarded(), COUNTERS_MS).unref();
  const unsubscribe = db.feed.subscribe({ onDurable: hear });
  const fallback = setInterval(() => void lookForChanges(), FALLBACK_MS).unref();

  return {
    add() {
      const entry: Entry = { links: [], resolve: undefined, pending: false, ended: undefined, watched: [] };
      entries.add(entry);
      const end = (outcome: Exclude<WaitOutcome, "changed">): void => {
        unlink(entry);
        entries.delete(entry);
        entry.ended ??= outcome;
        settle(entry, entry.ended);
      };
      if (isClosed) end("over");
      return {
        watch(...watched) {
          // A change that has already happened must not be lost when the waiter watches another subject.
          if (entry.pending || entry.ended !== undefined) return;
          unlink(entry);
          entry.watched = watched;
          for (const one of watched) link(entry, one);
        },
        wait() {
          if (entry.ended !== undefined) return Promise.resolve(entry.ended);
          if (entry.pending) {
            entry.pending = false;
            return Promise.resolve("changed");
          }
          return new Promise((resolve) => {
            entry.resolve = resolve;
            waiting += 1;
          });
        },
        end,
      };
    },
    count: () => waiting,
    close() {
      isClosed = true;
      unsubscribe();
      clearInterval(fallback);
      clearInterval(counters);
      for (const entry of entries) {
        entry.ended = "over";
        notify(entry);
      }
      entries.clear();
    },
  };
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

import { createHash, randomUUID, type KeyObject } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Reader } from "../database.ts";
import { readCounter } from "../feed/touches.ts";
import { createFeedHub, eventsOf, NO_PARTITION, type Commit, type FeedHub, type FeedEvent } from "../feed/feed.ts";
import { connect, type PostgresConnection } from "./connection.ts";
import { createKnownWrites } from "./feed-counters.ts";
import { decodeMessage, encodeMessage, type FeedSeal, type ToldCommit } from "./feed-message.ts";
import type { Servers } from "./servers.ts";
import type { SharedClock } from "./shared-clock.ts";
import type { CommitListener } from "./writer.ts";

/**
 * The change feed between the nodes of one database. The counters of the partitions are its truth: each node reads them
 * all every 250 ms. NOTIFY only makes it faster, and says what has changed; a message may be lost, and counts only when
 * its seal says that a node of this database sent it.
 */
export interface PostgresFeed extends CommitListener {
  hub: FeedHub;
  /** See `Feed.isCurrent`. @param reader of the primary; what it reads together with others must not have been sent before they asked */
  isCurrent(reader: Pick<Reader, "point">, partition: string): Promise<boolean>;
  /** Resolves after the first poll. */
  ready: Promise<void>;
  /** Until then nothing is sent, and nothing that is heard counts. */
  useKey(key: KeyObject): void;
  close(): Promise<void>;
}

interface PostgresFeedOptions {
  servers: Servers;
  /** `poll` leaves NOTIFY and LISTEN out. */
  mode: "notify" | "poll";
  /** Told the database's time now and then. */
  clock: SharedClock;
  /** Told of each poll: when it began, by the monotonic clock, and the counters by name. */
  onPoll?: ((began: number, counters: ReadonlyMap<string, number>) => void) | undefined;
  onWarning: (message: string) => void;
}

const POLL_MS = 250;
/** How long a counter that moved waits for the message, or the end of this node's own commit, that says what it was. */
const GRACE_MS = 100;
/** A poll that takes longer is of no use, nor is a connection that stays silent for so long. */
const STATEMENT_TIMEOUT = "1s";
const ANSWER_TIMEOUT_MS = 1500;

/** Reads the counters of all partitions. */
export const POLL = "select name, value from counters where name >= 'partition/' and name < 'partition0'";
const PREFIX = "partition/";
/** The same for all sessions of one server for as long as it runs: messages reach nobody else. */
const READ_PLACE = `select current_schema() as schema,
  current_database() || ' ' || cast(extract(epoch from pg_postmaster_start_time()) as text) as place`;
const READ_CLOCK = "select (extract(epoch from clock_timestamp()) * 1000)::bigint as now";
/**
 * A write that a message tells of is one for good, so it does no harm to hear of it twice, late or in another order:
 * unless counters go back, when an old database is put in place, and their numbers are given to other writes. So a
 * message that is older than this does not count, and after such a fall none does until those of before are that old.
 */
const MESSAGE_AGE_MS = 5000;
/**
 * Messages without proof that a node reads per second. Beyond that it reads no message, with or without proof, until
 * the second is over.
 */
const MAX_FORGED = 100;
const FORGED_WINDOW_MS = 1000;

/** Polls from one reading of the clock to the next. */
const CLOCK_EVERY = 8;

/** Starts to poll, and to listen where the server can. */
export function startPostgresFeed(options: PostgresFeedOptions): PostgresFeed {
  return new PollingFeed(options);
}

class PollingFeed implements PostgresFeed {
  readonly #clock: PostgresFeedOptions["clock"];
  readonly #onPoll: PostgresFeedOptions["onPoll"];
  readonly #onWarning: PostgresFeedOptions["onWarning"];
  readonly #node = randomUUID();
  readonly #known = createKnownWrites();
  readonly #stopping = new AbortController();
  /** The channel of this schema, and the server's part of the seal; undefined while, or where, nothing is sent. */
  #session: { channel: string; place: string } | undefined;
  #key: KeyObject | undefined;
  /** Messages do not count before this, by the monotonic clock. */
  #deafUntil = -Infinity;
  /** Messages without proof, since the beginning of a window of time. */
  #forged = { since: -Infinity, count: 0 };
  /** When the last poll began of which every consequence has been told, by the monotonic clock; in milliseconds. */
  #trustedFrom = -Infinity;
  /** This node's writes of this turn, for one message. */
  #outbox: ToldCommit[] = [];
  #isFailing = false;
  #polls = 0;
  readonly hub: FeedHub;
  // A connection of its own for all of it: a slow read in front would make polls late and caches useless. The
  // counters of a standby may stand still, so it is one to the primary.
  readonly #connection: PostgresConnection;
  readonly ready: Promise<void>;
  readonly #polling: Promise<void>;

  readonly #send = (): void => {
    const seal = this.#sealNow();
    const payload = seal && encodeMessage({ node: this.#node, sent: this.#clock.now(), commits: this.#outbox }, seal);
    this.#outbox = [];
    if (payload === undefined || this.#session === undefined) return;
    const statement = { name: "notify", text: "select pg_notify($1, $2)", values: [this.#session.channel, payload] };
    // It is a hint: whoever misses it polls.
    this.#connection.query(statement).catch(() => undefined);
  };

  readonly #noteFailure = (error: unknown): void => {
    if (this.#stopping.signal.aborted || this.#isFailing) return;
    this.#isFailing = true;
    this.#onWarning(`change feed failed; caches are disabled: ${String(error)}`);
  };

  constructor({ servers, mode, clock, onPoll, onWarning }: PostgresFeedOptions) {
    this.#clock = clock;
    this.#onPoll = onPoll;
    this.#onWarning = onWarning;
    this.hub = createFeedHub({
      whenDurable: (done) => done(),
      pollAgeSeconds: () => (performance.now() - this.#trustedFrom) / 1000,
      publishedUpTo: (partition) => this.#known.upTo(partition),
      onWarning,
    });
    this.#connection = connect({
      servers,
      settings: { statement_timeout: STATEMENT_TIMEOUT },
      use: "read",
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
      onWarning,
      onSession: mode === "notify" ? (client) => this.#listen(client) : undefined,
    });
    this.ready = this.#connection.ready.then(() => this.#poll());
    this.#polling = this.ready.then(() => this.#keepPolling()).catch(() => undefined);
  }

  async isCurrent(reader: Pick<Reader, "point">, partition: string): Promise<boolean> {
    const before = this.#known.upTo(partition);
    const value = await readCounter(reader, PREFIX + partition);
    // One that has fallen, or is gone, says nothing of what is known.
    if (before === undefined || value === undefined || value < before) return false;
    return (this.#known.upTo(partition) ?? 0) >= value;
  }

  useKey(given: KeyObject): void {
    this.#key = given;
  }

  onCommit(commit: Commit): void {
    this.#known.note(commit.partition, commit.index);
    this.hub.publish(eventsOf(commit));
    // A waiter for an organization reads its counter, so nodes do not have to tell each other of all these writes.
    if (commit.partition !== NO_PARTITION) this.#tellOthers(commit);
  }

  onUnknown(partition: string): void {
    // If it happens after all, a poll finds that the counter has moved.
    this.hub.publish([{ partition, all: true }]);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    if (this.#outbox.length > 0) this.#send();
    await this.#connection.close();
    await this.#polling;
  }

  async #listen(client: pg.Client): Promise<void> {
    client.on("notification", ({ payload }) => this.#hear(payload ?? ""));
    try {
      const { rows } = await client.query<{ schema: string; place: string }>(READ_PLACE);
      const channel = feedChannel(rows[0]?.schema ?? "");
      await client.query(`listen ${channel}`);
      this.#session = { channel, place: `${channel} ${rows[0]?.place}` };
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      this.#session = undefined;
      this.#onWarning(`database notifications failed (${error.message}); using polling only`);
    }
  }

  #hear(payload: string): void {
    const seal = this.#sealNow();
    if (seal === undefined || performance.now() < this.#deafUntil) return;
    const message = decodeMessage(payload, seal);
    if (message === undefined) return this.#noteForged();
    if (message.node === this.#node) return;
    if (Math.abs(this.#clock.now() - message.sent) > MESSAGE_AGE_MS) return;
    for (const commit of message.commits) {
      // Else a poll was faster and has told that anything may have changed.
      if (this.#known.note(commit.partition, commit.index)) this.hub.publish(eventsOfTold(commit));
    }
  }

  /** A flood of them is not looked at for long: to hear nothing is safe, and only slower. */
  #noteForged(): void {
    const now = performance.now();
    if (now - this.#forged.since >= FORGED_WINDOW_MS) this.#forged = { since: now, count: 0 };
    this.#forged.count += 1;
    if (this.#forged.count >= MAX_FORGED)
      this.#deafUntil = Math.max(this.#deafUntil, this.#forged.since + FORGED_WINDOW_MS);
  }

  #sealNow(): FeedSeal | undefined {
    return this.#key && this.#session && { key: this.#key, place: this.#session.place };
  }

  #tellOthers(commit: ToldCommit): void {
    if (this.#sealNow() === undefined) return;
    if (this.#outbox.length === 0) setImmediate(this.#send);
    this.#outbox.push(commit);
  }

  async #readClock(): Promise<void> {
    const sent = Date.now();
    const { rows } = await this.#connection.query({ name: "read_clock", text: READ_CLOCK, values: [] });
    this.#clock.note(sent, Date.now(), (rows[0] as { now: number }).now);
  }

  async #poll(): Promise<void> {
    if (this.#polls++ % CLOCK_EVERY === 0) await this.#readClock();
    const began = performance.now();
    const before = this.#known.values();
    const { rows } = await this.#connection.query({ name: "poll_counters", text: POLL, values: [] });
    const counters = rows as { name: string; value: number }[];
    this.#onPoll?.(began, new Map(counters.map(({ name, value }) => [name, value])));
    const polled = new Map(counters.map(({ name, value }) => [name.slice(PREFIX.length), value]));
    let unexplained = this.#known.findUnexplained(polled, before);
    if (unexplained.length > 0 && before.size > 0) {
      await sleep(GRACE_MS, undefined, { signal: this.#stopping.signal, ref: false });
      unexplained = this.#known.findUnexplained(polled, before);
    }
    for (const partition of unexplained) {
      const hasFallen = this.#known.settle(partition, polled.get(partition));
      if (hasFallen) this.#deafUntil = performance.now() + 2 * MESSAGE_AGE_MS;
      this.hub.publish([{ partition, all: true }]);
    }
    this.#trustedFrom = began;
    this.#isFailing = false;
  }

  async #keepPolling(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const next = performance.now() + POLL_MS;
      await this.#poll().catch(this.#noteFailure);
      const pause = Math.max(0, next - performance.now());
      await sleep(pause, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined);
    }
  }
}

function eventsOfTold({ partition, index, changes }: ToldCommit): FeedEvent[] {
  return changes === undefined ? [{ partition, all: true }] : eventsOf({ partition, index, changes });
}

/** Name of the channel of a schema. Channels belong to a database; one that holds several schemas keeps several servers apart. */
export function feedChannel(schema: string): string {
  return `tessera_feed_${createHash("sha256").update(schema).digest("hex").slice(0, 16)}`;
}

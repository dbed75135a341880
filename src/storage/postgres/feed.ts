import { createHash, randomUUID, type KeyObject } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Reader } from "../database.ts";
import { readCounter } from "../feed/touches.ts";
import { createFeedHub, eventsOf, NO_PARTITION, type FeedHub, type FeedEvent } from "../feed/feed.ts";
import { connect } from "./connection.ts";
import { createKnownWrites } from "./feed-counters.ts";
import { decodeMessage, encodeMessage, type FeedSeal, type ToldCommit } from "./feed-message.ts";
import type { Servers } from "./servers.ts";
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
export function startPostgresFeed({ servers, mode, clock, onPoll, onWarning }: PostgresFeedOptions): PostgresFeed {
  const node = randomUUID();
  const known = createKnownWrites();
  const stopping = new AbortController();
  /** The channel of this schema, and the server's part of the seal; undefined while, or where, nothing is sent. */
  let session: { channel: string; place: string } | undefined;
  let key: KeyObject | undefined;
  /** Messages do not count before this, by the monotonic clock. */
  let deafUntil = -Infinity;
  /** Messages without proof, since the beginning of a window of time. */
  let forged = { since: -Infinity, count: 0 };
  /** When the last poll began of which every consequence has been told, by the monotonic clock; in milliseconds. */
  let trustedFrom = -Infinity;
  /** This node's writes of this turn, for one message. */
  let outbox: ToldCommit[] = [];
  let isFailing = false;
  let polls = 0;

  const hub = createFeedHub({
    whenDurable: (done) => done(),
    pollAgeSeconds: () => (performance.now() - trustedFrom) / 1000,
    publishedUpTo: (partition) => known.upTo(partition),
    onWarning,
  });
  // A connection of its own for all of it: a slow read in front would make polls late and caches useless. The
  // counters of a standby may stand still, so it is one to the primary.
  const connection = connect({
    servers,
    settings: { statement_timeout: STATEMENT_TIMEOUT },
    use: "read",
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    onWarning,
    onSession: mode === "notify" ? listen : undefined,
  });

  async function listen(client: pg.Client): Promise<void> {
    client.on("notification", ({ payload }) => hear(payload ?? ""));
    try {
      const { rows } = await client.query<{ schema: string; place: string }>(READ_PLACE);
      const channel = feedChannel(rows[0]?.schema ?? "");
      await client.query(`listen ${channel}`);
      session = { channel, place: `${channel} ${rows[0]?.place}` };
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      session = undefined;
      onWarning(`the database sends no notifications (${error.message}); changes are found by polling alone`);
    }
  }

  function hear(payload: string): void {
    const seal = sealNow();
    if (seal === undefined || performance.now() < deafUntil) return;
    const message = decodeMessage(payload, seal);
    if (message === undefined) return noteForged();
    if (message.node === node) return;
    if (Math.abs(clock.now() - message.sent) > MESSAGE_AGE_MS) return;
    for (const commit of message.commits) {
      // Else a poll was faster and has told that anything may have changed.
      if (known.note(commit.partition, commit.index)) hub.publish(eventsOfTold(commit));
    }
  }

  /** A flood of them is not looked at for long: to hear nothing is safe, and only slower. */
  function noteForged(): void {
    const now = performance.now();
    if (now - forged.since >= FORGED_WINDOW_MS) forged = { since: now, count: 0 };
    forged.count += 1;
    if (forged.count >= MAX_FORGED) deafUntil = Math.max(deafUntil, forged.since + FORGED_WINDOW_MS);
  }

  function sealNow(): FeedSeal | undefined {
    return key && session && { key, place: session.place };
  }

  function tellOthers(commit: ToldCommit): void {
    if (sealNow() === undefined) return;
    if (outbox.length === 0) setImmediate(send);
    outbox.push(commit);
  }

  function send(): void {
    const seal = sealNow();
    const payload = seal && encodeMessage({ node, sent: clock.now(), commits: outbox }, seal);
    outbox = [];
    if (payload === undefined || session === undefined) return;
    const statement = { name: "notify", text: "select pg_notify($1, $2)", values: [session.channel, payload] };
    // It is a hint: whoever misses it polls.
    connection.query(statement).catch(() => undefined);
  }

  async function readClock(): Promise<void> {
    const sent = Date.now();
    const { rows } = await connection.query({ name: "read_clock", text: READ_CLOCK, values: [] });
    clock.note(sent, Date.now(), (rows[0] as { now: number }).now);
  }

  async function poll(): Promise<void> {
    if (polls++ % CLOCK_EVERY === 0) await readClock();
    const began = performance.now();
    const before = known.values();
    const { rows } = await connection.query({ name: "poll_counters", text: POLL, values: [] });
    const counters = rows as { name: string; value: number }[];
    onPoll?.(began, new Map(counters.map(({ name, value }) => [name, value])));
    const polled = new Map(counters.map(({ name, value }) => [name.slice(PREFIX.length), value]));
    let unexplained = known.findUnexplained(polled, before);
    if (unexplained.length > 0 && before.size > 0) {
      await sleep(GRACE_MS, undefined, { signal: stopping.signal, ref: false });
      unexplained = known.findUnexplained(polled, before);
    }
    for (const partition of unexplained) {
      const hasFallen = known.settle(partition, polled.get(partition));
      if (hasFallen) deafUntil = performance.now() + 2 * MESSAGE_AGE_MS;
      hub.publish([{ partition, all: true }]);
    }
    trustedFrom = began;
    isFailing = false;
  }

  function noteFailure(error: unknown): void {
    if (stopping.signal.aborted || isFailing) return;
    isFailing = true;
    onWarning(`changes of other nodes cannot be polled, so nothing is cached meanwhile: ${String(error)}`);
  }

  async function keepPolling(): Promise<void> {
    while (!stopping.signal.aborted) {
      const next = performance.now() + POLL_MS;
      await poll().catch(noteFailure);
      const pause = Math.max(0, next - performance.now());
      await sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  const ready = connection.ready.then(poll);
  const polling = ready.then(keepPolling).catch(() => undefined);

  return {
    hub,
    async isCurrent(reader, partition) {
      const before = known.upTo(partition);
      const value = await readCounter(reader, PREFIX + partition);
      // One that has fallen, or is gone, says nothing of what is known.
      if (before === undefined || value === undefined || value < before) return false;
      return (known.upTo(partition) ?? 0) >= value;
    },
    ready,
    useKey(given) {
      key = given;
    },
    onCommit(commit) {
      known.note(commit.partition, commit.index);
      hub.publish(eventsOf(commit));
      // A waiter for an organization reads its counter, so nodes do not have to tell each other of all these writes.
      if (commit.partition !== NO_PARTITION) tellOthers(commit);
    },
    onUnknown(partition) {
      // If it happens after all, a poll finds that the counter has moved.
      hub.publish([{ partition, all: true }]);
    },
    async close() {
      stopping.abort();
      if (outbox.length > 0) send();
      await connection.close();
      await polling;
    },
  };
}

function eventsOfTold({ partition, index, changes }: ToldCommit): FeedEvent[] {
  return changes === undefined ? [{ partition, all: true }] : eventsOf({ partition, index, changes });
}

/** Name of the channel of a schema. Channels belong to a database; one that holds several schemas keeps several servers apart. */
export function feedChannel(schema: string): string {
  return `tessera_feed_${createHash("sha256").update(schema).digest("hex").slice(0, 16)}`;
}

/**
 * The clock of the database, which all its nodes go by for what they store: a token that one node made for an hour must
 * not have expired on the next one, whose clock is an hour ahead.
 */
export interface SharedClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Takes one reading.
   *
   * @param sent when the database was asked, by this node's clock, and `answered` when the answer came
   * @param read what the database said; all in milliseconds since the epoch
   */
  note(sent: number, answered: number, read: number): void;
}

/** A smaller difference than this is as good as none: clocks that are kept in time differ by less. */
const TOLERATED_MS = 1000;
/** A reading that took longer says too little. */
const LONGEST_READING_MS = 500;

/** @param onWarning told when the clocks are found to differ, and when they no longer do */
export function createSharedClock(onWarning: (message: string) => void): SharedClock {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    note(sent, answered, read) {
      if (answered - sent < 0 || answered - sent > LONGEST_READING_MS) return;
      const difference = Math.round(read - (sent + answered) / 2);
      const next = Math.abs(difference) < TOLERATED_MS ? 0 : difference;
      if (Math.abs(next - offset) < TOLERATED_MS) return;
      offset = next;
      const seconds = Math.round(difference / 1000);
      onWarning(
        next === 0
          ? "the clocks of the database and of this machine agree again"
          : `the clock of the database is ${seconds} s from that of this machine; stored times follow the database's`,
      );
    },
  };
}

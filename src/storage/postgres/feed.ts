import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createFeedHub, eventsOf, type FeedHub, type FeedEvent } from "../feed.ts";
import type { SharedClock } from "./clock.ts";
import { connect } from "./connection.ts";
import { createKnownWrites } from "./feed-counters.ts";
import { decodeMessage, encodeMessage, type ToldCommit } from "./feed-message.ts";
import type { Servers } from "./servers.ts";
import type { CommitListener } from "./writer.ts";

/**
 * The change feed between the nodes of one database. The counters of the
 * partitions are its truth: each node reads them all every 250 ms. NOTIFY only
 * makes it faster, and says what has changed; a message may be lost.
 */
export interface PostgresFeed extends CommitListener {
  hub: FeedHub;
  /** Resolves after the first poll. */
  ready: Promise<void>;
  close(): Promise<void>;
}

export interface PostgresFeedOptions {
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
const READ_CLOCK = "select (extract(epoch from clock_timestamp()) * 1000)::bigint as now";
/** Polls from one reading of the clock to the next. */
const CLOCK_EVERY = 8;

/** Starts to poll, and to listen where the server can. */
export function startPostgresFeed({ servers, mode, clock, onPoll, onWarning }: PostgresFeedOptions): PostgresFeed {
  const node = randomUUID();
  const known = createKnownWrites();
  const stopping = new AbortController();
  /** The channel of this schema; undefined while, or where, nothing is sent. */
  let channel: string | undefined;
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
      const { rows } = await client.query<{ name: string }>("select current_schema() as name");
      const name = feedChannel(rows[0]?.name ?? "");
      await client.query(`listen ${name}`);
      channel = name;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      channel = undefined;
      onWarning(`the database sends no notifications (${error.message}); changes are found by polling alone`);
    }
  }

  function hear(payload: string): void {
    const message = decodeMessage(payload);
    if (message === undefined || message.node === node) return;
    for (const commit of message.commits) {
      // Else a poll was faster and has told that anything may have changed.
      if (known.note(commit.partition, commit.index)) hub.publish(eventsOfTold(commit));
    }
  }

  function tellOthers(commit: ToldCommit): void {
    if (channel === undefined) return;
    if (outbox.length === 0) setImmediate(send);
    outbox.push(commit);
  }

  function send(): void {
    const payload = encodeMessage({ node, commits: outbox });
    outbox = [];
    if (payload === undefined || channel === undefined) return;
    const statement = { name: "notify", text: "select pg_notify($1, $2)", values: [channel, payload] };
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
      known.settle(partition, polled.get(partition));
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
    ready,
    onCommit(commit) {
      known.note(commit.partition, commit.index);
      hub.publish(eventsOf(commit));
      tellOthers(commit);
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

/** Streams of changes: what changed, by topic and key, and never what it holds. Implements `GET /v1/events`. */
import { questionOf } from "../rights/authorize.ts";
import type { Actor } from "../rights/actor.ts";
import { lacking } from "../rights/permission.ts";
import { findNamespace } from "../acl/namespaces/store.ts";
import { NAMESPACES } from "../rights/kinds.ts";
import { ANY_NAMESPACE, type Scope } from "../rights/scope.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { createTurns } from "../turns.ts";
import type { Waiter } from "../watch/watches.ts";
import { readPartitionIndex } from "./store.ts";
import { indexOfTopics, maySee, maySeeAny } from "./topics.ts";
import type { EventWindow, KeptEvent } from "./window.ts";

/** Thousands of streams may be told of one change, and other requests shall get in between. */
const sendTurns = createTurns();

/** Receiver of events. */
export interface EventReceiver {
  /** Sends events that the caller may see. @param resumeFrom index to continue from after them */
  send(events: readonly KeptEvent[], resumeFrom: number | undefined): void;
  /** No more will come. */
  end(): void;
}

export interface StreamRequest {
  ctx: Context;
  scope: Scope;
  topics: ReadonlySet<string>;
  /** The client has seen everything up to this index; undefined when it begins now. */
  after: number | undefined;
  /** Waiter that its creator ends: when the client disconnects, or its token expires. */
  waiter: Waiter;
  /** Returns the caller, as of now. @throws AppError `forbidden` when the token is deleted */
  actorOf(): Promise<Actor>;
}

/**
 * Begins a stream, and goes on until its waiter ends or its token does.
 *
 * @returns what to do once the answer has begun
 * @throws AppError `gone` when what the client missed is not known any more, `forbidden` when it may see no topic
 */
export async function openStream(window: EventWindow, request: StreamRequest): Promise<(sink: EventReceiver) => void> {
  const { ctx, scope, topics, after } = request;
  if (!maySeeAny(ctx, topics, scope)) throw lacking(ctx, questionOf("acl", "", "read", scope));
  const stream = new EventStream(window, request);
  try {
    // Read first, so that none of what it stands for is told later.
    const shown = await indexOfTopics(ctx, topics, scope);
    stream.beginAt(after ?? (await readPartitionIndex(ctx.db, scope.partition)), after ?? shown);
    const missed =
      after === undefined ? [] : await withoutFormer(ctx, await missedSince(window, scope.partition, after, shown));
    return (sink) => stream.sendTo(sink, after ?? shown, missed);
  } catch (error) {
    stream.unsubscribe();
    throw error;
  }
}

/** The events of a partition on their way to one client. */
class EventStream {
  readonly #request: StreamRequest;
  readonly unsubscribe: () => void;
  /** Events of before the answer has begun. */
  readonly #early: { events: readonly KeptEvent[]; upTo: number | undefined }[] = [];
  #sink: EventReceiver | undefined;
  #sending = Promise.resolve();
  /**
   * Index from which the stream begins. An older event was there before the stream: it may arrive only now, when it
   * became durable as the last one.
   */
  #from: number;
  /** Nothing that the caller may see has changed up to this index without being told. */
  #covered = 0;

  constructor(window: EventWindow, request: StreamRequest) {
    this.#request = request;
    this.#from = request.after ?? 0;
    this.unsubscribe = window.subscribe(request.scope.partition, (events, upTo) => this.#pass(events, upTo));
  }

  beginAt(from: number, covered: number): void {
    this.#from = from;
    this.#covered = covered;
  }

  /** Begins to send. @param shown index of what the client has seen */
  sendTo(sink: EventReceiver, shown: number, missed: readonly KeptEvent[]): void {
    this.#sink = sink;
    sink.send([], shown);
    if (missed.length > 0) this.#pass(missed, undefined);
    const known = new Set(missed);
    for (const { events, upTo } of this.#early) {
      this.#pass(
        events.filter((event) => !known.has(event)),
        upTo,
      );
    }
    const finish = () => this.#finish();
    void watchToken(this.#request).then(finish, finish);
  }

  async #deliver(events: readonly KeptEvent[], upTo: number | undefined): Promise<void> {
    const { scope, topics } = this.#request;
    const wanted = events.filter((event) => event.index > this.#from && isAsked(event, scope, topics));
    if (wanted.length > 0) {
      await sendTurns.next();
      // Asked at each event: rights change while the stream is open.
      const seen = await this.#inSight(wanted, await this.#request.actorOf());
      if (seen.length > 0) this.#sink?.send(seen, resumeFrom(seen, upTo));
    }
    this.#covered = Math.max(this.#covered, upTo ?? 0);
  }

  /**
   * Selects the events that the caller may see. An event of an unknown change is selected when a table that the caller
   * may see has another index after it.
   */
  async #inSight(events: readonly KeptEvent[], actor: Actor): Promise<KeptEvent[]> {
    const { ctx, scope, topics } = this.#request;
    const seen = events.filter(({ change }) => change !== undefined && maySee({ actor }, change));
    const unknown = events.find(({ change }) => change === undefined);
    if (unknown === undefined) return seen;
    const index = await indexOfTopics({ db: ctx.db, actor }, topics, scope);
    if (index <= this.#covered) return seen;
    this.#covered = index;
    return [...seen, { ...unknown, index }];
  }

  #pass(events: readonly KeptEvent[], upTo: number | undefined): void {
    if (this.#sink === undefined) {
      this.#early.push({ events, upTo });
      return;
    }
    this.#sending = this.#sending.then(() => this.#deliver(events, upTo)).catch(() => this.#finish());
  }

  #finish(): void {
    this.unsubscribe();
    this.#request.waiter.end("over");
    this.#sink?.end();
  }
}

/**
 * Returns the index from which a client that has received these events continues: the last of them before which all
 * events have been sent. Events that the client may not see have no effect on it, even later ones.
 */
function resumeFrom(seen: readonly KeptEvent[], upTo: number | undefined): number | undefined {
  const told = seen.map(({ index }) => index).filter((index) => upTo !== undefined && index <= upTo);
  return told.length === 0 ? undefined : Math.max(...told);
}

/** @param shown the index of what the caller may see, as of now */
async function missedSince(window: EventWindow, partition: string, after: number, shown: number): Promise<KeptEvent[]> {
  const missed = after > shown ? undefined : await window.since(partition, after);
  if (missed === undefined) {
    // Nothing that is no longer kept was visible to the caller.
    if (after === shown) return [];
    throw new AppError("gone", `Events after ${after} have expired. Read the lists again and restart the stream`);
  }
  return missed.toSorted((one, other) => one.index - other.index);
}

/** Without what happened in a namespace that has gone since, and was made again under the same name. */
async function withoutFormer({ db }: Context, missed: readonly KeptEvent[]): Promise<KeptEvent[]> {
  const scopes = new Map(missed.flatMap(({ change }) => (change === undefined ? [] : [[change.namespace, change]])));
  const begun = new Map<string, number>();
  for (const { partition, namespace } of scopes.values()) {
    const found = await findNamespace(db, { partition, namespace });
    if (found !== undefined) begun.set(namespace, found.createIndex);
  }
  return missed.filter(({ change, index }) => change === undefined || index >= (begun.get(change.namespace) ?? 0));
}

/** Resolves when the waiter ends; rejects when the token does. */
async function watchToken({ ctx, waiter, actorOf }: StreamRequest): Promise<void> {
  for (let { actor } = ctx; ;) {
    waiter.watch(...actor.restsOn);
    actor = await actorOf();
    if ((await waiter.wait()) !== "changed") return;
  }
}

function isAsked({ change }: KeptEvent, scope: Scope, topics: ReadonlySet<string>): boolean {
  if (change === undefined) return true;
  if (!topics.has(change.table)) return false;
  // A namespace lies in none.
  return scope.namespace === ANY_NAMESPACE || change.table === NAMESPACES || change.namespace === scope.namespace;
}

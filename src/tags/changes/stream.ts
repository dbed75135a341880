/**
 * Streams of what is changed in an organization, from its records. Each client reads at its own pace: it is at a position
 * and is given what comes next when it has read what came before, so that nothing is kept for it. Implements
 * `GET /organizations/:organization_name/events`.
 */
import type { Actor } from "../../rights/actor.ts";
import { authorize } from "../../rights/authorize.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { getOrganization } from "../../organizations/access.ts";
import { readGuarded, type ContentState } from "../../storage/feed/content-states.ts";
import { counterName } from "../../storage/writes/counters.ts";
import { counterChange } from "../../storage/feed/feed.ts";
import { readCounter } from "../../storage/feed/touches.ts";
import { createTurns } from "../../turns.ts";
import type { Waiter } from "../../watch/watches.ts";
import { readChangePage, type ChangePage, type ChangePages } from "./pages.ts";
import { indexOf, lastPositionOf } from "./position.ts";
import { changeFor } from "./sight.ts";
import { readFloor, type StoredChange } from "./store.ts";

/** Thousands of streams may be told of one change, and other requests shall get in between. */
const sendTurns = createTurns();

export interface ChangeStreamRequest {
  ctx: Context;
  organizationName: string;
  /** The client has seen everything up to this cursor; undefined when it begins now. */
  after: string | undefined;
  /** Waiter that its creator ends: when the client disconnects, or its token expires. */
  waiter: Waiter;
  /** Returns the caller, as of now. @throws AppError `unauthenticated` when the token is deleted */
  actorOf(): Promise<Actor>;
}

/** Receiver of the records. */
export interface ChangeSink {
  /** Sends a record that the caller may see. @param id cursor behind it */
  send(change: StoredChange, id: string): void;
  /** Sends a cursor without a record. */
  mark(id: string): void;
  /** Reports a write without a record here: settings, webhooks, jobs. */
  touch(): void;
  /** Resolves when the client can take more. */
  room(): Promise<void>;
  end(): void;
}

export interface ChangeStream {
  /** Goes on until the waiter ends, or the caller may not read the organization any more. */
  run(sink: ChangeSink): Promise<void>;
  /** Returns the cursor from which the client would continue now. */
  cursor(): string;
}

/**
 * Begins a stream.
 *
 * @throws AppError `not_found` for who may not read the organization, `gone` when what the client missed is not kept
 *   any more, `bad_parameter` when it says no cursor
 */
export async function openChangeStream(pages: ChangePages, request: ChangeStreamRequest): Promise<ChangeStream> {
  const { ctx, organizationName, waiter } = request;
  const { id } = await getOrganization(ctx, organizationName);
  const counter = counterName({ kind: "organization", id });
  const state = { position: await startOf(request, id) };
  const hasMore = createCount();

  /** @returns what there is now to go on with; undefined when the stream is over */
  async function look(): Promise<Found | undefined> {
    const guarded = await readGuarded(ctx.db, counter);
    if (guarded === undefined) return undefined;
    const actor = await request.actorOf();
    // Before the page is read, so that no change falls between that and the wait.
    waiter.watch({ ...counterChange(counter), state: guarded.at }, ...actor.restsOn);
    const page = await pages.next(ctx.db, id, state.position, guarded.at);
    return page && { actor: await request.actorOf(), page, state: guarded };
  }

  async function lookFurther(seen: ContentState): Promise<Found | undefined> {
    const page = await readChangePage(ctx.db.long, id, state.position);
    return page && { actor: await request.actorOf(), page, state: seen };
  }

  /** @returns whether there was something to go on with */
  async function pass(sink: ChangeSink): Promise<boolean> {
    for (let found = await look(); ; found = await lookFurther(found.state)) {
      if (found === undefined || !isReader(found) || found.page.floor > state.position) return false;
      const { actor, page } = found;
      for (const change of page.changes) {
        state.position = change.position;
        const told = changeFor(actor, page.organizationName, change);
        if (told !== undefined) sink.send(told, String(change.position));
      }
      if (hasMore(page, found.state)) sink.touch();
      if (page.isLast) return true;
      await sink.room();
      await sendTurns.next();
    }
  }

  return {
    cursor: () => String(state.position),
    async run(sink) {
      try {
        sink.mark(String(state.position));
        while (await pass(sink)) {
          if ((await waiter.wait()) !== "changed") return;
          await sendTurns.next();
        }
      } finally {
        waiter.end("over");
        sink.end();
      }
    },
  };
}

/** Result of a look at the organization. */
interface Found {
  readonly actor: Actor;
  readonly page: ChangePage;
  /** State that the organization's counter guards, as of the look. */
  readonly state: ContentState;
}

/** A reader of workspaces in it alone sees its name, and nothing of what happens in it. */
function isReader({ actor, page }: Found): boolean {
  return authorize(actor, "organization", page.organizationName, "read");
}

/**
 * Tells of the last page of a look whether the organization itself is another, or there were transactions without records,
 * besides those with records. Of who was a page behind it says so without counting: no more is kept than one page has.
 */
function createCount(): (page: ChangePage, state: ContentState) => boolean {
  let last: ContentState | undefined;
  /** Transactions that the last page had records of, though they came after its look. */
  let ahead: readonly number[] = [];
  return ({ changes, isLast }, state) => {
    if (!isLast) return false;
    const { value: before, rest } = last ?? state;
    const indexes = [...new Set([...ahead, ...changes.map(({ position }) => indexOf(position))])];
    const told = indexes.filter((index) => index > before && index <= state.value).length;
    ahead = indexes.filter((index) => index > state.value);
    last = state;
    return rest !== state.rest || state.value - before > told;
  };
}

/** The position behind which the stream begins. */
/**
 * Returns the cursor at which a stream would begin now.
 *
 * @throws AppError `not_found` for who may not read the organization
 */
export async function changeCursorOf(ctx: Context, organizationName: string): Promise<string> {
  const { id } = await getOrganization(ctx, organizationName);
  return String(await lastOf(ctx, id));
}

async function lastOf({ db }: Pick<Context, "db">, organization: string): Promise<number> {
  return lastPositionOf((await readCounter(db, counterName({ kind: "organization", id: organization }))) ?? 0);
}

async function startOf({ ctx, after }: ChangeStreamRequest, organization: string): Promise<number> {
  const now = await lastOf(ctx, organization);
  if (after === undefined) return now;
  const position = Number(after);
  if (!/^\d{1,16}$/.test(after) || !Number.isSafeInteger(position)) {
    throw new AppError("bad_parameter", "Invalid event ID for this organization");
  }
  if (isKept(position, { floor: await readFloor(ctx.db, organization), now })) return position;
  throw new AppError("gone", "These events have expired. Read the lists again and restart the stream");
}

function isKept(position: number, at: { floor: number; now: number }): boolean {
  return position >= at.floor && position <= at.now;
}

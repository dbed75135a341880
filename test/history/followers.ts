import { setTimeout as sleep } from "node:timers/promises";
import type { Targets } from "./caller.ts";
import { readEvents, type ServerEvent } from "./event-client.ts";
import type { Begun, Told } from "./history.ts";
import type { Random } from "./random.ts";
import type { Recorder } from "./recorder.ts";

/** Clients that follow the events of an organization, now at one node and now at another. */
export interface Followers {
  /** Lets each read what there is once more, and ends them. */
  stop(): Promise<void>;
}

/** Numbers of clients that nobody else has. */
const FIRST = 100;
const FOLLOWERS = 2;
/** A part of a stream is read for so long; the last one for longer than any event may take. */
const PART_MS = { low: 300, high: 2500 };
const LAST_MS = 2500;
const PAUSE_MS = 60;

/** Starts them. */
export function startFollowers(targets: Targets, recorder: Recorder, random: Random, organization: string): Followers {
  const stopping = new AbortController();
  const running = Array.from({ length: FOLLOWERS }, (_, number) => follow(FIRST + number));

  async function follow(client: number): Promise<void> {
    let after: string | undefined;
    let node = client % targets.urls.length;
    while (!stopping.signal.aborted) {
      after = (await readPart(client, node, after, random.between(PART_MS.low, PART_MS.high))) ?? after;
      node = random.below(targets.urls.length);
      await sleep(PAUSE_MS);
    }
    // By now everything has been told to somebody.
    await readPart(client, node, after, LAST_MS, new AbortController().signal);
  }

  /** @returns the id from where to go on */
  async function readPart(
    client: number,
    node: number,
    after: string | undefined,
    milliseconds: number,
    signal = stopping.signal,
  ): Promise<string | undefined> {
    const invoked = recorder.now();
    const told: Told[] = [];
    let begun: Begun | undefined;
    let last = after;
    const url = `${targets.urls[node]}/api/v2/organizations/${organization}/events`;
    const headers = {
      authorization: `Bearer ${targets.token}`,
      accept: "text/event-stream",
      ...(after === undefined ? {} : { "last-event-id": after }),
    };
    const { status, text } = await readEvents(url, headers, { milliseconds, signal }, (event) => {
      if (event.id === undefined) return;
      begun ??= { at: recorder.now(), id: event.id };
      last = event.id;
      if (event.data !== undefined) told.push({ id: event.id, values: valuesIn(event) });
    });
    if (status !== 0 && status !== 200 && status !== 503)
      recorder.contradict(`a stream of events at node ${node}, after ${after ?? "nothing"}, is ${status}: ${text}`);
    if (status === 0) return undefined;
    recorder.note({
      client,
      node,
      invoked,
      returned: recorder.now(),
      outcome: status === 200 ? "done" : "refused",
      status,
      operation: { kind: "follow", told, ...(after === undefined ? {} : { after }), ...(begun && { begun }) },
    });
    return last;
  }

  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

interface Change {
  readonly attributes?: {
    readonly details?: {
      readonly bindings?: {
        readonly added?: readonly { readonly value: string }[];
        readonly changed?: readonly { readonly to: string }[];
      };
    };
  };
}

function valuesIn({ data = "{}" }: ServerEvent): string[] {
  const { added = [], changed = [] } = (JSON.parse(data) as Change).attributes?.details?.bindings ?? {};
  return [...added.map(({ value }) => value), ...changed.map(({ to }) => to)];
}

/**
 * Follows what changes on the server, by its streams of events, and by reads that wait where these cannot be had. Used by the
 * shared worker, and by a page whose browser has none.
 */
import { createClient, TesseraError, type Client } from "@tessera-server/client";
import type { LiveEvent, LiveRequest, LiveState } from "./topics.ts";

/** A partition or an organization, each of which has events of its own. */
export interface Source {
  readonly family: LiveEvent["family"];
  readonly place: string;
  /** ID of the last event before the page read anything; undefined when it is not known. */
  readonly after?: string | undefined;
}

interface Following {
  readonly address: string;
  readonly source: Source;
  tell(event: LiveEvent): void;
  state(state: LiveState): void;
  readonly signal: AbortSignal;
}

/** Sources of changes for one scope, each by a stream or by waiting reads. Both end at their first failure. */
interface Followed {
  /** Tells what a stream brings. */
  stream(client: Client, signal: AbortSignal, failed: () => void, after: string | undefined): Promise<void>;
  /** A read that answers when anything has changed; each answer is a change. */
  wait(client: Client, signal: AbortSignal, failed: () => void): AsyncIterable<unknown>;
  /** Tells that anything may have changed. */
  tellAll(): void;
}

/**
 * Time in ms within which a stream must send its first data. A proxy that buffers responses holds it back, and all data
 * after it.
 */
const FIRST_WORD = 5000;
/** Time in ms for which reads wait before the stream is tried again. */
const WAITING = 30_000;
/** Seconds that one read waits: more than one such read may be cut off by what stands between. */
const WAIT = 20;
/**
 * Interval in ms at which everything is read again when the token may not read the audit records that waiting reads
 * use.
 */
const EACH = 5000;
/** Between two tries at a server that answers neither. */
const SHORTEST_REST = 1000;
const LONGEST_REST = 10_000;

/**
 * Connections that are held at once. A browser has six to one server for all of its windows, and everything else is asked
 * through those that are left.
 */
const MOST_HELD = 3;
let held = 0;

/** Returns the sources of changes for a page. */
export function sourcesOf({ partition, organization, after }: LiveRequest & { kind: "follow" }): readonly Source[] {
  const own: Source = { family: "v1", place: partition, after: after?.Partition };
  return organization === undefined ? [own] : [own, { family: "v2", place: organization, after: after?.Organization }];
}

/** Follows it until the signal: by a stream where it can, and otherwise by waiting reads until it can again. */
export async function follow(following: Following): Promise<void> {
  const { signal, source } = following;
  const followed = source.family === "v1" ? partitionOf(following) : organizationOf(following);
  let { after } = source;
  for (let failures = 0; !signal.aborted;) {
    const way = held < MOST_HELD ? await holding(following, followed, after) : await unheld(following, followed);
    // The changes since then are not known.
    after = undefined;
    failures = way === "none" ? failures + 1 : 0;
    // A connection that was cut is made again at once: all that follow one server come back at the same time.
    const rest = Math.min(LONGEST_REST, SHORTEST_REST * 2 ** failures) * (0.5 + Math.random() / 2);
    if (way !== "reads") await new Promise((resolve) => setTimeout(resolve, rest));
  }
}

/** @returns by what it was followed, until that ended */
async function holding(
  following: Following,
  followed: Followed,
  after: string | undefined,
): Promise<"stream" | "reads" | "none"> {
  held += 1;
  try {
    if (await streaming(following, followed, after)) return "stream";
    return (await waiting(following, followed)) ? "reads" : "none";
  } finally {
    held -= 1;
  }
}

/** Reads everything again at intervals while no connection is free for this source. */
async function unheld({ signal, state }: Following, followed: Followed): Promise<"reads"> {
  state("waiting");
  await again(followed, AbortSignal.any([signal, AbortSignal.timeout(WAITING)]));
  return "reads";
}

/** @param after event to go on behind; undefined to begin now @returns whether the stream had begun */
async function streaming(following: Following, followed: Followed, after: string | undefined): Promise<boolean> {
  const { address, signal, state } = following;
  let [hasBegun, isGone] = [false, false];
  const attempt = new AbortController();
  const timer = setTimeout(() => attempt.abort(), FIRST_WORD);
  const client = clientOf(address, () => {
    if (hasBegun) return;
    hasBegun = true;
    clearTimeout(timer);
    state("live");
    // Changes before the stream began are unknown, but for a stream that goes on behind an event.
    if (after === undefined) followed.tellAll();
  });
  try {
    await followed.stream(client, AbortSignal.any([signal, attempt.signal]), () => attempt.abort(), after);
  } catch (error) {
    // Why else is seen by what comes next.
    isGone = error instanceof TesseraError && error.status === 410;
  } finally {
    clearTimeout(timer);
  }
  return isGone && after !== undefined ? streaming(following, followed, undefined) : hasBegun;
}

/** @returns whether the server answers, though there is no stream */
async function waiting({ address, signal, state }: Following, followed: Followed): Promise<boolean> {
  const attempt = new AbortController();
  const timer = setTimeout(() => attempt.abort(), WAITING);
  const until = AbortSignal.any([signal, attempt.signal]);
  let hasFailed = false;
  const fail = () => {
    hasFailed = true;
    attempt.abort();
  };
  try {
    for await (const _answer of followed.wait(clientOf(address), until, fail)) {
      state("waiting");
      followed.tellAll();
    }
  } catch (error) {
    if (!until.aborted && error instanceof TesseraError && error.status < 500) {
      state("waiting");
      await again(followed, until);
      return true;
    }
    if (signal.aborted || (until.aborted && !hasFailed)) return true;
  } finally {
    clearTimeout(timer);
  }
  state("lost");
  return false;
}

/** Reads everything again at intervals, until the signal. */
async function again({ tellAll }: Followed, signal: AbortSignal): Promise<void> {
  tellAll();
  const timer = setInterval(tellAll, EACH);
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  clearInterval(timer);
}

/** Returns a client without retries. @param heard called for each chunk of a response */
function clientOf(address: string, heard?: () => void): Client {
  const tapped: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || response.body === null || heard === undefined) return response;
    const tap = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        heard();
        controller.enqueue(piece);
      },
    });
    return new Response(response.body.pipeThrough(tap), response);
  };
  return createClient({ address, headers: { "x-tessera-console": "live" }, fetch: tapped, retries: 0 });
}

function partitionOf({ source: { place: partition }, tell }: Following): Followed {
  const query = { ns: "*", ...(partition === "default" ? {} : { partition }) };
  return {
    async stream(client, signal, onReconnect, after) {
      const events = client.stream<{ Topic: string; Namespace?: string }>("streamEvents", {
        query,
        after,
        signal,
        onReconnect,
      });
      for await (const { data } of events) {
        tell({ family: "v1", place: partition, namespace: data.Namespace ?? "default", topic: data.Topic });
      }
    },
    // Audit records cover every change.
    wait: (client, signal, onReconnect) =>
      client.watch("listAudit", { query: { ...query, "page-size": 1 }, wait: WAIT, signal, onReconnect }),
    tellAll: () => tell({ family: "v1", place: partition, namespace: "*", topic: "*" }),
  };
}

function organizationOf({ source: { place: organization }, tell }: Following): Followed {
  const path = { organization_name: organization };
  const tellAll = () => tell({ family: "v2", place: organization, namespace: "", topic: "*" });
  return {
    async stream(client, signal, onReconnect, after) {
      for await (const { event } of client.stream("streamOrganizationEvents", { path, after, signal, onReconnect })) {
        if (event !== "") tellAll();
      }
    },
    wait: (client, signal, onReconnect) =>
      client.watch("listOrganizationAudit", { path, query: { "page[size]": 1 }, wait: WAIT, signal, onReconnect }),
    tellAll,
  };
}

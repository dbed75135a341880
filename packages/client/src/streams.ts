import type { Operation } from "./address.ts";
import { ConnectionError, connectionError } from "./errors.ts";
import { mayPass, rest, restAfter } from "./retries.ts";
import { open, type RequestOptions, type Settings } from "./send.ts";
import { tooLong } from "./whole.ts";

/** An event of a stream. */
export interface StreamedEvent<T = unknown> {
  /** Position of the event: a stream can continue after it. */
  readonly id: string;
  /** Name of the event. */
  readonly event: string;
  readonly data: T;
}

/** Request to a stream. */
export interface StreamOptions extends RequestOptions {
  /** The `id` of the last known event. Default: only new events. */
  readonly after?: string | undefined;
  /** Called each time the server begins to respond, also after a failure. */
  readonly onOpen?: (() => void) | undefined;
  /** Called after each failure or end of the stream. The client then reconnects. */
  readonly onReconnect?: ((error: Error) => void) | undefined;
}

/** Maximum silence in milliseconds. The server sends data at least every 15 seconds. */
const LONGEST_SILENCE = 40_000;

const LONGEST_REST = 30_000;

/**
 * Yields the events of a stream. After a lost connection it reconnects and continues after the last event.
 *
 * @throws TesseraError when the server denies or rejects the request; 410 when missed events are no longer stored
 * @throws ConnectionError when the first request gets no response
 */
export async function* streamOf<T>(
  settings: Settings,
  operation: Operation,
  options: StreamOptions,
): AsyncGenerator<StreamedEvent<T>> {
  let last = options.after;
  let failures = 0;
  for (let wasOpen = false; ;) {
    try {
      const headers = { accept: "text/event-stream", ...options.headers, "last-event-id": last };
      const response = await open(settings, operation, { ...options, headers, ...(wasOpen ? { retries: 0 } : {}) });
      wasOpen = true;
      options.onOpen?.();
      for await (const block of blocksOf(settings, response, options.signal)) {
        failures = 0;
        last = block.id ?? last;
        if (block.data !== "") yield { id: last ?? "", event: block.event, data: JSON.parse(block.data) as T };
      }
      throw new ConnectionError("cut", `${settings.address}: the stream ended`);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!wasOpen || !mayPass(error)) throw error;
      options.onReconnect?.(error as Error);
      await rest(restAfter(error, ++failures, LONGEST_REST), options.signal);
    }
  }
}

interface Block {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

async function* blocksOf(
  settings: Settings,
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<Block> {
  let lines: string[] = [];
  let length = 0;
  for await (const line of linesOf(settings, response, signal, LONGEST_SILENCE)) {
    if (line !== "") {
      lines.push(line);
      length += line.length;
      if (length > settings.mostBytes) throw lengthError(settings);
      continue;
    }
    const field = (name: string) =>
      lines.filter((each) => each.startsWith(`${name}:`)).map((each) => each.slice(name.length + 1).replace(/^ /, ""));
    yield { id: field("id").at(-1), event: field("event").at(-1) ?? "message", data: field("data").join("\n") };
    lines = [];
    length = 0;
  }
}

/**
 * The lines of an answer's body, as they come.
 *
 * @param silence milliseconds after which nothing is taken for an end
 * @throws ConnectionError when the body ends before the answer does
 */
export async function* linesOf(
  settings: Settings,
  { body }: Response,
  signal: AbortSignal | undefined,
  silence: number,
): AsyncGenerator<string> {
  if (body === null) return;
  const { address, mostBytes } = settings;
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", stop);
  const decoder = new TextDecoder();
  let left = "";
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), silence, address);
      signal?.throwIfAborted();
      if (done) break;
      const lines = (left + decoder.decode(value, { stream: true })).split(/\r?\n/);
      left = lines.pop() ?? "";
      if (left.length > mostBytes) throw lengthError(settings);
      yield* lines;
    }
  } catch (thrown) {
    signal?.throwIfAborted();
    throw connectionError(address, thrown);
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
  }
  if (left !== "") yield left;
}

function lengthError({ address, mostBytes }: Settings): ConnectionError {
  return new ConnectionError("protocol", `${address}: ${tooLong(mostBytes)}`);
}

async function withinTime<T>(promise: Promise<T>, milliseconds: number, address: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new ConnectionError("timeout", `${address}: no data within ${milliseconds} ms`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

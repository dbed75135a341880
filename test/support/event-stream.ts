/** Clients of the event stream. */
import { afterEach, expect } from "vitest";
import { MANAGEMENT } from "./v1.ts";

export interface Event {
  event: string;
  id: string | undefined;
  data: Record<string, unknown> | undefined;
}

/** A client of the stream that keeps all that it is told. */
export class Stream {
  readonly events: Event[] = [];
  /** As a client would send it to go on. */
  lastId = "";
  isOver = false;
  readonly response: Response;
  readonly #abort: AbortController;

  constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    if (response.ok) void this.#read().catch(() => undefined);
  }

  async #read(): Promise<void> {
    let text = "";
    try {
      for await (const chunk of this.response.body ?? []) {
        text += Buffer.from(chunk as Uint8Array).toString();
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        blocks.forEach((block) => this.#take(block));
      }
    } finally {
      this.isOver = true;
    }
  }

  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
    const [event, id, data] = [field("event"), field("id"), field("data")];
    if (id !== undefined) this.lastId = id;
    if (event === undefined) return;
    this.events.push({ event, id, data: data === undefined ? undefined : (JSON.parse(data) as Event["data"]) });
  }

  keys(): unknown[] {
    return this.events.map(({ data }) => data?.["Key"]);
  }

  close(): void {
    this.#abort.abort();
  }
}

/** Opens streams as a token, the management token unless a test says otherwise; they are closed after each test. */
export type Open = (query?: string, options?: { token?: string; lastId?: string }) => Promise<Stream>;

/** @param url gives where the server listens @param path of the stream, or what its path begins with */
export function useStreams(url: () => string, path = "/v1/events"): Open {
  const streams: Stream[] = [];
  afterEach(() => streams.splice(0).forEach((stream) => stream.close()));
  return async (query = "", options = {}) => {
    const abort = new AbortController();
    const response = await fetch(`${url()}${path}${query}`, {
      headers: {
        ...(options.token === "" ? {} : { "x-consul-token": options.token ?? MANAGEMENT }),
        ...(options.lastId === undefined ? {} : { "last-event-id": options.lastId }),
      },
      signal: abort.signal,
    });
    const stream = new Stream(response, abort);
    streams.push(stream);
    if (response.ok) await expect.poll(() => stream.lastId).not.toBe("");
    return stream;
  };
}

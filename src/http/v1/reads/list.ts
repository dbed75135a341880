import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isPretty, JSON_TYPE, renderJson, renderPretty } from "../render.ts";

/** Rendered in one turn: less than half a millisecond of work. */
const CHUNK_LENGTH = 32 * 1024;

/** Entries of a list in slices. Whoever asks for the next one says how long the one before was as text. */
export type Slices<T> = AsyncGenerator<readonly T[], void, number>;

/**
 * Answers with a JSON array whose entries come in slices. The next slice is
 * asked for when the client has taken the one before, so memory does not grow
 * with the list. A failure before the first chunk is an error answer; later,
 * the connection breaks off, so that nobody takes a part for the whole.
 *
 * @param render makes the wire object of an entry
 * @param listener is told the whole text too
 */
export async function sendList<T>(
  reply: FastifyReply,
  slices: Slices<T>,
  render: (entry: T) => unknown,
  listener?: ListListener,
): Promise<FastifyReply> {
  const rendered = renderChunks(slices, render, isPretty(reply.request));
  const chunks = listener === undefined ? rendered : overhear(rendered, listener);
  const first = await chunks.next();
  const second = await chunks.next();
  reply.type(JSON_TYPE).serializer(String);
  if (second.done) return reply.send(first.value ?? "");
  return reply.send(streamOf([first.value ?? "", second.value], chunks));
}

/**
 * Makes the text of a list at once, for many to be sent.
 *
 * @returns undefined when it is longer than `limit`
 */
export async function collectList<T>(
  request: FastifyRequest,
  slices: Slices<T>,
  render: (entry: T) => unknown,
  limit: number,
): Promise<string | undefined> {
  let text = "";
  for await (const chunk of renderChunks(slices, render, isPretty(request))) {
    text += chunk;
    if (text.length > limit) return undefined;
  }
  return text;
}

/** Who keeps what is sent. */
export interface ListListener {
  /** The longest text that it wants. */
  limit: number;
  /** Called when no more comes: with the text, or without when it broke off or is too long. */
  onEnd(text: string | undefined): void;
}

async function* overhear(
  chunks: AsyncGenerator<string, void>,
  { limit, onEnd }: ListListener,
): AsyncGenerator<string, void> {
  let heard: string[] | undefined = [];
  let length = 0;
  let isWhole = false;
  try {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > limit) heard = undefined;
      heard?.push(chunk);
      yield chunk;
    }
    isWhole = true;
  } finally {
    onEnd(isWhole ? heard?.join("") : undefined);
  }
}

/** The answer as a stream; when the client goes, the source of the slices is told to end, also before the first read. */
function streamOf(begun: string[], rest: AsyncGenerator<string, void>): Readable {
  return new Readable({
    read() {
      void pushNext(this, begun, rest);
    },
    destroy(error, done) {
      void endSource(rest, error, done);
    },
  });
}

async function pushNext(stream: Readable, begun: string[], rest: AsyncGenerator<string, void>): Promise<void> {
  try {
    stream.push(begun.shift() ?? (await rest.next()).value ?? null);
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error("a list broke off", { cause: error }));
  }
}

async function endSource(
  rest: AsyncGenerator<string, void>,
  error: Error | null,
  done: (error: Error | null) => void,
): Promise<void> {
  let failure = error;
  try {
    await rest.return();
  } catch (cause) {
    failure ??= new Error("a list could not be ended", { cause });
  }
  done(failure);
}

async function* renderChunks<T>(
  slices: Slices<T>,
  render: (entry: T) => unknown,
  pretty: boolean,
): AsyncGenerator<string, void> {
  let chunk = "";
  let isEmpty = true;
  try {
    for (let slice = await slices.next(0); slice.done !== true;) {
      let length = 0;
      for (const entry of slice.value) {
        const text = pretty ? indented(render(entry)) : renderJson(render(entry));
        length += text.length;
        chunk += `${isEmpty ? "[" : ","}${text}`;
        isEmpty = false;
        if (chunk.length < CHUNK_LENGTH) continue;
        yield chunk;
        chunk = "";
        // A client that takes all at once must not keep the others waiting.
        await setImmediate();
      }
      slice = await slices.next(length);
    }
  } finally {
    await slices.return();
  }
  const end = pretty ? "]\n" : "]";
  yield isEmpty ? `[${end}` : `${chunk}${pretty ? "\n" : ""}${end}`;
}

/** An entry as it stands in an indented array. */
function indented(value: unknown): string {
  return `\n    ${renderPretty(value).trimEnd().replaceAll("\n", "\n    ")}`;
}

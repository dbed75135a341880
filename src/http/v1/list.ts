import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import { isPretty, JSON_TYPE, renderJson, renderPretty } from "./render.ts";

/** Rendered in one turn: less than half a millisecond of work. */
const CHUNK_LENGTH = 32 * 1024;

/**
 * Answers with a JSON array whose entries come in slices. The next slice is
 * asked for when the client has taken the one before, so memory does not grow
 * with the list. A failure before the first chunk is an error answer; later,
 * the connection breaks off, so that nobody takes a part for the whole.
 *
 * @param render makes the wire object of an entry
 */
export async function sendList<T>(
  reply: FastifyReply,
  slices: AsyncIterable<readonly T[]>,
  render: (entry: T) => unknown,
): Promise<FastifyReply> {
  const chunks = renderChunks(slices, render, isPretty(reply.request));
  const first = await chunks.next();
  const second = await chunks.next();
  reply.type(JSON_TYPE).serializer(String);
  if (second.done) return reply.send(first.value ?? "");
  return reply.send(Readable.from(startingWith([first.value ?? "", second.value], chunks)));
}

async function* startingWith(begun: readonly string[], rest: AsyncGenerator<string, void>): AsyncGenerator<string> {
  // Not `for await` alone: when the client goes, the source of the slices has to end too.
  try {
    yield* begun;
    yield* rest;
  } finally {
    await rest.return();
  }
}

async function* renderChunks<T>(
  slices: AsyncIterable<readonly T[]>,
  render: (entry: T) => unknown,
  pretty: boolean,
): AsyncGenerator<string, void> {
  let chunk = "";
  let isEmpty = true;
  for await (const slice of slices) {
    for (const entry of slice) {
      chunk += `${isEmpty ? "[" : ","}${pretty ? indented(render(entry)) : renderJson(render(entry))}`;
      isEmpty = false;
      if (chunk.length < CHUNK_LENGTH) continue;
      yield chunk;
      chunk = "";
      // A client that takes all at once must not keep the others waiting.
      await setImmediate();
    }
  }
  const end = pretty ? "]\n" : "]";
  yield isEmpty ? `[${end}` : `${chunk}${pretty ? "\n" : ""}${end}`;
}

/** An entry as it stands in an indented array. */
function indented(value: unknown): string {
  return `\n    ${renderPretty(value).trimEnd().replaceAll("\n", "\n    ")}`;
}

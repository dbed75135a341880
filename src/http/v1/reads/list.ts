import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { JSON_TYPE } from "../render.ts";
import { PIECE_LENGTH, type Bytes } from "./pieces.ts";

/**
 * Answers with JSON that comes in pieces. The next one is asked for when the
 * client has taken the one before, so memory does not grow with the answer. A
 * failure before the first piece is an error answer; later, the connection
 * breaks off, so that nobody takes a part for the whole.
 */
export async function sendList(reply: FastifyReply, bytes: Bytes): Promise<FastifyReply> {
  const first = await bytes.next();
  const second = await bytes.next();
  reply.type(JSON_TYPE);
  const begun = first.value ?? Buffer.alloc(0);
  return reply.send(second.done ? begun : streamOf([begun, second.value], bytes));
}

/** The answer as a stream; when the client goes, the source of the text is told to end, also before the first read. */
function streamOf(begun: Buffer[], rest: Bytes): Readable {
  return new Readable({
    // Of those that nobody reads, each keeps one piece.
    highWaterMark: PIECE_LENGTH / 2,
    read() {
      void pushNext(this, begun, rest);
    },
    destroy(error, done) {
      void endSource(rest, error, done);
    },
  });
}

async function pushNext(stream: Readable, begun: Buffer[], rest: Bytes): Promise<void> {
  try {
    stream.push(begun.shift() ?? (await rest.next()).value ?? null);
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error("a list broke off", { cause: error }));
  }
}

async function endSource(rest: Bytes, error: Error | null, done: (error: Error | null) => void): Promise<void> {
  let failure = error;
  try {
    await rest.return();
  } catch (cause) {
    failure ??= new Error("a list could not be ended", { cause });
  }
  done(failure);
}

/** Answers that are made while they are sent. */
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { workFor } from "../../callers.ts";
import { ListPlace } from "../../list-work.ts";

/** The parts of an answer: texts, or bytes. */
type Parts = AsyncGenerator<string | Buffer, void>;

/** Memory of a stream that no client reads: one piece. */
const KEPT_BYTES = 16 * 1024;

/**
 * The parts as a stream, made for the request's caller whatever drains the socket. When that goes, the source is told to end, also
 * before the first read.
 *
 * @param begun parts that are there already
 */
export function streamOf({ caller }: Pick<FastifyRequest, "caller">, rest: Parts, begun: Buffer[] = []): Readable {
  return new Readable({
    highWaterMark: KEPT_BYTES,
    read() {
      void workFor(caller, () => pushNext(this, begun, rest));
    },
    destroy(error, done) {
      void endSource(rest, error, done);
    },
  });
}

/** The same of a list: each part is made in its turn among all lists, and in a place of theirs that an unread answer gives back. */
export function streamList(request: Pick<FastifyRequest, "caller">, parts: Parts): Readable {
  return streamOf(request, inPlaces(parts));
}

async function* inPlaces(parts: Parts): Parts {
  const place = new ListPlace();
  try {
    for (;;) {
      await place.take();
      const part = await parts.next();
      if (part.done === true) return;
      place.handOut();
      yield part.value;
    }
  } finally {
    place.leave();
    await parts.return();
  }
}

async function pushNext(stream: Readable, begun: Buffer[], rest: Parts): Promise<void> {
  try {
    stream.push(begun.shift() ?? (await rest.next()).value ?? null);
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error("list response aborted", { cause: error }));
  }
}

async function endSource(rest: Parts, error: Error | null, done: (error: Error | null) => void): Promise<void> {
  let failure = error;
  try {
    await rest.return();
  } catch (cause) {
    failure ??= new Error("cannot end the list response", { cause });
  }
  done(failure);
}

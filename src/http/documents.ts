/**
 * How every read of `/api/v2` is answered: from a document that was made for equal callers where nothing has changed
 * since, with its `ETag`; not at all to who has it already (`If-None-Match`), or when it has become another one
 * (`Prefer: wait`). An ETag is the digest of what is sent, so it tells nothing but that.
 */
import { createHash, hash } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { ContentState } from "../organizations/content-store.ts";
import type { Reader } from "../storage/database.ts";
import { counterChange } from "../storage/feed.ts";
import { createTurns } from "../turns.ts";
import type { Watched } from "../watch/watches.ts";
import { textOf } from "./document-text.ts";
import { baseUrl } from "./pagination.ts";
import { readCondition, readWait, type Condition } from "./preconditions.ts";
import { bodyOf, type MadeAnswer } from "./reads/shared-answers.ts";
import { sendTurns, waitFor } from "./reads/waiting.ts";

/** Who is given a document: `kept` everybody with the same rights while nothing changes; `own` the caller alone. */
export type DocumentSharing = "kept" | "own";

/** Reads what the documents of a path follow from, besides the rights of who reads them. @param params of the path */
export type ReadState = (db: Reader, params: Readonly<Record<string, string>>) => Promise<ContentState | undefined>;

/** A document, or one that is a stream and has no ETag. */
type Made = MadeAnswer | Readable;

/** Makes the handler of a read. @param handler gives the document, or a stream of its text where that is `own` */
export function serveDocument(
  handler: RouteHandlerMethod,
  sharing: DocumentSharing,
  readState: ReadState,
): RouteHandlerMethod {
  async function find(request: FastifyRequest, reply: FastifyReply): Promise<Made> {
    const read = () => handler.call(request.server, request, reply) as Promise<unknown>;
    if (sharing === "own") {
      const document = await read();
      return document instanceof Readable ? document : makeAnswer(document);
    }
    const make = async () => makeAnswer(await read());
    // Read before the rows, and only ever another one later: the document belongs to it for as long as it stays.
    const state = await readState(request.ctx.db, paramsOf(request));
    const { answers } = request.server.reads;
    return (state && (await answers.once(keyOf(request), state.at, true, make))) ?? make();
  }

  async function watchedBy(request: FastifyRequest): Promise<Watched[]> {
    const state = await readState(request.ctx.db, paramsOf(request));
    return state === undefined ? [] : [{ ...counterChange(state.counter), state: state.at }];
  }

  async function findOther(request: FastifyRequest, reply: FastifyReply, condition: Condition, seconds: number) {
    const seen = await waitFor(request, reply, {
      milliseconds: seconds * 1000,
      watched: () => watchedBy(request),
      async look() {
        const made = await find(request, reply);
        return { made, isNews: !isKnown(made, condition) };
      },
    });
    // All who were woken by one write go on in the same turn.
    if (sendTurns.isSpent()) await sendTurns.next();
    reply.header("preference-applied", `wait=${seconds}`);
    return seen?.made;
  }

  return async function serve(request, reply) {
    const { headers } = request.raw;
    const condition = readCondition(headers["if-none-match"]);
    const seconds = condition === undefined ? 0 : readWait(headers["prefer"]);
    const made =
      condition === undefined || seconds === 0
        ? await find(request, reply)
        : await findOther(request, reply, condition, seconds);
    if (made === undefined) return reply.hijack();
    if (made instanceof Readable) return reply.send(made);
    void reply.headers(made.headers);
    return condition !== undefined && isKnown(made, condition)
      ? reply.code(304).send()
      : reply.code(200).send(made.body);
  };
}

async function makeAnswer(document: unknown): Promise<MadeAnswer> {
  const text = await textOf(document);
  return { body: bodyOf(text), headers: { etag: `"${await digests.run(digestOf(text))}"` }, key: undefined };
}

function isKnown(made: Made, condition: Condition): boolean {
  return !(made instanceof Readable) && condition(made.headers["etag"] ?? "");
}

function paramsOf({ params }: FastifyRequest): Record<string, string> {
  return params as Record<string, string>;
}

/** Links begin with where the client has asked. No part but the last can hold a line break, and URLs have none. */
function keyOf(request: FastifyRequest): string {
  return ["document", request.ctx.actor.rightsKey, baseUrl(request), request.raw.url].join("\n");
}

const digests = createTurns();
/** What is so long is digested piece by piece, so that it does not hold the event loop. */
const PIECE_BYTES = 256 * 1024;

function* digestOf(text: string | Buffer): Generator<void, string> {
  if (text.length <= PIECE_BYTES) return hash("sha256", text, "base64url");
  const bytes = Buffer.from(text);
  const digest = createHash("sha256");
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    digest.update(bytes.subarray(at, at + PIECE_BYTES));
    yield;
  }
  return digest.digest("base64url");
}

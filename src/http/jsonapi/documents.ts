/**
 * How every read of `/api/v2` is answered: from a document that was made for equal callers where nothing has changed
 * since, with its `ETag`; not at all to who has it already (`If-None-Match`), or when it has become another one
 * (`Prefer: wait`). An ETag is the digest of what is sent, so it tells nothing but that.
 */
import { createHash, hash } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { ContentStates } from "../../storage/feed/content-states.ts";
import { listTurns, makeInPlace } from "../../list-work.ts";
import { counterChange } from "../../storage/feed/feed.ts";
import type { Watched } from "../../watch/watches.ts";
import { EntryTexts } from "../sending/entry-texts.ts";
import { MEDIA_TYPE } from "./errors.ts";
import { baseUrl } from "./pagination.ts";
import type { EtagReader } from "./preconditions.ts";
import { bodyOf, type MadeAnswer, noteUses, withUses } from "../reads/shared-answers.ts";
import { sendTurns, waitFor } from "../reads/waiting.ts";

/** Callers that share a document: `kept` all with equal permissions, while nothing changes; `own` the caller alone. */
export type DocumentSharing = "kept" | "own";

/** A document, or one that is a stream and has no ETag. */
type Made = MadeAnswer | Readable;

type State = ReturnType<ContentStates["readShown"]>;

/**
 * Makes the handler of a read, and what tells its ETag alone.
 *
 * @param handler gives the document, or a stream of its text where that is `own`
 * @param isList whether the document lists what may be many
 */
export function serveDocument(
  handler: RouteHandlerMethod,
  sharing: DocumentSharing,
  isList: boolean,
  states: ContentStates,
): { serve: RouteHandlerMethod; readEtag: EtagReader } {
  const stateOf = (request: FastifyRequest): State => states.read(request.ctx.db, paramsOf(request));
  const find = createFind(handler, sharing, isList, stateOf);

  async function findOther(request: FastifyRequest, reply: FastifyReply, condition: Condition, seconds: number) {
    const seen = await waitFor(request, reply, {
      milliseconds: seconds * 1000,
      watched: async () => watchedBy(await stateOf(request)),
      async look() {
        const made = await find(request, reply);
        return { made, isNews: !isKnown(made, condition) };
      },
    });
    // All who were woken by one write go on in the same turn.
    await sendTurns.pause();
    return seen?.made;
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, reading?: State) {
    const { headers } = request.raw;
    const condition = readCondition(headers["if-none-match"]);
    const seconds = condition === undefined ? 0 : readWait(headers["prefer"]);
    const made =
      condition === undefined || seconds === 0
        ? await find(request, reply, reading)
        : await findOther(request, reply, condition, seconds);
    if (made === undefined) return reply.hijack();
    const applied = seconds === 0 ? undefined : { "preference-applied": `wait=${seconds}` };
    if (made instanceof Readable) return reply.headers(applied ?? {}).send(made);
    const ofThis = applied === undefined ? made.headers : { ...made.headers, ...applied };
    if (condition === undefined || !isKnown(made, condition)) return send(reply, { ...made, headers: ofThis });
    return request.server.answer(reply, { status: 304, type: MEDIA_TYPE, body: undefined, headers: ofThis });
  }

  async function readEtag(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
    return etagOf(await find(request, reply));
  }

  const serve: RouteHandlerMethod = (request, reply) => {
    if (sharing === "own" || request.raw.headers["if-none-match"] !== undefined) return answer(request, reply);
    const { answers } = request.server.reads;
    const key = keyOf(request);
    if (!answers.has(key)) return answer(request, reply);
    const state = states.readShown(request.ctx.db, paramsOf(request));
    if (state === undefined || state instanceof Promise) return answer(request, reply, state);
    // A kept answer is sent in the same turn.
    const kept = answers.find(key, state.at);
    if (kept === undefined) return answer(request, reply, state);
    noteUses(request, kept);
    return send(reply, kept);
  };
  return { serve, readEtag };
}

/** Makes what finds the document of a request, or what others have made of it. @param stateOf tells what it depends on */
function createFind(
  handler: RouteHandlerMethod,
  sharing: DocumentSharing,
  isList: boolean,
  stateOf: (request: FastifyRequest) => State,
) {
  const inPlace = <T>(make: () => Promise<T>): Promise<T> => (isList ? makeInPlace(make) : make());
  return async (request: FastifyRequest, reply: FastifyReply, reading?: State): Promise<Made> => {
    const read = () => handler.call(request.server, request, reply) as Promise<unknown>;
    if (sharing === "own") {
      return inPlace(async () => {
        const document = await read();
        return document instanceof Readable ? document : makeAnswer(document);
      });
    }
    const make = () => inPlace(async () => withUses(request, await makeAnswer(await read())));
    // Read before the rows, and only ever another one later: the document belongs to it for as long as it stays.
    const state = await (reading ?? stateOf(request));
    const { answers } = request.server.reads;
    const shared = state && (await answers.once(keyOf(request), state.at, true, make));
    if (shared === undefined) return make();
    noteUses(request, shared);
    return shared;
  };
}

/** Ends a stream, which has no ETag. */
function etagOf(made: Made): string | undefined {
  if (!(made instanceof Readable)) return made.headers["etag"];
  made.destroy();
  return undefined;
}

function watchedBy(state: Awaited<State>): Watched[] {
  return state === undefined ? [] : [{ ...counterChange(state.counter), state: state.at }];
}

function send(reply: FastifyReply, { body, headers }: MadeAnswer) {
  return reply.server.answer(reply, { status: 200, type: MEDIA_TYPE, body, headers });
}

async function makeAnswer(document: unknown): Promise<MadeAnswer> {
  const body = bodyOf(await textOf(document));
  const digest = body.length <= PIECE_BYTES ? hash("sha256", body, "base64url") : await listTurns.run(digestOf(body));
  return { body, headers: { etag: `"${digest}"` }, key: undefined };
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

/** Size of a piece in bytes. A longer text is digested piece by piece, so that it does not block the event loop. */
const PIECE_BYTES = 256 * 1024;

function* digestOf(text: string | Buffer): Generator<void, string> {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const digest = createHash("sha256");
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    digest.update(bytes.subarray(at, at + PIECE_BYTES));
    yield;
  }
  return digest.digest("base64url");
}

/** Whether an entity tag is one of those that the client has. */
type Condition = (etag: string) => boolean;

/**
 * Reads `If-None-Match` (RFC 9110, 13.1.2): a list of tags that are compared weakly, or `*` for any. Undefined without
 * the header.
 */
function readCondition(header: string | undefined): Condition | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === "*") return () => true;
  const known = new Set(header.match(/"[^"]*"/g));
  return (etag) => known.has(etag);
}

const MAX_WAIT_SECONDS = 600;

/**
 * The seconds of `Prefer: wait=…` (RFC 7240, 4.3), 600 at most; 0 without it. The first one counts, and what is malformed is
 * no preference, as that document wants it.
 */
function readWait(header: string | string[] | undefined): number {
  for (const preference of String(header ?? "").split(",")) {
    const wait = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;.*)?$/i.exec(preference);
    if (wait !== null) return Math.min(Number(wait[1]), MAX_WAIT_SECONDS);
  }
  return 0;
}

/** Entries that are written at once: few enough that the longest ones do not hold the event loop. */
const GROUP = 8;
/** Length from which a text is returned as bytes: all answers that share it send it from one buffer. */
const LONG = 64 * 1024;

/**
 * The JSON text of a document, as JSON.stringify makes it. Where its lists are long, other work comes between their groups,
 * and the text is returned as UTF-8.
 */
export function textOf(document: unknown): Promise<string | Buffer> | string {
  if (!isRecord(document) || !Object.values(document).some(isLong)) return JSON.stringify(document);
  return listTurns.run(inGroups(document));
}

function* inGroups(document: Record<string, unknown>): Generator<void, string | Buffer> {
  const done: Uint8Array[] = [];
  let text = "";
  let mark = "{";
  for (const [key, value] of Object.entries(document)) {
    if (value === undefined) continue;
    text += `${mark}${JSON.stringify(key)}:`;
    mark = ",";
    if (!isLong(value)) {
      text += JSON.stringify(value);
      continue;
    }
    let before = "[";
    for (const group of groupsOf(value)) {
      text += before;
      before = ",";
      if (typeof group === "string") text += group;
      if (typeof group === "string" && text.length < LONG) continue;
      done.push(Buffer.from(text));
      if (typeof group !== "string") done.push(group);
      text = "";
      yield;
    }
    text += before === "[" ? "[]" : "]";
  }
  text += "}";
  return done.length === 0 ? text : Buffer.concat([...done, Buffer.from(text)]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isLong(value: unknown): value is unknown[] | EntryTexts {
  return Array.isArray(value) ? value.length > GROUP : value instanceof EntryTexts;
}

/** Entries with commas between them: so many as text, or what is UTF-8 already. */
function* groupsOf(list: unknown[] | EntryTexts): Generator<string | Uint8Array> {
  const entries = list instanceof EntryTexts ? list.texts : list;
  for (let at = 0; at < entries.length;) {
    const first = entries[at];
    if (first instanceof Uint8Array) {
      yield first;
      at += 1;
      continue;
    }
    const group = entries.slice(at, at + GROUP);
    yield list instanceof EntryTexts ? group.join() : JSON.stringify(group).slice(1, -1);
    at += group.length;
  }
}

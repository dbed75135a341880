/**
 * How an answer leaves: with the headers of its family, and where it is there as a whole, past the framework and in the
 * turn in which it was made. Errors, streams and what is packed take the framework's way and get the same headers.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { Database } from "../../storage/database.ts";
import { pushQuotas } from "../receiving/rate-limits.ts";
import { outcomeUnknown, type SendingAccount } from "./sending.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** How the answers of a family look; of what is in none, those of the shell. */
    manner: Manner;
    /** Sends an answer that is there as a whole; see `addAnswers`. */
    answer(reply: FastifyReply, answer: WholeAnswer): FastifyReply | Promise<FastifyReply>;
  }
}

/** Properties that all answers of a family share. */
export interface Manner {
  /** Names and values of headers in turn, in a new list. */
  headOf(request: FastifyRequest): string[];
  /** The same as text, where that is known without the list. */
  headTextOf?(request: FastifyRequest): string;
  /** Headers, as names and values in turn, that are equal in every answer. */
  fixed: readonly string[];
  /** Whether an answer of this size is compressed for the client. */
  packs(request: FastifyRequest, bytes: number): boolean;
}

/** Makes the manner of a family whose answers all have the same headers, in addition to the request's ID. */
export function createManner(fixed: readonly string[]): Manner {
  const text = textOfHead(fixed);
  return {
    fixed,
    headTextOf: ({ id }) => `${text}x-request-id: ${id}\r\n`,
    headOf({ id }) {
      const head = fixed.slice();
      head.push("x-request-id", id);
      return head;
    },
    packs: () => false,
  };
}

/** Headers as they are sent. @param head names and values in turn */
export function textOfHead(head: readonly string[]): string {
  return head.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
}

type OwnHeaders = Readonly<Record<string, string | string[] | number | undefined>>;

export interface WholeAnswer {
  status: number;
  /** Media type, exactly as it is sent. */
  type: string;
  /** Undefined for none, which is told without a length. */
  body: string | Buffer | undefined;
  /** Headers of this answer alone. */
  headers?: OwnHeaders;
}

/**
 * Maximum size of an answer that is written as a whole. The framework hands a longer one to its connection in pieces.
 */
const AT_ONCE_BYTES = 256 * 1024;

/** Gives the server the manner of its own answers, and all families the way by which whole ones leave. */
export function addAnswers(app: FastifyInstance, db: Database, manner: Manner, sending: SendingAccount): void {
  app.decorate("manner", manner);
  /**
   * Waits, where it has to, until all that the answer may have seen is durable.
   *
   * @throws AppError `outcome_unknown` when storage failed; as `Sending.countWhole` does, when too much is being sent
   */
  app.decorate("answer", (reply: FastifyReply, answer: WholeAnswer) => {
    const { body = "", headers } = answer;
    const { request } = reply;
    if (body.length > AT_ONCE_BYTES || request.server.manner.packs(request, body.length)) {
      return reply
        .code(answer.status)
        .headers(headers ?? {})
        .type(answer.type)
        .serializer(asIs)
        .send(body);
    }
    return whenDurable(db, request, () => write(reply, answer));
  });

  function write(reply: FastifyReply, { status, type, body, headers }: WholeAnswer): FastifyReply {
    const { request, raw } = reply;
    const head = headOf(request);
    for (const name in headers) head.push(name, String(headers[name]));
    if (body === undefined) {
      raw.writeHead(status, head);
      reply.hijack();
      raw.end();
      return reply;
    }
    sending.countWhole(request, raw, body);
    const bytes = Buffer.byteLength(body);
    head.push("content-type", type, "content-length", String(bytes));
    raw.writeHead(status, head);
    reply.hijack();
    // Each character is one byte here: "latin1" copies them as they are.
    raw.end(body, bytes === body.length ? "latin1" : "utf8");
    return reply;
  }

  app.addHook("onSend", (request, reply, payload, done) => {
    const head = headOf(request);
    for (let at = 0; at < head.length; at += 2) reply.header(head[at] ?? "", head[at + 1]);
    done(null, payload);
  });
}

/** Goes on when all that the answer may have seen is durable: in the same turn where that has not to be waited for. */
function whenDurable<T>(db: Database, request: FastifyRequest, then: () => T): T | Promise<T> {
  let outcome: { error: Error | undefined } | undefined;
  let goOn: (() => void) | undefined;
  const finish = (): T => {
    if (outcome?.error !== undefined) throw outcomeUnknown(request, outcome.error);
    return then();
  };
  db.whenDurable((error) => {
    outcome = { error };
    goOn?.();
  });
  if (outcome !== undefined) return finish();
  return new Promise<void>((resolve) => (goOn = resolve)).then(finish);
}

function headOf(request: FastifyRequest): string[] {
  const head = request.server.manner.headOf(request);
  pushQuotas(head, request);
  if (request.owners !== undefined && request.owners.length > 0) head.push(OWNER_HEADER, request.owners.join(", "));
  return head;
}

/** Says whose objects a request has written; names of owners are letters, digits, - and _. */
const OWNER_HEADER = "x-tessera-owner";

function asIs(payload: unknown): string {
  return payload as string;
}

/** How a family puts what its handlers return in words; undefined where that is left to the framework. */
export type PutInWords = (
  request: FastifyRequest,
  value: object | boolean | null,
) => { type: string; body: string | undefined } | undefined;

/** Makes the handler whose values leave as whole answers. What is no value, such as text or a stream, it passes on. */
export function answering(handler: RouteHandlerMethod, inWords: PutInWords): RouteHandlerMethod {
  function finish(request: FastifyRequest, reply: FastifyReply, value: unknown): unknown {
    const isValue = typeof value === "boolean" || (typeof value === "object" && !isFrameworks(value, reply));
    const words = isValue ? inWords(request, value) : undefined;
    if (words === undefined) return value;
    return request.server.answer(reply, { status: reply.statusCode, ...words, headers: reply.getHeaders() });
  }
  return function answered(request, reply) {
    const result: unknown = handler.call(this, request, reply);
    if (result instanceof Promise) return result.then((value: unknown) => finish(request, reply, value));
    return finish(request, reply, result);
  };
}

function isFrameworks(value: object | null, reply: FastifyReply): boolean {
  return value === reply || (value !== null && ("pipe" in value || "getReader" in value || Buffer.isBuffer(value)));
}

/** Goes on with what may be known already, in the same turn then. Callbacks, since nearly every request comes through here. */
export function inTurn<T>(find: () => T | Promise<T>, then: (found: T) => void, fail: (error: Error) => void): void {
  const failed = (error: unknown): void =>
    fail(
      error instanceof Error ? error : new Error("the handler threw a value that is not an error", { cause: error }),
    );
  let found: T | Promise<T>;
  try {
    found = find();
  } catch (error) {
    failed(error);
    return;
  }
  if (found instanceof Promise) found.then(then, failed);
  else then(found);
}

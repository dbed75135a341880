/** Answers requests that arrived at another thread, by the routes of this one. */
import { EventEmitter } from "node:events";
import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ForwardedAnswer, ForwardedRequest } from "./messages.ts";

/** In place of the connection, which is the other thread's: what the routes ask of one. */
class NoSocket extends EventEmitter {
  readonly remoteAddress: string | undefined;
  readonly encrypted: true | undefined;
  readonly destroyed = false;
  readonly writableLength = 0;
  constructor({ remoteAddress, isEncrypted }: ForwardedRequest) {
    super();
    this.remoteAddress = remoteAddress;
    // Under TLS a socket has this member, and elsewhere none of the name.
    if (isEncrypted) this.encrypted = true;
  }
}

type Finish = (answer: ForwardedAnswer) => void;

/** An answer that is kept in one piece instead of being sent. */
class KeptResponse extends ServerResponse {
  private readonly finish: Finish;
  private readonly parts: Buffer[] = [];
  private head: string[] | undefined;
  private text: string | undefined;
  private isOver = false;

  constructor(request: IncomingMessage, finish: Finish) {
    super(request);
    this.finish = finish;
    Object.defineProperties(this, {
      headersSent: { get: () => this.head !== undefined },
      writableEnded: { get: () => this.isOver },
      writableFinished: { get: () => this.isOver },
    });
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    this.statusCode = status;
    const given = rest.findLast((each) => typeof each === "object") as OutgoingHttpHeaders | string[] | undefined;
    this.head = pairsOf(given ?? {});
    return this;
  }

  override write(chunk: string | Uint8Array, ...rest: unknown[]): boolean {
    this.parts.push(Buffer.from(chunk as Uint8Array));
    callLast(rest);
    return true;
  }

  override end(...given: unknown[]): this {
    if (this.isOver) return this;
    const [chunk] = given;
    if (typeof chunk === "string" && this.parts.length === 0) this.text = chunk;
    else if (typeof chunk === "string" || chunk instanceof Uint8Array) this.write(chunk);
    this.isOver = true;
    this.finish({ status: this.statusCode, head: this.head ?? [], body: this.text ?? bodyOf(this.parts) });
    process.nextTick(() => {
      callLast(given);
      this.emit("finish");
      this.emit("close");
    });
    return this;
  }
}

function bodyOf(parts: readonly Buffer[]): Buffer | undefined {
  return parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts);
}

function callLast(given: readonly unknown[]): void {
  const last = given.at(-1);
  if (typeof last === "function") (last as () => void)();
}

function pairsOf(headers: OutgoingHttpHeaders | string[]): string[] {
  if (Array.isArray(headers)) return headers;
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return Array.isArray(value) ? value.flatMap((each) => [name, each]) : [name, String(value)];
  });
}

/** Gives a request to the routes of a server, past its port. Never rejects: what fails is an answer too. */
export function answerForwarded(
  app: Pick<FastifyInstance, "routing">,
  asked: ForwardedRequest,
): Promise<ForwardedAnswer> {
  const { promise, resolve } = Promise.withResolvers<ForwardedAnswer>();
  const socket = new NoSocket(asked) as unknown as Socket;
  const request = new IncomingMessage(socket);
  Object.assign(request, { method: asked.method, url: asked.url, httpVersion: "1.1", complete: true });
  Object.assign(request, { httpVersionMajor: 1, httpVersionMinor: 1 });
  request.headers = asked.headers;
  if (asked.body !== undefined) request.push(asked.body);
  request.push(null);
  const response = new KeptResponse(request, resolve);
  response.assignSocket(socket);
  app.routing(request, response);
  return promise;
}

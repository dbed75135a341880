/** Answers requests that arrived at another thread, by the routes of this one. */
import { EventEmitter } from "node:events";
import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { type ForwardedAnswer, type ForwardedRequest, ownBytes } from "./messages.ts";
import { receiveParts } from "./parts.ts";

/** In place of the connection, which is the other thread's: what the routes ask of one. */
class NoSocket extends EventEmitter {
  readonly remoteAddress: string | undefined;
  readonly encrypted: true | undefined;
  readonly writableLength = 0;
  destroyed = false;

  constructor({ remoteAddress, isEncrypted }: ForwardedRequest) {
    super();
    this.remoteAddress = remoteAddress;
    // Under TLS a socket has this member, and elsewhere none of the name.
    if (isEncrypted) this.encrypted = true;
  }

  /** Node then tells the answer that it is over, as it does when a client goes. */
  destroy(): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.emit("close");
    return this;
  }
}

type Finish = (answer: ForwardedAnswer) => void;

/** An answer that is kept in one piece instead of being sent. */
class KeptResponse extends ServerResponse {
  private readonly finish: Finish;
  private readonly parts: Uint8Array[] = [];
  private head: string[] | undefined;
  private text: string | undefined;
  private hidesConnection = false;
  isOver = false;

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
    // As Node does: a list stands for itself, and other headers are added to those that were set before.
    this.head = Array.isArray(given) ? given : pairsOf({ ...this.getHeaders(), ...given });
    return this;
  }

  override removeHeader(name: string): void {
    if (name === "connection") this.hidesConnection = true;
    super.removeHeader(name);
  }

  override write(chunk: string | Uint8Array, ...rest: unknown[]): boolean {
    if (this.head === undefined) this.writeHead(this.statusCode);
    this.parts.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    callLast(rest);
    return true;
  }

  override end(...given: unknown[]): this {
    // Nobody is there any more to be told.
    if (this.isOver || this.destroyed) return this;
    const [chunk] = given;
    if (typeof chunk === "string" && this.parts.length === 0) this.text = chunk;
    else if (typeof chunk === "string" || chunk instanceof Uint8Array) this.write(chunk);
    if (this.head === undefined) this.writeHead(this.statusCode);
    this.isOver = true;
    const { statusCode: status, head = [], hidesConnection } = this;
    this.finish({ status, head, hidesConnection, body: this.text ?? ownBytes(this.parts) });
    process.nextTick(() => {
      callLast(given);
      this.emit("finish");
      // As after the last byte of any answer: who listens for its end is told once.
      this.emit("close");
    });
    return this;
  }
}

function callLast(given: readonly unknown[]): void {
  const last = given.at(-1);
  if (typeof last === "function") (last as () => void)();
}

function pairsOf(headers: OutgoingHttpHeaders): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return Array.isArray(value) ? value.flatMap((each) => [name, each]) : [name, String(value)];
  });
}

/** A request that is being answered. */
export interface Forwarded {
  isOver(): boolean;
  /** Its client has gone: whoever works for it learns of that as from a connection of this thread. */
  abandon(): void;
}

/**
 * Gives a request to the routes of a server, past its port.
 *
 * @param onAnswer called once, unless it is abandoned before; what fails is an answer too
 */
export function answerForwarded(
  app: Pick<FastifyInstance, "routing">,
  asked: ForwardedRequest,
  onAnswer: Finish,
): Forwarded {
  const socket = new NoSocket(asked);
  const request = new IncomingMessage(socket as unknown as Socket);
  const { method, url, headers, httpVersionMinor } = asked;
  Object.assign(request, { method, url, complete: true });
  Object.assign(request, { httpVersion: `1.${httpVersionMinor}`, httpVersionMajor: 1, httpVersionMinor });
  request.headers = headers;
  if (asked.body !== undefined) request.push(asked.body);
  const endParts = asked.parts === undefined ? undefined : receiveParts(request, asked.parts);
  if (endParts === undefined) request.push(null);
  const response = new KeptResponse(request, onAnswer);
  response.assignSocket(socket as unknown as Socket);
  if (endParts !== undefined) response.once("close", endParts);
  app.routing(request, response);
  return {
    isOver: () => response.isOver,
    abandon() {
      if (response.isOver) return;
      socket.destroy();
      if (asked.parts !== undefined) request.destroy();
    },
  };
}

/**
 * Connections whose narrow requests are answered in front of Node's HTTP server. Anything else, and any doubt, goes with its bytes to
 * Node's server, on the same socket and for the rest of the connection; never while an answer is owed.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { LaneClient } from "./caller.ts";
import { parseNarrow, type LastHeaders, type NarrowRequest } from "./narrow.ts";

/** How often connections are looked through that have nothing to do. */
const SWEEP_MS = 1000;
/** Node closes an idle connection so much later than it tells its client. */
const KEEP_ALIVE_BUFFER_MS = 1000;
/** How long an answer may wait for its client to read it. */
const UNREAD_MS = 30_000;

/** A whole answer, head and body; undefined where Node has to answer. */
export type LaneAnswer = { readonly text: string; readonly encoding: "latin1" | "utf8" } | undefined;

/** Answers a request of a client. */
export type AnswerNarrow = (request: NarrowRequest, client: LaneClient) => LaneAnswer | Promise<LaneAnswer>;

/** The connections that have only had narrow requests so far. */
export interface LaneConnections {
  readonly size: () => number;
  /** Closes those without a request. */
  closeIdle(): void;
  closeAll(): void;
  stop(): void;
}

type Listener = (this: Server, socket: Socket) => void;

/**
 * Puts the lane in front of Node's reading of requests.
 *
 * @param server of which no connection was accepted yet @param isTls whether it speaks TLS
 */
export function openLane(server: Server, isTls: boolean, answer: AnswerNarrow): LaneConnections {
  const event = isTls ? "secureConnection" : "connection";
  const listener = server.listeners(event).find(isNodes) as Listener | undefined;
  if (listener === undefined) throw new TypeError(`the server has no listener of "${event}" yet`);
  server.removeListener(event, listener);
  const connections = new Set<LaneConnection>();
  const context = { server, listener, answer, connections };
  server.on(event, (socket: Socket) => {
    if (!socket.destroyed) connections.add(new LaneConnection(context, socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const connection of connections) connection.look(now);
  }, SWEEP_MS);
  timer.unref();
  return {
    size: () => connections.size,
    closeIdle() {
      for (const connection of connections) connection.closeIfIdle();
    },
    closeAll() {
      for (const connection of connections) connection.destroy();
    },
    stop: () => clearInterval(timer),
  };
}

/** Node's own listener, by which a connection gets a parser. */
function isNodes({ name }: { name: string }): boolean {
  return name === "connectionListener";
}

interface LaneContext {
  readonly server: Server;
  readonly listener: Listener;
  readonly answer: AnswerNarrow;
  readonly connections: Set<LaneConnection>;
}

class LaneConnection implements LaneClient {
  readonly #context: LaneContext;
  readonly #socket: Socket;
  /** The bytes of the request that is being answered. */
  #open: Buffer | undefined;
  /** Bytes that arrived meanwhile. */
  #ahead: Buffer[] = [];
  readonly #last: LastHeaders = { text: "", headers: undefined };
  #hasEnded = false;
  #isFresh = true;
  #since = performance.now();

  constructor(context: LaneContext, socket: Socket) {
    this.#context = context;
    this.#socket = socket;
    socket.on("data", this.#onData);
    socket.on("end", this.#onEnd);
    socket.on("error", this.#onError);
    socket.on("close", this.#onClose);
  }

  isGone(): boolean {
    return this.#socket.destroyed;
  }

  get address(): string {
    return this.#socket.remoteAddress ?? "";
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#open !== undefined) {
      // Requests that are sent ahead wait in the kernel, and are Node's when their turn has come.
      this.#ahead.push(bytes);
      this.#socket.pause();
      return;
    }
    const request = this.#socket.writableLength === 0 ? parseNarrow(bytes, this.#last) : undefined;
    if (request === undefined) {
      this.#handOver([bytes]);
      return;
    }
    this.#open = bytes;
    const answered = this.#context.answer(request, this);
    if (answered instanceof Promise) void answered.then(this.#send, () => this.#send(undefined));
    else this.#send(answered);
  };

  readonly #send = (answer: LaneAnswer): void => {
    const bytes = this.#open;
    if (bytes === undefined || this.#socket.destroyed) return;
    this.#open = undefined;
    if (answer === undefined) {
      this.#handOver([bytes, ...this.#ahead]);
      return;
    }
    this.#isFresh = false;
    this.#since = performance.now();
    this.#socket.write(answer.text, answer.encoding);
    if (this.#ahead.length > 0) this.#handOver(this.#ahead);
    else if (this.#hasEnded) this.#socket.end();
  };

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (this.#open === undefined) this.#socket.end();
  };

  readonly #onError = (): void => void this.#socket.destroy();

  readonly #onClose = (): void => void this.#context.connections.delete(this);

  /** Gives the connection to Node, with the bytes of which nothing was answered. */
  #handOver(bytes: readonly Buffer[]): void {
    const socket = this.#socket;
    const { connections, listener, server } = this.#context;
    connections.delete(this);
    socket.off("data", this.#onData);
    socket.off("end", this.#onEnd);
    socket.off("error", this.#onError);
    socket.off("close", this.#onClose);
    listener.call(server, socket);
    // Node reads from the handle, and these bytes were read from it already.
    for (const each of bytes) socket.emit("data", each);
    if (socket.isPaused()) socket.resume();
    if (this.#hasEnded) socket.emit("end");
  }

  /** Looks whether the connection has been idle, or its answer unread, for too long. */
  look(now: number): void {
    const idle = now - this.#since;
    if (this.#open !== undefined) return;
    // Node has the times for whoever connects and asks nothing.
    if (this.#isFresh) {
      if (idle > SWEEP_MS) this.#handOver([]);
    } else if (this.#socket.writableLength > 0) {
      if (idle > UNREAD_MS) this.destroy();
    } else if (idle > this.#context.server.keepAliveTimeout + KEEP_ALIVE_BUFFER_MS) this.destroy();
  }

  closeIfIdle(): void {
    if (this.#open === undefined && this.#socket.writableLength === 0 && !this.#isFresh) this.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

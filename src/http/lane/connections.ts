/**
 * Connections whose narrow requests are answered in front of Node's HTTP server. Anything else, and any doubt, goes with its bytes to
 * Node's server, on the same socket, and never while an answer is owed. A connection of mostly narrow requests comes back after the
 * answer to a request whose end is certain (`whole.ts`); any other one is Node's from there on.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { LaneClient } from "./caller.ts";
import { parseNarrow, type LastHeaders, type NarrowRequest } from "./narrow.ts";
import { readByNode, type NodesReading } from "./nodes-reading.ts";
import { isWholeRequest } from "./whole.ts";

/** How often connections are looked through that have nothing to do. */
const SWEEP_MS = 1000;
/** Node closes an idle connection so much later than it tells its client. */
const KEEP_ALIVE_BUFFER_MS = 1000;
/** Narrow requests that Node may answer at first: much is known from its first answer on. */
const LENT_AT_FIRST = 2;
/** How long an answer may wait for its client to read it. */
const UNREAD_MS = 30_000;

/** A whole answer, head and body; undefined where Node has to answer. */
export type LaneAnswer = { readonly text: string; readonly encoding: "latin1" | "utf8" } | undefined;

/** Answers a request of a client. */
export type AnswerNarrow = (request: NarrowRequest, client: LaneClient) => LaneAnswer | Promise<LaneAnswer>;

/** The connections that are not Node's for good. */
export interface LaneConnections {
  readonly size: () => number;
  /** Whether an answer is made on a connection that Node takes for idle. */
  readonly isAnswering: () => boolean;
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
  const lent = new WeakMap<Socket, LaneConnection>();
  const context = { server, listener, answer, connections, lent };
  server.on(event, (socket: Socket) => {
    if (!socket.destroyed) connections.add(new LaneConnection(context, socket));
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    lent.get(request.socket)?.noteRequest(request, response);
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const connection of connections) connection.look(now);
  }, SWEEP_MS);
  timer.unref();
  return {
    size: () => connections.size,
    isAnswering: () => [...connections].some((connection) => connection.isAnswering()),
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
  /** Connections of which Node answers one request. */
  readonly lent: WeakMap<Socket, LaneConnection>;
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
  #isEndTold = false;
  #isFresh = true;
  /** Node's parser, once the connection has had one. */
  #nodes: NodesReading | undefined;
  /** Requests that Node has begun since it was lent the connection; undefined while it is not lent. */
  #begun: number | undefined;
  #answered = 0;
  #lent = 0;
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
    if (this.#begun !== undefined) {
      // Sent ahead of the answer: where this request ends only Node knows.
      this.#giveForGood([bytes]);
      return;
    }
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
    const ahead = this.#ahead;
    this.#ahead = [];
    if (answer === undefined) {
      this.#handOver([bytes, ...ahead], LENT_AT_FIRST);
      return;
    }
    this.#isFresh = false;
    this.#answered += 1;
    this.#since = performance.now();
    this.#socket.write(answer.text, answer.encoding);
    if (ahead.length > 0) this.#handOver(ahead);
    else if (this.#hasEnded) this.#end();
  };

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (this.#open === undefined) this.#end();
  };

  #end(): void {
    this.#isEndTold = true;
    if (this.#nodes === undefined) this.#socket.end();
    else this.#nodes.end();
  }

  readonly #onError = (): void => void this.#socket.destroy();

  readonly #onClose = (): void => void this.#context.connections.delete(this);

  /** Gives the connection to Node, with the bytes of which nothing was answered: for one request, or for good. */
  #handOver(bytes: readonly Buffer[], more = 0): void {
    const [request] = bytes;
    // One whose requests are mostly others would only cost more here.
    const mayReturn = this.#lent < this.#answered + more && !this.#hasEnded && bytes.length === 1;
    if (request === undefined || !mayReturn || !isWholeRequest(request)) {
      this.#giveForGood(bytes);
      return;
    }
    this.#nodes ??= this.#readByNode();
    if (this.#nodes === undefined) {
      this.#emit(bytes);
      return;
    }
    this.#lent += 1;
    this.#begun = 0;
    this.#context.lent.set(this.#socket, this);
    this.#nodes.data(request);
    if (this.#socket.isPaused()) this.#socket.resume();
  }

  /** Gives the connection a parser of Node's that reads what this one hands it; undefined where it has become Node's. */
  #readByNode(): NodesReading | undefined {
    const { connections, listener, server } = this.#context;
    const socket = this.#socket;
    this.#letGo();
    const nodes = readByNode(socket, () => listener.call(server, socket));
    if (nodes === undefined) return undefined;
    connections.add(this);
    socket.on("data", this.#onData);
    socket.on("end", this.#onEnd);
    socket.on("close", this.#onClose);
    return nodes;
  }

  #giveForGood(bytes: readonly Buffer[]): void {
    const { listener, server, lent } = this.#context;
    this.#letGo();
    this.#begun = undefined;
    lent.delete(this.#socket);
    if (this.#nodes === undefined) listener.call(server, this.#socket);
    else this.#nodes.giveBack();
    this.#emit(bytes);
  }

  #letGo(): void {
    const socket = this.#socket;
    this.#context.connections.delete(this);
    socket.off("data", this.#onData);
    socket.off("end", this.#onEnd);
    socket.off("error", this.#onError);
    socket.off("close", this.#onClose);
  }

  #emit(bytes: readonly Buffer[]): void {
    const socket = this.#socket;
    // Node reads from the handle, and these bytes were read from it already.
    for (const each of bytes) socket.emit("data", each);
    if (socket.isPaused()) socket.resume();
    if (this.#hasEnded && !this.#isEndTold) socket.emit("end");
  }

  /** Told of each request that Node begins while it is lent the connection. */
  noteRequest(request: IncomingMessage, response: ServerResponse): void {
    if (this.#begun === undefined) return;
    this.#begun += 1;
    response.once("close", () => {
      if (this.#begun === undefined) return;
      const isOver = this.#begun === 1 && request.complete && response.writableFinished;
      if (!isOver || this.#hasEnded || !this.#socket.writable || this.#socket.isPaused()) {
        this.#giveForGood([]);
        return;
      }
      this.#begun = undefined;
      this.#isFresh = false;
      this.#context.lent.delete(this.#socket);
      this.#since = performance.now();
    });
  }

  /** Looks whether the connection has been idle, or its answer unread, for too long. */
  look(now: number): void {
    const idle = now - this.#since;
    if (this.#open !== undefined || this.#begun !== undefined) return;
    if (this.#isFresh) {
      const { headersTimeout } = this.#context.server;
      if (headersTimeout > 0 && idle > headersTimeout) this.#timeOut();
    } else if (this.#socket.writableLength > 0) {
      if (idle > UNREAD_MS) this.destroy();
    } else if (idle > this.#context.server.keepAliveTimeout + KEEP_ALIVE_BUFFER_MS) this.destroy();
  }

  /** Ends a connection that sends nothing, as Node would: with 408. */
  #timeOut(): void {
    const error = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
    if (!this.#context.server.emit("clientError", error, this.#socket)) this.destroy();
  }

  isAnswering(): boolean {
    return this.#open !== undefined && this.#nodes !== undefined;
  }

  closeIfIdle(): void {
    if (this.#begun !== undefined || this.#open !== undefined || this.#socket.writableLength > 0) return;
    // The first request of a connection that was opened just now is on its way.
    if (!this.#isFresh || performance.now() - this.#since > SWEEP_MS) this.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

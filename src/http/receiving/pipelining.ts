import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FindPeer } from "../../outbound/peers.ts";
import { createPool, type PoolHolder } from "../../shared-pool.ts";

/** From so many requests on that wait, the connection is not read from; below, a client that goes is noticed. */
const HELD_UNTIL_PAUSE = 100;
/** Requests that one connection may have sent ahead of their turn: what the last read of its socket brings comes on top. */
export const MAX_HELD_PER_CONNECTION = 1000;
/** How long a connection that is not read from may go without an answer. */
const PAUSE_TIMEOUT_MS = 30_000;

const lines = new WeakMap<Socket, Line>();

/** Whether requests of a connection wait for the answer that is being made. */
export function isFollowed(socket: Socket | null): boolean {
  return socket !== null && (lines.get(socket)?.held ?? 0) > 0;
}

/** How many requests wait for the answers before, and how many connections were cut because theirs were too many. */
export type Pipelines = ReturnType<typeof answerInOrder>;

/** Requests that a connection has sent ahead. */
interface Line {
  held: number;
  holder: PoolHolder;
  /** Runs while the connection is not read from. */
  pause: NodeJS.Timeout | undefined;
}

/**
 * Lets one request of a connection in at a time: the next one is begun when the answer to the one before has been
 * handed to the kernel as a whole. What a client sends ahead (HTTP calls it pipelining) waits meanwhile, and most of it
 * in the kernel.
 *
 * Node by itself begins them all, and keeps their answers in the memory until the first one has been read.
 *
 * @param peerOf tells whose a connection is: of the requests that are sent ahead, each has a share
 * @param server with its listeners of requests and expectations. Node must answer nothing by itself, which would be out
 * of turn: it is made with `requireHostHeader: false`
 */
export function answerInOrder(server: Server, peerOf: FindPeer = () => undefined) {
  const own = new RequestLines(server, peerOf);
  return { held: own.all.used, cut: () => own.cut };
}

/** The requests of all connections that were sent ahead, each behind those before it. */
class RequestLines {
  readonly #peerOf: FindPeer;
  readonly all = createPool("requestsAhead");
  #connections = 0;
  cut = 0;

  readonly #cutOff = (socket: Socket): void => {
    this.cut += 1;
    socket.destroy();
  };

  constructor(server: Server, peerOf: FindPeer) {
    this.#peerOf = peerOf;
    for (const event of ["request", "checkExpectation"]) {
      const [answer] = server.listeners(event) as RequestListener[];
      if (answer === undefined) throw new TypeError(`the server has no listener of "${event}" yet`);
      server.removeAllListeners(event);
      server.on(event, this.#inTurn(answer));
    }
  }

  #lineOf(socket: Socket): Line {
    let line = lines.get(socket);
    if (line === undefined) {
      line = this.#joinLine(socket);
      lines.set(socket, line);
    }
    return line;
  }

  #joinLine(socket: Socket): Line {
    const group = this.#peerOf(socket.remoteAddress)?.name;
    const name = `connection ${(this.#connections += 1)}`;
    const line: Line = { held: 0, holder: group === undefined ? { name } : { name, group }, pause: undefined };
    // Node resumes a socket for reasons of its own, such as the end of a request without a body.
    socket.on("resume", () => {
      if (line.pause !== undefined) socket.pause();
    });
    socket.once("close", () => {
      clearTimeout(line.pause);
      this.all.give(line.holder, line.held);
      line.held = 0;
    });
    return line;
  }

  #hold(request: IncomingMessage, response: ServerResponse, start: RequestListener): void {
    const { socket } = request;
    // The parser goes on to the end of what it was given, though its connection has been cut.
    if (socket.destroyed) return;
    const line = this.#lineOf(socket);
    if (line.held >= MAX_HELD_PER_CONNECTION || this.all.take(line.holder) !== undefined) {
      this.#cutOff(socket);
      return;
    }
    line.held += 1;
    if (line.held === HELD_UNTIL_PAUSE) {
      line.pause ??= setTimeout(this.#cutOff, PAUSE_TIMEOUT_MS, socket).unref();
      socket.pause();
    }
    response.once("socket", () => {
      line.held -= 1;
      this.all.give(line.holder);
      goOn(socket, line);
      // Node has not yet sent what it wrote on this answer itself, such as `100 Continue`.
      process.nextTick(() => {
        if (!socket.destroyed) start(request, response);
      });
    });
  }

  /** An answer without a socket is one that Node has put behind another. */
  #inTurn(start: RequestListener): RequestListener {
    return (request, response) => {
      if (response.socket === null) this.#hold(request, response, start);
      else start(request, response);
    };
  }
}

/** An answer is out: reads again when few are left. */
function goOn(socket: Socket, line: Line): void {
  if (line.pause === undefined) return;
  if (line.held > 0) {
    line.pause.refresh();
    return;
  }
  clearTimeout(line.pause);
  line.pause = undefined;
  socket.resume();
}

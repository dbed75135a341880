import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FindPeer } from "../../limits/peers.ts";
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
  const all = createPool("requestsAhead");
  let connections = 0;
  let cut = 0;

  function lineOf(socket: Socket): Line {
    let line = lines.get(socket);
    if (line === undefined) {
      line = joinLine(socket);
      lines.set(socket, line);
    }
    return line;
  }

  function joinLine(socket: Socket): Line {
    const group = peerOf(socket.remoteAddress)?.name;
    const name = `connection ${(connections += 1)}`;
    const line: Line = { held: 0, holder: group === undefined ? { name } : { name, group }, pause: undefined };
    // Node resumes a socket for reasons of its own, such as the end of a request without a body.
    socket.on("resume", () => {
      if (line.pause !== undefined) socket.pause();
    });
    socket.once("close", () => {
      clearTimeout(line.pause);
      all.give(line.holder, line.held);
      line.held = 0;
    });
    return line;
  }

  function cutOff(socket: Socket): void {
    cut += 1;
    socket.destroy();
  }

  function hold(request: IncomingMessage, response: ServerResponse, start: RequestListener): void {
    const { socket } = request;
    // The parser goes on to the end of what it was given, though its connection has been cut.
    if (socket.destroyed) return;
    const line = lineOf(socket);
    if (line.held >= MAX_HELD_PER_CONNECTION || all.take(line.holder) !== undefined) {
      cutOff(socket);
      return;
    }
    line.held += 1;
    if (line.held === HELD_UNTIL_PAUSE) {
      line.pause ??= setTimeout(cutOff, PAUSE_TIMEOUT_MS, socket).unref();
      socket.pause();
    }
    response.once("socket", () => {
      line.held -= 1;
      all.give(line.holder);
      goOn(socket, line);
      // Node has not yet sent what it wrote on this answer itself, such as `100 Continue`.
      process.nextTick(() => {
        if (!socket.destroyed) start(request, response);
      });
    });
  }

  /** An answer without a socket is one that Node has put behind another. */
  const inTurn =
    (start: RequestListener): RequestListener =>
    (request, response) => {
      if (response.socket === null) hold(request, response, start);
      else start(request, response);
    };
  for (const event of ["request", "checkExpectation"]) {
    const [answer] = server.listeners(event) as RequestListener[];
    if (answer === undefined) throw new TypeError(`the server has no listener of "${event}" yet`);
    server.removeAllListeners(event);
    server.on(event, inTurn(answer));
  }
  return { held: all.used, cut: () => cut };
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

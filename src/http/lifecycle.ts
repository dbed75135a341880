import { Server, type ServerResponse } from "node:http";
import type { Server as PortServer, Socket } from "node:net";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { queueNoMore, responseOn } from "../private-node.ts";
import { isFollowed } from "./receiving/pipelining.ts";

declare module "fastify" {
  interface FastifyInstance {
    lifecycle: Lifecycle;
    /** The open connections; under TLS those that are encrypted. */
    connections: ReadonlySet<Socket>;
  }
}

/** State of the server between startup and exit. */
export interface Lifecycle {
  /**
   * `starting`: the port is bound, and everything is answered 503, since what guards the server is not settled yet.
   * `stopping`: everything is still answered, but `/readyz` with 503.
   */
  phase: "starting" | "serving" | "stopping";
  /** Whether each answer says that its connection ends with it. */
  endsConnections: boolean;
}

/** How long connections without a request are kept after the port was closed: one may be on its way. */
const LINGER_MS = 250;
/** How long running requests may take after the port was closed. */
const GRACE_MS = 10_000;
/** How often connections that have become idle are closed meanwhile. */
const IDLE_CHECK_MS = 50;

export interface StopOptions {
  /** Milliseconds in which new connections are still accepted, so that load balancers see `/readyz` first. */
  drainMs?: number;
  /** Milliseconds that running requests may take after that. */
  graceMs?: number;
  /** Ends the coming of new connections, when it is not this server that accepts them. */
  closePort?: (() => Promise<void>) | undefined;
}

/**
 * Stops the server so that whatever it has received is answered: says by `/readyz` and `Connection: close` that it goes,
 * accepts nothing new after the drain time, and closes connections when they have no request. After the grace period the
 * rest is cut.
 */
export async function closeGracefully(
  app: FastifyInstance,
  { drainMs = 0, graceMs = GRACE_MS, closePort }: StopOptions = {},
): Promise<void> {
  const { server, lifecycle } = app;
  lifecycle.phase = "stopping";
  if (drainMs > 0) {
    endConnections(app);
    await sleep(drainMs);
    // A client that loses its connection opens the next one immediately, on the port that is closing.
    lifecycle.endsConnections = false;
  }
  // Node and Fastify would cut at once what is idle at this moment, under the request that is on its way.
  server.closeIdleConnections = () => undefined;
  const closeIdle = (): void =>
    void setImmediate(() => {
      // Node does not know of requests that the lane answers on a connection that has had a parser.
      if (app.laneConnections?.isAnswering() !== true) Server.prototype.closeIdleConnections.call(server);
      app.laneConnections?.closeIdle();
    });
  let linger: NodeJS.Timeout | undefined;
  const grace = setTimeout(() => {
    server.closeAllConnections();
    app.laneConnections?.closeAll();
  }, graceMs);
  try {
    await (closePort === undefined ? acceptWaiting(server) : closePort());
    // Before Fastify gets to it, in whose steps more would arrive.
    server.close();
    // Not before the last one was accepted: what it has sent is read in a later turn.
    linger = setTimeout(() => {
      closeIdle();
      linger = setInterval(closeIdle, IDLE_CHECK_MS);
    }, LINGER_MS);
    endConnections(app);
    await app.close();
  } finally {
    clearTimeout(linger);
    clearTimeout(grace);
  }
}

/** From now on each answer is the last of its connection, also those that are under way. */
function endConnections({ lifecycle, connections }: FastifyInstance): void {
  lifecycle.endsConnections = true;
  for (const socket of connections) endAfterAnswer(responseOn(socket));
}

/** A turn of the event loop in which hardly anything was done. */
const QUIET_TURN_MS = 0.3;
/** How long a quiet turn is waited for. */
const QUIET_WITHIN_MS = 2000;

/**
 * Goes on until no connection waits to be accepted, of which Node takes one each turn: the system resets those that wait
 * when the port is closed. Returns right after the loop has looked for more. Meanwhile the system queues only one: who
 * comes then is not accepted at first, and refused when it asks again.
 */
export async function acceptWaiting(server: PortServer): Promise<void> {
  let accepted = 0;
  const count = (): void => void (accepted += 1);
  server.on("connection", count);
  const deadline = performance.now() + QUIET_WITHIN_MS;
  queueNoMore(server);
  // The rest of this turn, in which the loop may have come to the signal before it came to the port.
  await turn();
  for (let now = performance.now(), isQuiet = false; !isQuiet && now < deadline;) {
    const before = { accepted, now };
    await turn();
    now = performance.now();
    isQuiet = accepted === before.accepted && now - before.now < QUIET_TURN_MS;
  }
  server.off("connection", count);
}

/** Keeps the set of a server's open connections. */
export function trackConnections(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  // Under TLS both are told; what is written by HTTP is the second.
  for (const event of ["connection", "secureConnection"]) {
    server.on(event, (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
  }
  return sockets;
}

/** Makes an answer that has not begun to be sent the last one of its connection, unless more was asked behind it. */
export function endAfterAnswer(response: ServerResponse | undefined): void {
  if (response?.headersSent !== false) return;
  // Fastify says by itself that the connection ends, once it closes.
  if (isFollowed(response.socket)) response.removeHeader("connection");
  else response.shouldKeepAlive = false;
}

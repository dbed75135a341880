import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { plainReason, type RefusalStatus } from "./refusals.ts";

export const BODY_LIMIT_BYTES = 1024 * 1024;
export const HEADERS_TIMEOUT_MS = 10_000;
/** From the first byte of a request to its last. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node looks for requests that are over their time. */
export const CHECK_INTERVAL_MS = 1000;

const UNREAD_TIMEOUT_MS = 30_000;
const SWEEP_INTERVAL_MS = 5000;

/**
 * Cuts connections whose client does not read its answer. Node's own socket
 * timeout knows whether a pending write makes progress, but armed for every
 * socket all the time it would also cut quiet keep-alive connections: so it is
 * armed only where something has been waiting to be read.
 *
 * @returns a function that ends the watch
 */
export function cutSlowReaders(server: Server, unreadMs = UNREAD_TIMEOUT_MS, sweepMs = SWEEP_INTERVAL_MS): () => void {
  const sockets = new Set<Socket>();
  const armed = new WeakSet<Socket>();
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  server.on("connection", track);
  server.on("secureConnection", track);
  const sweep = setInterval(() => {
    for (const socket of sockets) {
      if (socket.writableLength > 0 && !armed.has(socket)) {
        armed.add(socket);
        socket.setTimeout(unreadMs);
      } else if (socket.writableLength === 0 && armed.delete(socket) && socket.timeout === unreadMs) {
        // Any other value is the keep-alive timeout, which Node has set since.
        socket.setTimeout(0);
      }
    }
  }, sweepMs).unref();
  return () => {
    clearInterval(sweep);
    server.off("connection", track);
    server.off("secureConnection", track);
  };
}

/** What Node keeps on a socket: the answer that is being made, and the request that is being read. */
interface HttpSocket extends Socket {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming: IncomingMessage | null } | null;
}

/**
 * Answers what Node's parser refuses, on the bare socket: there is no request
 * yet that a family could answer. Never where the client would take it for the
 * answer to another request.
 *
 * @returns the status that was answered; undefined when nothing was
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: HttpSocket): RefusalStatus | undefined {
  const answer = socket._httpMessage;
  if (answer?.req.complete === true && !socket.destroyed) {
    // What came behind a good request is bad: that one still gets its answer.
    answer.once("finish", () => socket.destroySoon());
    return undefined;
  }
  const isAnswered = answer === null || answer === undefined ? isReadingBody(socket) : answer.headersSent;
  if (error.code === "ECONNRESET" || !socket.writable || isAnswered) {
    socket.destroy();
    return undefined;
  }
  const status = clientErrorStatus(error.code);
  const body = `${plainReason(status)}\n`;
  socket.end(
    `HTTP/1.1 ${status} ${plainReason(status)}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
  return status;
}

/** Whether the rest of a body is awaited whose request has been answered already. */
function isReadingBody(socket: HttpSocket): boolean {
  return socket.parser?.incoming?.complete === false;
}

function clientErrorStatus(code: string | undefined): RefusalStatus {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return 408;
    case "HPE_HEADER_OVERFLOW":
      return 431;
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return 413;
    default:
      return 400;
  }
}

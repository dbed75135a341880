import type { Socket } from "node:net";

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
 * @param sockets the open connections, as `trackConnections` keeps them
 * @returns a function that ends the watch
 */
export function cutSlowReaders(
  sockets: ReadonlySet<Socket>,
  unreadMs = UNREAD_TIMEOUT_MS,
  sweepMs = SWEEP_INTERVAL_MS,
): () => void {
  const armed = new WeakSet<Socket>();
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
  return () => clearInterval(sweep);
}

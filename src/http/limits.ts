/** How much clients may have of the server at once. */
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
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
 * Cuts connections whose client does not read its answer. Node's own socket timeout knows whether a pending write makes
 * progress, but armed for every socket all the time it would also cut quiet keep-alive connections: so it is armed only
 * where something has been waiting to be read.
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

/** Bytes that may be in the memory at once for something that many share. */
export type Budget = ReturnType<typeof createBudget>;

export function createBudget(limit: number) {
  let used = 0;
  let refused = 0;
  return {
    /** Takes bytes, unless that would be too many. @returns whether it did */
    take(bytes: number): boolean {
      if (used + bytes > limit) {
        refused += 1;
        return false;
      }
      used += bytes;
      return true;
    },
    /** Takes bytes whatever the limit: of what has to be done in any case. */
    force(bytes: number): void {
      used += bytes;
    },
    /** Gives back what was taken. */
    give(bytes: number): void {
      used -= bytes;
    },
    used: () => used,
    /** How often there was no room since the start. */
    refused: () => refused,
  };
}

/** Room for all the waiting reads that one token may have, and for as many others as are likely. */
const MOST_CONNECTIONS = 20_480;
/** File descriptors that are kept for storage, the log, and connections of the server's own. */
const RESERVED_DESCRIPTORS = 256;

/** How many connections clients have open, and how many were turned away since the start. */
export type Connections = ReturnType<typeof limitConnections>;

/** Closes connections beyond a number as soon as they are opened: there is no request yet that could be answered. */
export function limitConnections(server: Server, most: number) {
  let open = 0;
  let dropped = 0;
  // Not by `maxConnections` of Node: of processes that share a port, the parent would offer the connection to them for ever.
  server.prependListener("connection", (socket: Socket) => {
    if (open >= most) {
      dropped += 1;
      socket.destroy();
      return;
    }
    open += 1;
    socket.once("close", () => (open -= 1));
  });
  return { open: () => open, dropped: () => dropped };
}

/** What the process may have open leaves room for so many, where the system says it. @param threads that share it */
export function defaultConnections(descriptors = openFilesLimit(), threads = 1): number {
  if (descriptors === undefined) return MOST_CONNECTIONS;
  const free = descriptors - Math.max(RESERVED_DESCRIPTORS, Math.ceil(descriptors / 16));
  return Math.max(1, Math.min(MOST_CONNECTIONS, Math.floor(free / threads)));
}

/** Node raises the soft limit to the hard one at its start. */
function openFilesLimit(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    // Only Linux says it in this place.
    return undefined;
  }
}

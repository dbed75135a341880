/** How much clients may have of the server at once. */
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { FindPeer } from "../../outbound/peers.ts";
import { POOLS } from "../../pools.ts";
import { createPool } from "../../shared-pool.ts";

export const BODY_LIMIT_BYTES = 1024 * 1024;
export const HEADERS_TIMEOUT_MS = 10_000;
/** From the first byte of a request to its last. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node looks for requests that are over their time. */
export const CHECK_INTERVAL_MS = 1000;

/** Room for all the waiting reads that one token may have, and for as many others as are likely. */
const MOST_CONNECTIONS = POOLS.connections.size;
/** File descriptors that are kept for storage, the log, and connections of the server's own. */
const RESERVED_DESCRIPTORS = 256;

/** How many connections clients have open, and how many were turned away since the start. */
export type Connections = ReturnType<typeof limitConnections>;

/**
 * Closes connections beyond a number as soon as they are opened: there is no request yet that could be answered.
 *
 * @param peerOf tells whose they are, of whom each has a share
 */
export function limitConnections(server: Server, most: number, peerOf: FindPeer = () => undefined) {
  const pool = createPool("connections", most);
  // Not by `maxConnections` of Node: of processes that share a port, the parent would offer the connection to them for ever.
  server.prependListener("connection", (socket: Socket) => {
    const peer = peerOf(socket.remoteAddress);
    if (pool.take(peer) === undefined) socket.once("close", () => pool.give(peer));
    else socket.destroy();
  });
  return { open: pool.used, dropped: pool.refused };
}

/**
 * Returns the default maximum of open connections: the open file limit of the process leaves room for this number,
 * where the system shows the limit.
 */
export function defaultConnections(descriptors = openFilesLimit()): number {
  if (descriptors === undefined) return MOST_CONNECTIONS;
  const free = descriptors - Math.max(RESERVED_DESCRIPTORS, Math.ceil(descriptors / 16));
  return Math.max(1, Math.min(MOST_CONNECTIONS, free));
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

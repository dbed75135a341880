/** How many bytes of a connection its client has not taken yet from the kernel of this machine, where the system tells it. */
import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";

/** A connection: the ports of both ends, and how much waits in its send queue, in hexadecimal. */
const LINE = /^ *\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) [\dA-F]{2} ([\dA-F]+):/gm;
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

/**
 * Reads it for all connections at once.
 *
 * @returns gives the bytes of one; undefined where only the client's own system would know. Of several clients with the same port
 * the one that waits for least stands for them all
 */
export async function readUnacknowledged(): Promise<(socket: Socket) => number | undefined> {
  const waiting = new Map<number, number>();
  for (const table of TABLES) {
    // Only Linux has them, and of no more than one version of IP where the other is off.
    const text = await readFile(table, "latin1").catch(() => "");
    for (const [, local = "", remote = "", bytes = ""] of text.matchAll(LINE)) {
      const key = keyOf(Number.parseInt(local, 16), Number.parseInt(remote, 16));
      waiting.set(key, Math.min(Number.parseInt(bytes, 16), waiting.get(key) ?? Infinity));
    }
  }
  return ({ localPort = 0, remotePort = 0 }) => waiting.get(keyOf(localPort, remotePort));
}

function keyOf(local: number, remote: number): number {
  return local * 65_536 + remote;
}

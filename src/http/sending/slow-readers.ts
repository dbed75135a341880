/**
 * Cuts connections whose client takes its answer too slowly: what it leaves waiting is memory that others could use. A
 * connection on which nothing waits to be taken is never cut, however long it is quiet: an event stream, a blocking query.
 */
import type { Socket } from "node:net";
import { handedBytes } from "../../private-node.ts";
import { readUnacknowledged } from "./unacknowledged.ts";

/** A client takes no less of the answer that waits for it. */
export interface LeastRate {
  bytesPerSecond: number;
  /** Over how long it is measured, in milliseconds. */
  overMs: number;
  /** The same where the system does not tell what the client has taken, but only when its own buffers, which are large, have room. */
  overMsUnknown: number;
}

const LEAST: LeastRate = { bytesPerSecond: 1000, overMs: 10_000, overMsUnknown: 30_000 };
const SWEEP_INTERVAL_MS = 2000;
/** Clients take in lumps, as their buffers have room: what is more than enough counts for so many times more, and no longer. */
const MOST_AHEAD = 2;

/** Since when a client is watched, and how much it had taken by then. */
interface Watch {
  since: number;
  handed: number;
  /** Undefined as long as the kernel's buffers have taken enough, which tells nothing of a slow client but all of a quick one. */
  taken: Taken | undefined;
}

interface Taken {
  since: number;
  /** It has taken them, or had to. */
  bytes: number;
  /** Whether it is what the client has taken; otherwise what the kernel's buffers have. */
  isKnown: boolean;
}

/**
 * Begins to look for them.
 *
 * @param sockets the open connections, as `trackConnections` keeps them
 * @returns a function that ends the watch
 */
export function cutSlowReaders(
  sockets: ReadonlySet<Socket>,
  least: LeastRate = LEAST,
  sweepMs: number = SWEEP_INTERVAL_MS,
): () => void {
  const watches = new WeakMap<Socket, Watch>();
  let isLooking = false;

  /** @returns those that take too little, as far as the kernel's buffers show it, and are to be looked at now */
  function findSuspects(now: number): [Socket, Watch][] {
    const suspects: [Socket, Watch][] = [];
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        watches.delete(socket);
        continue;
      }
      const handed = handedBytes(socket);
      const watch = watches.get(socket);
      const isEnough = watch === undefined || handed - watch.handed >= enough(now - watch.since);
      // A window ends as soon as enough was taken: what a client took before is no reason to wait for it.
      if (isEnough) watches.set(socket, { since: now, handed, taken: undefined });
      else if (watch.taken === undefined || now - watch.taken.since >= least.overMs) suspects.push([socket, watch]);
    }
    return suspects;
  }

  const enough = (milliseconds: number): number => (milliseconds / 1000) * least.bytesPerSecond;

  async function look(): Promise<void> {
    const suspects = findSuspects(performance.now());
    if (suspects.length === 0) return;
    const unacknowledged = await readUnacknowledged();
    const now = performance.now();
    for (const [socket, watch] of suspects) {
      const left = unacknowledged(socket);
      const bytes = handedBytes(socket) - (left ?? 0);
      const isKnown = left !== undefined;
      const before = watch.taken?.isKnown === isKnown ? watch.taken : undefined;
      const over = now - (before?.since ?? now);
      if (before !== undefined && over < (isKnown ? least.overMs : least.overMsUnknown)) continue;
      const due = before === undefined ? bytes : before.bytes + enough(over);
      if (bytes < due) socket.destroy();
      else watch.taken = { since: now, bytes: Math.max(due, bytes - enough(MOST_AHEAD * over)), isKnown };
    }
  }

  const sweep = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => (isLooking = false));
  }, sweepMs).unref();
  return () => clearInterval(sweep);
}

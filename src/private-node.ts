/**
 * Private parts of Node and V8: the only file that touches them. Each has a documented fallback where a version of Node lacks
 * it, and `private-node.test.ts` fails in a version where its meaning has changed. Decision 43 says why each of them stays.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Members of a socket: its connection (under TLS that of the socket beneath it), and the state of the HTTP server. */
interface PrivateSocket {
  readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
  readonly _parent?: PrivateSocket | null;
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: { readonly incoming: IncomingMessage | null } | null;
}

interface PrivateServer {
  readonly _handle?: { listen?(backlog: number): number } | null;
}

/** Returns the response in progress on a connection; undefined when there is none, or it is not known. */
export function responseOn(socket: Duplex): ServerResponse | undefined {
  return (socket as PrivateSocket)._httpMessage ?? undefined;
}

/** Checks whether the server still reads the body of a request of this connection; false when it is not known. */
export function isReadingBody(socket: Duplex): boolean {
  return (socket as PrivateSocket).parser?.incoming?.complete === false;
}

/** Returns the number of written bytes that the kernel has accepted; 0 when it is not known. */
export function handedBytes(socket: Socket): number {
  const { _parent: beneath, _handle: own } = socket as PrivateSocket;
  const handle = beneath === null || beneath === undefined ? own : beneath._handle;
  return handle === null || handle === undefined ? 0 : handle.bytesWritten - handle.writeQueueSize;
}

/** Limits to one the connections that the system queues for a listening server. Without effect when it is not known how. */
export function queueNoMore(server: Server): void {
  (server as unknown as PrivateServer)._handle?.listen?.(0);
}

/** Options of V8's collector. With `async`, it returns a promise and pauses for other work. */
interface CollectOptions {
  readonly type: "minor" | "major";
  readonly execution?: "async";
}

/** Returns V8's collector, which a program has only by a flag that is set while it runs. */
export function garbageCollector(): (options: CollectOptions) => unknown {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as (options: CollectOptions) => unknown;
}

/** Flag of V8 by which the young generation does not grow. */
export const YOUNG_HEAP_FLAG = "--semi-space-growth-factor=1";

/**
 * Keeps V8's young generation as small as it is. By itself it grows to three times 16 MB where much is made and let go, which takes
 * a command half as much memory again and makes it no faster.
 */
export function keepYoungHeapSmall(): void {
  setFlagsFromString(YOUNG_HEAP_FLAG);
}

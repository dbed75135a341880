/** Messages about a request between a thread that answers reads and the thread that makes all writes. */
import type { MessagePort, Transferable } from "node:worker_threads";

/** A request that is to be answered by another thread. Its body has been read, unless it is one that may be very long. */
export interface ForwardedRequest {
  /** As the client sent it. */
  method: string;
  url: string;
  /** By lower-case names, as Node joins them. */
  headers: Record<string, string>;
  /** Minor version of HTTP/1. */
  httpVersionMinor: number;
  body: Uint8Array | undefined;
  /** Port on which the body arrives in parts; see `parts.ts`. */
  parts: MessagePort | undefined;
  remoteAddress: string | undefined;
  /** Whether it came over TLS. */
  isEncrypted: boolean;
}

export interface ForwardedAnswer {
  status: number;
  /** Names and values in turn. */
  head: string[];
  /** Whether Node is kept from saying what becomes of the connection, as `removeHeader` does. */
  hidesConnection: boolean;
  body: Uint8Array | string | undefined;
}

/**
 * Has a request answered by another thread.
 *
 * @param onAnswer called once, unless the client has gone
 * @returns to be called when the client has gone: nothing comes any more then
 */
export type Forward = (request: ForwardedRequest, onAnswer: (answer: ForwardedAnswer) => void) => () => void;

/** Memory of a body that is transferred instead of copied. The body does not share it with others; see `ownBytes`. */
export function bytesOf(body: Uint8Array | string | undefined): ArrayBuffer[] {
  return body instanceof Uint8Array ? [body.buffer as ArrayBuffer] : [];
}

/** Memory and ports of a request that are transferred instead of copied. */
export function transferredOf({ body, parts }: ForwardedRequest): Transferable[] {
  return parts === undefined ? bytesOf(body) : [parts];
}

/**
 * The parts in one, in memory of its own: of what lies in memory that others share, such as what a connection has
 * received, a message to another thread would take all.
 */
export function ownBytes(parts: readonly Uint8Array[]): Uint8Array | undefined {
  if (parts.length === 0) return undefined;
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

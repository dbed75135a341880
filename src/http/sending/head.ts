import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/** HEAD is answered as GET is, by the same routes: Node sends the head of the answer and drops the rest. */
const heads = new WeakSet<IncomingMessage>();

/** Makes a HEAD request one that finds the route of GET. @returns its URL, as the router wants it */
export function headAsGet(request: IncomingMessage): string {
  if (request.method === "HEAD") {
    heads.add(request);
    request.method = "GET";
  }
  return request.url ?? "/";
}

/** The method that the client sent. */
export function sentMethod(request: IncomingMessage): string {
  return heads.has(request) ? "HEAD" : (request.method ?? "");
}

/** The payload of an answer that is made while it is sent; none, and no more is made, where only its head is asked for. */
export function unlessHead<P extends NodeJS.ReadableStream | ReadableStream>(
  request: IncomingMessage,
  payload: P,
): P | Readable {
  if (!heads.has(request)) return payload;
  if (payload instanceof Readable) payload.destroy();
  return Readable.from([]);
}

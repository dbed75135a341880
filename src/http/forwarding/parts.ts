/** Bodies that are handed to another thread as they arrive: a part is sent when the one before has been read. */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { ownBytes } from "./messages.ts";

/** From who reads: that there is room for a part. To it: a part, the end, or that the rest will never come. */
type PartMessage = { part: Uint8Array } | { end: "whole" | "broken" };

/**
 * Sends a body part by part.
 *
 * @returns the port that it comes from, to be handed to the other thread
 */
export function sendParts(payload: Readable): MessagePort {
  const { port1: own, port2: other } = new MessageChannel();
  const parts = payload.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;

  async function sendNext(): Promise<void> {
    const message = await nextOf(parts);
    own.postMessage(message, "part" in message ? [message.part.buffer as ArrayBuffer] : []);
    if ("end" in message) own.close();
  }

  own.on("message", () => void sendNext());
  // The answering thread does not want the rest. A connection that is not read never ends, so the rest is read and
  // dropped.
  own.on("close", () => payload.resume());
  own.unref();
  return other;
}

async function nextOf(parts: AsyncIterator<Buffer>): Promise<PartMessage> {
  try {
    const { done, value } = await parts.next();
    return done === true ? { end: "whole" } : { part: ownBytes([value]) ?? new Uint8Array() };
  } catch {
    return { end: "broken" };
  }
}

/** Makes a request's body of what comes from the port, as it is read. @returns what ends that, in any case */
export function receiveParts(request: IncomingMessage, port: MessagePort): () => void {
  request._read = () => port.postMessage("more");
  port.on("message", (message: PartMessage) => {
    if ("part" in message) request.push(Buffer.from(message.part.buffer));
    else if (message.end === "whole") request.push(null);
    else request.destroy();
  });
  return () => port.close();
}

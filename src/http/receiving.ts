import type { IncomingMessage } from "node:http";
import { BODY_LIMIT_BYTES, createBudget } from "./limits.ts";

/** Bytes of request bodies that are being received or worked on, of all connections together. */
export const MAX_RECEIVING_BYTES = 128 * 1024 * 1024;
/** What one caller may have of it, so that nobody keeps the others from sending. */
const SHARE_OF_ONE = 1 / 8;
/** What all without a token may have of it together. */
const SHARE_OF_ANONYMOUS = 1 / 2;
/** Shorter bodies are not counted. */
const COUNTED_FROM = 16 * 1024;

/** Who sends a body: a token, or an address without one. */
export interface Sender {
  /** No two have the same. */
  name: string;
  isAnonymous: boolean;
}

/** For whom a body is received. */
interface Receiver {
  readonly sender: Sender;
  /** Tells once the answer is out, or the client has gone, and nothing works with the body any more. */
  onceOver(tell: () => void): void;
}

/** Makes the account of a server. */
export function createReceiving(limit = MAX_RECEIVING_BYTES) {
  const budget = createBudget(limit);
  const anonymous = createBudget(limit * SHARE_OF_ANONYMOUS);
  /** Bytes of each sender that has any. */
  const senders = new Map<string, number>();

  function takeShare({ name, isAnonymous }: Sender, bytes: number): boolean {
    const own = (senders.get(name) ?? 0) + bytes;
    if (own > limit * SHARE_OF_ONE || (isAnonymous && !anonymous.take(bytes))) return false;
    senders.set(name, own);
    return true;
  }

  function giveShare({ name, isAnonymous }: Sender, bytes: number): void {
    if (isAnonymous) anonymous.give(bytes);
    const left = (senders.get(name) ?? bytes) - bytes;
    if (left === 0) senders.delete(name);
    else senders.set(name, left);
  }

  return {
    budget,
    /**
     * Counts the body that a request announces until its answer is out and the work with it done, for however long that goes on
     * when the client has gone; asked when it is known who asks.
     *
     * @param isStream whether it is read as it arrives, however long it is
     * @returns whether there is room for it
     */
    admit(request: IncomingMessage, receiver: Receiver, isStream = false): boolean {
      const bytes = announcedBytes(request, isStream);
      if (bytes < COUNTED_FROM) return true;
      const { sender } = receiver;
      if (!takeShare(sender, bytes)) return false;
      if (!budget.take(bytes)) {
        giveShare(sender, bytes);
        return false;
      }
      receiver.onceOver(() => {
        budget.give(bytes);
        giveShare(sender, bytes);
      });
      return true;
    },
  };
}

/** More than is allowed is refused before it is read, and never kept. */
function announcedBytes({ method, headers }: IncomingMessage, isStream: boolean): number {
  if (method === "GET") return 0;
  if (headers["transfer-encoding"] !== undefined) return BODY_LIMIT_BYTES;
  const length = Number(headers["content-length"] ?? 0);
  if (isStream) return Math.min(length, BODY_LIMIT_BYTES);
  return length > BODY_LIMIT_BYTES ? 0 : length;
}

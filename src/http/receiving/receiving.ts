import type { IncomingMessage } from "node:http";
import { POOLS } from "../../pools.ts";
import { createPool, poolRefusalText, type PoolHolder, type PoolRefusal } from "../../shared-pool.ts";
import { BODY_LIMIT_BYTES } from "./limits.ts";

/** One caller has no more of the account. */
const SHARE_OF_ONE = 1 / 8;
/** Share of the account for all callers without a token together. */
const SHARE_OF_ANONYMOUS = 1 / 2;
/** Shorter bodies are not counted. */
const COUNTED_FROM = 16 * 1024;

/** Sender of a body: a token, or an address without one. */
export interface BodySender {
  /** No two have the same. */
  name: string;
  isAnonymous: boolean;
}

/** For whom a body is received. */
interface Receiver {
  readonly sender: BodySender;
  readonly owner: PoolHolder;
  /** Tells once the answer is out, or the client has gone, and nothing works with the body any more. */
  onceOver(tell: () => void): void;
}

/** Makes the account of a server. */
export function createReceiving(limit = POOLS.receiving.size) {
  const pool = createPool("receiving", limit);
  let anonymous = 0;

  function refusalOf({ name, isAnonymous }: BodySender, bytes: number): PoolRefusal | undefined {
    if (pool.heldBy(name) + bytes > limit * SHARE_OF_ONE) return "large";
    return isAnonymous && anonymous + bytes > limit * SHARE_OF_ANONYMOUS ? "large" : undefined;
  }

  return {
    pool,
    /**
     * Counts the body that a request announces until its answer is out and the work with it done, for however long that goes on
     * when the client has gone; asked when it is known who asks.
     *
     * @param isStream whether it is read as it arrives, however long it is
     * @returns why there is no room for it, as a refusal says it; undefined when it is counted
     */
    admit(request: IncomingMessage, receiver: Receiver, isStream = false): string | undefined {
      const bytes = announcedBytes(request, isStream);
      if (bytes < COUNTED_FROM) return undefined;
      const { sender, owner } = receiver;
      const refusal = refusalOf(sender, bytes) ?? pool.take(owner, bytes);
      if (refusal !== undefined) return poolRefusalText("Too many large requests are being received", refusal);
      if (sender.isAnonymous) anonymous += bytes;
      receiver.onceOver(() => {
        if (sender.isAnonymous) anonymous -= bytes;
        pool.give(owner, bytes);
      });
      return undefined;
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

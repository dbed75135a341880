import { setTimeout as sleep } from "node:timers/promises";

/** Work that goes on in the background until it is stopped. */
export interface Background {
  /** Lets what is under way come to an end. */
  stop(): Promise<void>;
}

const POLL_MS = 1000;

/**
 * Does `work` at once and then once a second, or as often as is said, never twice at the same time.
 *
 * @param work told by the signal when to come to an end
 * @param onError told of a failure; the work is tried again
 */
export function startBackground(
  work: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
  everyMs = POLL_MS,
): Background {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      await work(signal).catch(onError);
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

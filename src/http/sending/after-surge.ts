import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** From so many bytes on their way it was a surge; and it is over when an eighth is left. */
const SURGE_BYTES = 32 * 1024 * 1024;
const OVER_SHARE = 8;
const LOOK_EVERY_MS = 5000;

/**
 * Calls back when a surge of bytes has been over for a while.
 *
 * @param used the bytes that are on their way now
 * @returns a function that ends the watch
 */
export function watchSurges(used: () => number, onOver: () => void, everyMs = LOOK_EVERY_MS): () => void {
  let peak = 0;
  let wasOver = false;
  const timer = setInterval(() => {
    const now = used();
    peak = Math.max(peak, now);
    const isOver = peak >= SURGE_BYTES && now < peak / OVER_SHARE;
    if (isOver && wasOver) {
      peak = now;
      onOver();
    }
    wasOver = isOver;
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/**
 * Collects what a surge left behind, beside the requests. V8 collects when memory is asked for: a server that has become
 * quiet would keep for hours what nobody uses any more.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: { type: "major"; execution: "async" }) => Promise<void>;
  void collect({ type: "major", execution: "async" });
}

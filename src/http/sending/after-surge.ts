import { garbageCollector } from "../../private-node.ts";

/** From so many bytes on their way at once, or sent with hardly a pause, it was a surge; and it is over when an eighth is left. */
const SURGE_BYTES = 32 * 1024 * 1024;
const OVER_SHARE = 8;
const LOOK_EVERY_MS = 5000;

/** Bytes of answers. */
interface Sent {
  /** On their way now. */
  used(): number;
  /** All that there have been: many lists one after the other are never on their way together. */
  total(): number;
}

/**
 * Calls back when a surge of bytes has been over for a while.
 *
 * @returns a function that ends the watch
 */
export function watchSurges(sent: Sent, onOver: () => void, everyMs = LOOK_EVERY_MS): () => void {
  let peak = 0;
  let wasOver = true;
  let [began, before] = [0, 0];
  const timer = setInterval(() => {
    const [used, total] = [sent.used(), sent.total()];
    const isResting = total - before < SURGE_BYTES / OVER_SHARE;
    before = total;
    peak = Math.max(peak, used, total - began);
    const isOver = isResting && used < Math.max(SURGE_BYTES, peak) / OVER_SHARE;
    if (isOver && wasOver) {
      if (peak >= SURGE_BYTES) onOver();
      peak = used;
      began = total;
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
  void garbageCollector()({ type: "major", execution: "async" });
}

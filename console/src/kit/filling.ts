/** Draws what is in rows that came into sight while one scrolls: some at a time, so that frames go in between. */
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Maximum time in ms to draw rows without a break. */
const STRETCH = 8;

const waiting = new Set<() => void>();
let isRunning = false;

/** Whether what is in a row is drawn yet. @param isLater whether the row is there before that; of its first drawing */
export function useFilled(isLater: boolean): boolean {
  const [isFilled, setFilled] = useState(!isLater);
  useEffect(() => {
    if (isFilled) return undefined;
    const fill = () => setFilled(true);
    waiting.add(fill);
    if (!isRunning) {
      isRunning = true;
      setTimeout(fillSome);
    }
    return () => void waiting.delete(fill);
  }, [isFilled]);
  return isFilled;
}

/**
 * Each is drawn by itself: React would begin again with all of them whenever one scrolls on, and come to no end before
 * one stops.
 */
function fillSome(): void {
  const began = performance.now();
  // Draws the latest row first: it is still in view.
  for (const fill of [...waiting].toReversed()) {
    waiting.delete(fill);
    flushSync(fill);
    if (performance.now() - began > STRETCH) break;
  }
  isRunning = waiting.size > 0;
  if (isRunning) setTimeout(fillSome);
}

/** Counters that this process knows to have moved, so that a sink need not look at all of them to find its news. */
import { type Feed, type FeedEvent, NO_PARTITION } from "../../storage/feed/feed.ts";

export interface Hints {
  /** Names of rows in `counters` since the last time; undefined where there were too many, or nobody knows which. */
  take(): string[] | undefined;
  close(): void;
}

const MOST = 4096;

export function createHints(feed: Pick<Feed, "subscribe">): Hints {
  let names = new Set<string>();
  let isOverflown = false;

  function note(event: FeedEvent): void {
    if (event.partition !== NO_PARTITION) names.add(`partition/${event.partition}`);
    else if ("key" in event) names.add(event.key);
    else isOverflown = true;
    if (names.size <= MOST) return;
    isOverflown = true;
    names.clear();
  }

  const close = feed.subscribe({ onDurable: note });
  return {
    close,
    take() {
      const taken = isOverflown ? undefined : [...names];
      names = new Set();
      isOverflown = false;
      return taken;
    },
  };
}

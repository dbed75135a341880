import { OutboundError, type Ask } from "./outbound.ts";

export interface Bounds {
  /** Requests that are under way at a time. */
  running: number;
  /** Requests that wait for their turn. */
  waiting: number;
  /** For how long one waits. */
  milliseconds: number;
}

const BOUNDS: Bounds = { running: 32, waiting: 1000, milliseconds: 10_000 };

/**
 * The same, with so many requests at a time: who wants to log in is nobody yet, and must not be able to open thousands of
 * connections to a server that does not answer. Others wait, in the order in which they came.
 */
export function boundedAsk(ask: Ask, { running: most, waiting: mostWaiting, milliseconds }: Bounds = BOUNDS): Ask {
  let running = 0;
  const waiting = new Set<() => void>();

  async function takeTurn(): Promise<void> {
    if (running < most) {
      running += 1;
      return;
    }
    if (waiting.size >= mostWaiting) throw new OutboundError("too many requests to this server wait already");
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(new OutboundError(`other requests to this server have not ended within ${milliseconds / 1000} s`));
      }, milliseconds);
      waiting.add(begin);
    });
  }

  /** Hands the turn on, so that nobody who comes now is before those who wait. */
  function endTurn(): void {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return async (request) => {
    await takeTurn();
    try {
      return await ask(request);
    } finally {
      endTurn();
    }
  };
}

/** Time of writes in the queue, as it counts towards the limit at which they are refused. */

export interface WaitingTime {
  /** Milliseconds that have counted so far; only differences mean something. */
  now(): number;
  /** Called at each look for writes that have waited too long. */
  look(): void;
}

/** Part of the time that counts while the store's own work keeps writes from their turn: a checkpoint has to end before anything can. */
const OF_OWN_WORK = 1 / 4;

/**
 * Counts the time in which a write could have had its turn. A process that stood still on a busy machine has served nobody
 * meanwhile: when it goes on, everything that waits would be late in the same moment, although nothing is wrong with the storage.
 *
 * @param lookMs how often it looks; the time between two looks counts twice that at most
 * @param isOwnWork whether the store's own work holds all connections now
 */
export function createWaitingTime(
  lookMs: number,
  isOwnWork: () => boolean = () => false,
  clock: () => number = () => performance.now(),
): WaitingTime {
  let counted = 0;
  let last = clock();
  const sinceLast = () => Math.min(clock() - last, 2 * lookMs) * (isOwnWork() ? OF_OWN_WORK : 1);
  return {
    now: () => counted + sinceLast(),
    look() {
      counted += sinceLast();
      last = clock();
    },
  };
}

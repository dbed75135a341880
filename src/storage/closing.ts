/** A close that takes longer has lost something it waits for; the process must be able to end, and to say why. */
const LONGEST_CLOSE_MS = 15_000;

/** Something did not let the storage be closed: a thread, say, that is within a statement, for which a normal exit would wait. */
export class LateClose extends Error {}

/**
 * Sees a close through to its end. Threads and timers of the store do not keep the process alive by themselves: without
 * this it could end in the middle, the log uncopied and the reason for the close unsaid.
 *
 * @throws LateClose when it does not come to an end in time
 */
export async function seeThrough(close: Promise<void>, longestMs = LONGEST_CLOSE_MS): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new LateClose(`storage was not closed within ${longestMs} ms`)),
    longestMs,
  );
  try {
    await Promise.race([close, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for a promise, but not longer than until the signal.
 *
 * @throws what the promise throws, or the signal's reason
 */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // When nobody waits any more, a failure is nobody's.
  promise.catch(() => undefined);
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The values of promises, as `Promise.all` gives them. */
type Values<T extends readonly Promise<unknown>[]> = { -readonly [Place in keyof T]: Awaited<T[Place]> };

/**
 * Waits for checks that travel together and gives their values. When several fail, the first of the list is told: which of
 * two faults a client hears of must not follow from the engine that answers faster.
 *
 * @throws the reason of the first in the list that failed, once all have ended
 */
export async function inOrder<const T extends readonly Promise<unknown>[]>(checks: T): Promise<Values<T>> {
  const ended = await Promise.allSettled(checks);
  return ended.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  }) as Values<T>;
}

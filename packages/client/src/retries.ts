import { ConnectionError, TesseraError } from "./errors.ts";

/** Maximum pause in milliseconds. When the server asks for a longer one, the caller gets the error immediately. */
const LONGEST_REST = 60_000;

const FIRST_REST = 200;

/**
 * Repeats an attempt after temporary failures when that is safe. Reads are always repeated. Writes are repeated only
 * when they were certainly not executed: no server was found at the address, or the response contains Retry-After.
 *
 * @throws what the last try threw, or the signal's reason
 */
export async function withRetries<T>(
  isRead: boolean,
  retries: number,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ;) {
    try {
      return await attempt();
    } catch (error) {
      if (failures >= retries || !(isRead ? mayPass(error) : wasNotDone(error))) throw error;
      const pause = restAfter(error, ++failures);
      if (pause > LONGEST_REST) throw error;
      await rest(pause, signal);
    }
  }
}

/** Whether the same request may be answered later. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.kind !== "tls" && error.kind !== "protocol";
  return error instanceof TesseraError && [429, 502, 503, 504].includes(error.status);
}

/** Checks whether a write was certainly not done. After a 503 without Retry-After, its outcome is unknown. */
function wasNotDone(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.kind === "refused" || error.kind === "dns";
  return error instanceof TesseraError && mayPass(error) && error.retryAfter !== undefined;
}

/**
 * Returns the pause before the next try in milliseconds: the server's value, or a growing one with jitter, which
 * spreads the retries of many clients.
 */
export function restAfter(error: unknown, failures: number, longest = 10_000): number {
  const asked = error instanceof TesseraError ? error.retryAfter : undefined;
  if (asked !== undefined) return asked * 1000;
  return Math.min(longest, FIRST_REST * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
}

/**
 * Waits.
 *
 * @throws the signal's reason, as soon as it is aborted
 */
export async function rest(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      // The promise rejects with the caller's own abort reason.
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** How long sessions of the console count. All times are milliseconds. */
import type { ConsoleSession } from "./store.ts";

const MINUTE_MS = 60_000;
/** Maximum idle time of a session. */
export const IDLE_MS = 30 * MINUTE_MS;
/** Maximum lifetime of a session, also when it is used. */
export const ABSOLUTE_MS = 12 * 60 * MINUTE_MS;
/** Minimum time between two notes of a session's use. */
export const NOTE_EVERY_MS = MINUTE_MS;
/** Maximum difference between the clocks of two servers. */
const CLOCKS_DIFFER_MS = 5 * MINUTE_MS;

/**
 * Returns whether a session no longer counts. One that would last longer than any does began or was used while the clock was
 * ahead, and has since been set back.
 *
 * @param now milliseconds since the epoch
 */
export function isOver(session: Pick<ConsoleSession, "createdAt" | "activeAt">, now: number): boolean {
  const left = endOf(session) - now;
  return left <= 0 || left > ABSOLUTE_MS + CLOCKS_DIFFER_MS;
}

/** Returns the end of a session without further use. @returns milliseconds since the epoch */
export function endOf({ createdAt, activeAt }: Pick<ConsoleSession, "createdAt" | "activeAt">): number {
  return Math.min(activeAt + IDLE_MS, createdAt + ABSOLUTE_MS);
}

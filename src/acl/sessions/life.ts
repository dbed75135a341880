/** How long sessions of the console count. All times are milliseconds. */
import type { Session } from "./store.ts";

const MINUTE_MS = 60_000;
/** After so long without anything that somebody does a session is over. */
export const IDLE_MS = 30 * MINUTE_MS;
/** Whatever somebody does, so long after its beginning it is over. */
export const ABSOLUTE_MS = 12 * 60 * MINUTE_MS;
/** So often, at most, it is noted that a session was used. */
export const NOTE_EVERY_MS = MINUTE_MS;

/** When a session ends unless somebody does something. @returns milliseconds since the epoch */
export function endOf({ createdAt, activeAt }: Pick<Session, "createdAt" | "activeAt">): number {
  return Math.min(activeAt + IDLE_MS, createdAt + ABSOLUTE_MS);
}

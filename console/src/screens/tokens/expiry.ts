/** TTL of a new token. */

/** TTL of a new token, unless the user chooses another one. */
export const DEFAULT_TTL = "720h";

/** Value while the user has not chosen the date yet: it cannot be saved. */
export const UNCHOSEN = "date";

/** Returns the TTL of a token that expires at the end of a day, in the zone of the viewer; undefined for none. */
export function ttlUntil(day: string, now: number): string | undefined {
  const end = new Date(`${day}T23:59:59`).getTime();
  const seconds = Math.floor((end - now) / 1000);
  return seconds > 0 ? `${seconds}s` : undefined;
}

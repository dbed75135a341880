/** Times that something lasts, in words. */

/** A time of life as people write it. @param nanoseconds a number, or its digits @returns such as `15m0s`; empty for none */
export function durationOf(nanoseconds: unknown): string {
  const seconds = Number(nanoseconds) / 1e9;
  if (!(seconds > 0)) return "";
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return `${hours > 0 ? `${hours}h` : ""}${hours > 0 || minutes > 0 ? `${minutes}m` : ""}${seconds % 60}s`;
}

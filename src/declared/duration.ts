/** Durations as the API writes them (`1h30m0s`), so that two spellings of one are the same. */

/** Nanoseconds, of which twelve years are more than a plain number counts one by one. */
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** The longest duration, and the longest text of one, that the server takes. */
const MAX = 2n ** 63n - 1n;
const MAX_LENGTH = 256;

/** Writes the days in front of a duration as hours, which is how the server takes it: `1d12h` becomes `24h12h`. */
export function daysAsHours(text: string): string {
  const [, days, rest = ""] = /^(\d{1,6})d(.*)$/s.exec(text) ?? [];
  return days === undefined ? text : `${Number(days) * 24}h${rest}`;
}

/** The form in which the server answers a duration; undefined for what is none. Days, of 24 hours, may stand in front: `1d12h`. */
export function durationText(text: string): string | undefined {
  if (text === "0") return "0s";
  const inHours = daysAsHours(text);
  if (inHours.length > MAX_LENGTH || !/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(inHours)) return undefined;
  let total = 0n;
  for (const [, whole = "", fraction = "0", unit = ""] of inHours.matchAll(/(\d+)(?:\.(\d+))?(ns|us|µs|ms|s|m|h)/g)) {
    const size = UNITS[unit] ?? 0n;
    total += BigInt(whole) * size + BigInt(Math.trunc(Number(fraction) * (Number(size) / 10 ** fraction.length)));
  }
  return total > MAX ? undefined : written(total);
}

function written(total: bigint): string {
  if (total === 0n) return "0s";
  if (total < 1_000n) return `${total}ns`;
  if (total < 1_000_000n) return `${Number(total) / 1e3}µs`;
  if (total < 1_000_000_000n) return `${Number(total) / 1e6}ms`;
  const hours = total / 3_600_000_000_000n;
  const minutes = (total / 60_000_000_000n) % 60n;
  const seconds = `${Number(total % 60_000_000_000n) / 1e9}s`;
  if (hours > 0n) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${minutes}m${seconds}` : seconds;
}

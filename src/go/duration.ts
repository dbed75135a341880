/**
 * Durations as Go reads and writes them: `1h30m`, `1.5s`, `250ms`. Nanoseconds
 * as bigint, because 2^63-1 of them, about 292 years, are a value that clients send.
 */
import { AppError } from "../errors.ts";
import { quoteBytes } from "./quote.ts";

const MAX = 2n ** 63n - 1n;
/** One more than what fits: the magnitude of the smallest negative duration. */
const MIN_MAGNITUDE = 2n ** 63n;

const MICROSECOND = 1_000n;
const MILLISECOND = 1_000_000n;
const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", MICROSECOND],
  ["\u00b5s", MICROSECOND],
  ["\u03bcs", MICROSECOND],
  ["ms", MILLISECOND],
  ["s", SECOND],
  ["m", MINUTE],
  ["h", HOUR],
]);

/** Longer than any duration that somebody writes; bounds the work. */
const MAX_LENGTH = 256;

const PART = /(\d*)\.?(\d*)([^.\d]*)/y;

/** The largest duration there is, in nanoseconds. */
export const MAX_DURATION = MAX;

/**
 * Reads a duration: signs, decimals and several parts in a row are fine, `0` needs no unit, and there are no days.
 *
 * @returns nanoseconds
 * @throws AppError `bad_parameter` with Go's text
 */
export function parseDuration(text: string): bigint {
  const isNegative = text.startsWith("-");
  const rest = isNegative || text.startsWith("+") ? text.slice(1) : text;
  if (rest === "0") return 0n;
  if (rest === "" || rest.length > MAX_LENGTH) throw malformed(text);
  let total = 0n;
  PART.lastIndex = 0;
  while (PART.lastIndex < rest.length) {
    const [, whole = "", fraction = "", unit = ""] = PART.exec(rest) ?? [];
    if (whole === "" && fraction === "") throw malformed(text);
    total += magnitude(text, { whole, fraction, unit });
    if (total > MIN_MAGNITUDE) throw malformed(text);
  }
  if (isNegative) return -total;
  if (total > MAX) throw malformed(text);
  return total;
}

const DAYS = /^([-+]?)(\d{1,6})d(.*)$/s;

/**
 * The same for times that people think of in days: they may stand in front, as in `90d` and `1d12h`, and have 24 hours.
 *
 * @returns nanoseconds
 * @throws AppError `bad_parameter` with Go's text
 */
export function parseLongDuration(text: string): bigint {
  const [, sign, days, rest = ""] = DAYS.exec(text) ?? [];
  if (days === undefined) return parseDuration(text);
  if (/^[-+]/.test(rest)) throw malformed(text);
  const length = BigInt(days) * 24n * HOUR + (rest === "" ? 0n : parseDuration(rest));
  return sign === "-" ? -length : length;
}

interface Part {
  whole: string;
  fraction: string;
  unit: string;
}

function magnitude(text: string, { whole, fraction, unit }: Part): bigint {
  if (unit === "") throw new AppError("bad_parameter", `time: missing unit in duration ${quoteBytes(text)}`);
  const size = UNITS.get(unit);
  if (size === undefined) {
    throw new AppError("bad_parameter", `time: unknown unit ${quoteBytes(unit)} in duration ${quoteBytes(text)}`);
  }
  return BigInt(whole) * size + partOf(size, fraction);
}

/** The fraction of a unit: as many digits as an int64 holds, then floating point, as Go computes it. */
function partOf(unit: bigint, digits: string): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (next > MIN_MAGNITUDE) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

function malformed(text: string): AppError {
  return new AppError("bad_parameter", `time: invalid duration ${quoteBytes(text)}`);
}

/**
 * Writes a duration: hours, minutes and seconds from the largest one that is
 * not zero down to the seconds, below a second the largest fitting unit.
 *
 * @param nanoseconds from -2^63 to 2^63-1
 */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  const sign = nanoseconds < 0n ? "-" : "";
  const value = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (value < MICROSECOND) return `${sign}${value}ns`;
  if (value < MILLISECOND) return `${sign}${decimal(value, 3)}\u00b5s`;
  if (value < SECOND) return `${sign}${decimal(value, 6)}ms`;
  const hours = value / HOUR;
  const minutes = (value / MINUTE) % 60n;
  const seconds = `${decimal(value % MINUTE, 9)}s`;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : sign + seconds;
}

/** The value with its last digits behind a point, and no zeros at the end. */
function decimal(value: bigint, places: number): string {
  const scale = 10n ** BigInt(places);
  const fraction = (value % scale).toString().padStart(places, "0").replace(/0+$/, "");
  return fraction === "" ? `${value / scale}` : `${value / scale}.${fraction}`;
}

/** Times as Go reads and writes them: RFC 3339, down to nanoseconds. Nanoseconds since the epoch as bigint. */
import { AppError } from "../errors.ts";
import { goQuote } from "./quote.ts";

const LAYOUT = "2006-01-02T15:04:05Z07:00";
const PER_MILLISECOND = 1_000_000n;
const PER_SECOND = 1_000_000_000n;

/** Longer than any time with nanoseconds and zone; bounds the work. */
const MAX_LENGTH = 128;

/** The elements of a time in their order, each with its spelling in the layout, which messages name. */
const ELEMENTS: readonly (readonly [name: string, pattern: RegExp, layout: string])[] = [
  ["year", /\d{4}/y, "2006"],
  ["", /-/y, "-"],
  ["month", /\d{2}/y, "01"],
  ["", /-/y, "-"],
  ["day", /\d{2}/y, "02"],
  ["", /T/y, "T"],
  ["hour", /\d{2}/y, "15"],
  ["", /:/y, ":"],
  ["minute", /\d{2}/y, "04"],
  ["", /:/y, ":"],
  ["second", /\d{2}/y, "05"],
  ["fraction", /(?:\.\d+)?/y, ""],
  ["zone", /Z|[+-]\d{2}:\d{2}/y, "Z07:00"],
];

/** Time that clients send for a time that is not set: the first second of the year 1. */
export const ZERO_TIME = BigInt(Date.parse("0001-01-01T00:00:00Z")) * PER_MILLISECOND;

/**
 * Reads a time with optional fraction and zone. Digits past the nanoseconds are cut.
 *
 * @returns nanoseconds since 1970, negative before
 * @throws AppError `bad_parameter` with Go's text
 */
export function parseTime(text: string): bigint {
  const parts = split(text);
  const number = (name: string): number => Number(parts.get(name));
  const [year, month, day] = [number("year"), number("month"), number("day")];
  if (month < 1 || month > 12) throw outOfRange(text, "month");
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (day < 1 || date.getUTCDate() !== day) throw outOfRange(text, "day");
  const [hour, minute, second] = [number("hour"), number("minute"), number("second")];
  if (hour > 23) throw outOfRange(text, "hour");
  if (minute > 59) throw outOfRange(text, "minute");
  if (second > 59) throw outOfRange(text, "second");
  date.setUTCHours(hour, minute, second);
  const fraction = (parts.get("fraction") ?? "").slice(1, 10).padEnd(9, "0");
  const offset = zoneSeconds(text, parts.get("zone") ?? "Z");
  return BigInt(date.getTime() - offset * 1000) * PER_MILLISECOND + BigInt(fraction);
}

function split(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  let position = 0;
  for (const [name, pattern, layout] of ELEMENTS) {
    pattern.lastIndex = position;
    const found = text.length > MAX_LENGTH ? null : pattern.exec(text);
    if (found === null) {
      throw refusal(text, ` as "${LAYOUT}": cannot parse ${goQuote(text.slice(position))} as "${layout}"`);
    }
    parts.set(name, found[0]);
    position = pattern.lastIndex;
  }
  if (position < text.length) throw refusal(text, `: extra text: ${goQuote(text.slice(position))}`);
  return parts;
}

function zoneSeconds(text: string, zone: string): number {
  if (zone === "Z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  if (hours > 23) throw outOfRange(text, "time zone offset hour");
  if (minutes > 59) throw outOfRange(text, "time zone offset minute");
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60);
}

function outOfRange(text: string, what: string): AppError {
  return refusal(text, `: ${what} out of range`);
}

function refusal(text: string, problem: string): AppError {
  return new AppError("bad_parameter", `parsing time ${goQuote(text)}${problem}`);
}

/**
 * Writes a time in UTC, without the zeros at the end of its fraction.
 *
 * @param nanoseconds since 1970, in the years 0 to 9999
 */
export function formatTime(nanoseconds: bigint): string {
  const inSecond = ((nanoseconds % PER_SECOND) + PER_SECOND) % PER_SECOND;
  const seconds = new Date(Number((nanoseconds - inSecond) / PER_MILLISECOND)).toISOString().slice(0, 19);
  const fraction = inSecond.toString().padStart(9, "0").replace(/0+$/, "");
  return fraction === "" ? `${seconds}Z` : `${seconds}.${fraction}Z`;
}

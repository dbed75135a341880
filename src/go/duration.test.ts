import { describe, expect, it } from "vitest";
import { AppError } from "../errors.ts";
import { formatDuration, MAX_DURATION, parseDuration, parseLongDuration } from "./duration.ts";
import { formatTime, parseTime, ZERO_TIME } from "./time.ts";

const SECOND = 1_000_000_000n;

describe("durations with days", () => {
  it.each<[string, bigint]>([
    ["90d", 90n * 86_400n * SECOND],
    ["1d12h", 36n * 3600n * SECOND],
    ["0d", 0n],
    ["36h", 36n * 3600n * SECOND],
    ["-1h", -3600n * SECOND],
    ["-1d", -86_400n * SECOND],
    ["-1d12h", -36n * 3600n * SECOND],
    ["+1d", 86_400n * SECOND],
  ])("%s are read", (text, nanoseconds) => {
    expect(parseLongDuration(text)).toBe(nanoseconds);
  });

  it.each(["", "d", "1.5d", "--1d", "1d-1h", "-1d-1h", "1d1", "12h1d", "1d1d", "1234567d", "1D"])(
    "%j are none",
    (text) => {
      expect(() => parseLongDuration(text)).toThrow(AppError);
    },
  );
});

describe("durations", () => {
  it.each<[string, bigint]>([
    ["0", 0n],
    ["+0", 0n],
    ["-0", 0n],
    ["0s", 0n],
    ["60s", 60n * SECOND],
    ["1h30m", 5400n * SECOND],
    ["1.5h", 5400n * SECOND],
    ["+5s", 5n * SECOND],
    ["-1m", -60n * SECOND],
    [".5s", SECOND / 2n],
    ["5.s", 5n * SECOND],
    ["100ns", 100n],
    ["11us", 11_000n],
    ["12\u00b5s", 12_000n],
    ["12\u03bcs", 12_000n],
    ["13ms", 13_000_000n],
    ["3h4m5s6ms7us8ns", 11_045_006_007_008n],
    ["9223372036854775807ns", MAX_DURATION],
    ["9223372036.854775807s", MAX_DURATION],
    ["2562047h47m16.854775807s", MAX_DURATION],
    ["-9223372036854775808ns", -MAX_DURATION - 1n],
    ["0.3333333333333333333h", 1200n * SECOND],
    ["0.100000000000000000000h", 360n * SECOND],
    ["0.830103483285477580700h", 2_988_372_539_827n],
    ["1s1s", 2n * SECOND],
  ])("reads %s", (text, nanoseconds) => {
    expect(parseDuration(text)).toBe(nanoseconds);
  });

  it.each([
    ["", 'time: invalid duration ""'],
    ["3", 'time: missing unit in duration "3"'],
    ["60", 'time: missing unit in duration "60"'],
    ["1h60", 'time: missing unit in duration "1h60"'],
    ["1d", 'time: unknown unit "d" in duration "1d"'],
    ["1.5H", 'time: unknown unit "H" in duration "1.5H"'],
    ["1 s", 'time: unknown unit " s" in duration "1 s"'],
    ["-", 'time: invalid duration "-"'],
    ["s", 'time: invalid duration "s"'],
    [".", 'time: invalid duration "."'],
    [".s", 'time: invalid duration ".s"'],
    ["-.", 'time: invalid duration "-."'],
    ["+-1s", 'time: invalid duration "+-1s"'],
    ["1s\u00e9", 'time: unknown unit "s\\xc3\\xa9" in duration "1s\\xc3\\xa9"'],
    ['1"', 'time: unknown unit "\\"" in duration "1\\""'],
    ["9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'],
    ["-9223372036854775809ns", 'time: invalid duration "-9223372036854775809ns"'],
    ["9223372036854775.808us", 'time: invalid duration "9223372036854775.808us"'],
    ["3000000h", 'time: invalid duration "3000000h"'],
  ])("refuses %j with Go's text", (text, message) => {
    expect(() => parseDuration(text)).toThrow(new AppError("bad_parameter", message));
  });

  it("refuses what is too long without repeating all of it", () => {
    for (const text of ["0s".repeat(500_000), "1".repeat(1_000_000), `${"é".repeat(1_000_000)}s`]) {
      const error = thrownBy(() => parseDuration(text));
      expect(error).toBeInstanceOf(AppError);
      expect((error as AppError).message.length).toBeLessThan(3000);
    }
  });

  it.each<[bigint, string]>([
    [0n, "0s"],
    [1n, "1ns"],
    [1100n, "1.1\u00b5s"],
    [2_200_000n, "2.2ms"],
    [500_000_000n, "500ms"],
    [3_300_000_000n, "3.3s"],
    [60n * SECOND, "1m0s"],
    [90_500_000_000n, "1m30.5s"],
    [300n * SECOND, "5m0s"],
    [3600n * SECOND, "1h0m0s"],
    [86_400n * SECOND, "24h0m0s"],
    [-300_001_000_000n, "-5m0.001s"],
    [MAX_DURATION, "2562047h47m16.854775807s"],
    [-MAX_DURATION - 1n, "-2562047h47m16.854775808s"],
  ])("writes %s ns", (nanoseconds, text) => {
    expect(formatDuration(nanoseconds)).toBe(text);
  });

  it("that are written are read back the same", () => {
    for (let value = 1n; value < MAX_DURATION; value = value * 7n + 3n) {
      expect(parseDuration(formatDuration(value))).toBe(value);
      expect(parseDuration(formatDuration(-value))).toBe(-value);
    }
  });
});

describe("times", () => {
  it.each([
    ["2026-11-20T23:04:05Z", "2026-11-20T23:04:05Z"],
    ["2026-11-20T23:04:05.120Z", "2026-11-20T23:04:05.12Z"],
    ["2026-11-20T23:04:05.123456789Z", "2026-11-20T23:04:05.123456789Z"],
    ["2026-11-20T23:04:05.1234567899Z", "2026-11-20T23:04:05.123456789Z"],
    ["2026-11-20T23:04:05+01:30", "2026-11-20T21:34:05Z"],
    ["2026-11-20T23:04:05.5-23:00", "2026-11-21T22:04:05.5Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
    ["0099-12-31T23:59:59.999999999Z", "0099-12-31T23:59:59.999999999Z"],
    ["1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z"],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"],
  ])("reads %s and writes it in UTC", (text, written) => {
    expect(formatTime(parseTime(text))).toBe(written);
  });

  it("counts nanoseconds, and knows the time that Go takes for none", () => {
    expect(parseTime("1970-01-01T00:00:01.000000001Z")).toBe(1_000_000_001n);
    expect(parseTime("0001-01-01T00:00:00Z")).toBe(ZERO_TIME);
  });

  it.each([
    ["", 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
    ["tomorrow", 'parsing time "tomorrow" as "2006-01-02T15:04:05Z07:00": cannot parse "tomorrow" as "2006"'],
    ["2026-1-02", 'parsing time "2026-1-02" as "2006-01-02T15:04:05Z07:00": cannot parse "1-02" as "01"'],
    ["2026-01-02", 'parsing time "2026-01-02" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
    [
      "2026-01-02 15:04:05Z",
      'parsing time "2026-01-02 15:04:05Z" as "2006-01-02T15:04:05Z07:00": cannot parse " 15:04:05Z" as "T"',
    ],
    [
      "2026-01-02T15:04:05",
      'parsing time "2026-01-02T15:04:05" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
    ],
    ["2026-01-02T15:04:05Zx", 'parsing time "2026-01-02T15:04:05Zx": extra text: "x"'],
    ["2026-13-02T15:04:05Z", 'parsing time "2026-13-02T15:04:05Z": month out of range'],
    ["2026-02-29T15:04:05Z", 'parsing time "2026-02-29T15:04:05Z": day out of range'],
    ["2026-02-00T15:04:05Z", 'parsing time "2026-02-00T15:04:05Z": day out of range'],
    ["2026-02-01T24:04:05Z", 'parsing time "2026-02-01T24:04:05Z": hour out of range'],
    ["2026-02-01T23:60:05Z", 'parsing time "2026-02-01T23:60:05Z": minute out of range'],
    ["2026-02-01T23:00:60Z", 'parsing time "2026-02-01T23:00:60Z": second out of range'],
    ["2026-02-01T23:00:00+24:00", 'parsing time "2026-02-01T23:00:00+24:00": time zone offset hour out of range'],
  ])("refuses %j with Go's text", (text, message) => {
    expect(() => parseTime(text)).toThrow(new AppError("bad_parameter", message));
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

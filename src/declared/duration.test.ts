/** Durations with days: the command line, declared files and the server agree about their length. */
import { expect, test } from "vitest";
import { randomOfRun } from "../../test/support/seeded.ts";
import { formatDuration, parseDuration, parseLongDuration } from "../go/duration.ts";
import { daysAsHours, durationText } from "./duration.ts";

test("a duration has the same length on the command line, in a file and at the server", () => {
  const random = randomOfRun();
  const below = (end: number) => Math.floor(random() * end);
  const part = () => `${below(1000)}${random() < 0.3 ? `.${below(1000)}` : ""}${["ms", "s", "m", "h"][below(4)] ?? ""}`;
  const drawn = Array.from({ length: 1000 }, () => {
    const days = random() < 0.7 ? `${below(4000)}d` : "";
    return days + Array.from({ length: below(4) }, part).join("");
  });
  for (const text of [...drawn, "7d", "1d12h", "0d", "007d"].filter((each) => each !== "")) {
    const length = parseLongDuration(text);
    expect([text, parseDuration(daysAsHours(text))]).toEqual([text, length]);
    expect([text, durationText(text)]).toEqual([text, formatDuration(length)]);
  }
});

test.each(["", "d", "1d1d", "12h1d", "1.5d", "1234567d", "1dx", "1d ", " 1d", "-1d", "1d-1h", "1D", "١d"])(
  "%j is no duration in a file, and goes to the server without another meaning",
  (text) => {
    expect(durationText(text)).toBeUndefined();
    expect(daysAsHours(text)).toBe(text.replace(/^1d/, "24h"));
  },
);

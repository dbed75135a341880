import { expect, test } from "vitest";
import { chooseRemovable } from "./retention.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const NONE = { newest: 1, daily: 0, weekly: 0, monthly: 0 };

test("the newest ones stay, and the last one of each day, week and month that has one", () => {
  const times = [
    "2026-03-02T12:00", // Monday, the first week of March
    "2026-03-02T06:00",
    "2026-03-01T18:00", // Sunday: the week before
    "2026-03-01T06:00",
    "2026-02-27T06:00",
    "2026-02-10T06:00",
    "2026-01-31T06:00",
    "2025-12-31T06:00",
  ].map(at);
  const staying = (kept: Partial<typeof NONE>) => {
    const removable = chooseRemovable(times, { ...NONE, ...kept });
    return times.flatMap((time, place) => (removable.includes(time) ? [] : [place]));
  };
  expect(staying({})).toEqual([0]);
  expect(staying({ newest: 3 })).toEqual([0, 1, 2]);
  expect(staying({ daily: 3 })).toEqual([0, 2, 4]);
  expect(staying({ weekly: 3 })).toEqual([0, 2, 5]);
  expect(staying({ monthly: 3 })).toEqual([0, 4, 6]);
  expect(staying({ newest: 2, daily: 2, monthly: 9 })).toEqual([0, 1, 2, 4, 6, 7]);
  expect(chooseRemovable(times, NONE)[0]).toBe(times.at(-1));
});

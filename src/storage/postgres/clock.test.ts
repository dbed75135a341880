import { expect, it } from "vitest";
import { createSharedClock } from "./shared-clock.ts";

function clockWith(...readings: [sent: number, answered: number, read: number][]) {
  const warnings: string[] = [];
  const clock = createSharedClock((message) => void warnings.push(message));
  for (const reading of readings) clock.note(...reading);
  return { offset: Math.round((clock.now() - Date.now()) / 1000), warnings };
}

it("follows the database's clock when it is far from this machine's, and tells once", () => {
  const { offset, warnings } = clockWith([0, 10, 3_600_000], [100, 110, 3_600_104], [200, 210, 3_600_150]);
  expect(offset).toBe(3600);
  expect(warnings).toEqual([
    "the clock of the database differs by 3600 s from the clock of this server; stored times use the database clock",
  ]);
});

it("takes small differences and slow readings for none", () => {
  expect(clockWith([0, 10, 900], [0, 2000, 3_600_000], [10, 0, 3_600_000])).toEqual({ offset: 0, warnings: [] });
});

it("goes by its own again when they agree", () => {
  const { offset, warnings } = clockWith([0, 10, -60_000], [20, 30, 400]);
  expect(offset).toBe(0);
  expect(warnings).toHaveLength(2);
});

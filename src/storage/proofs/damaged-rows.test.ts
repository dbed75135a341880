import { expect, it } from "vitest";
import { StartError } from "../start-error.ts";
import { asStartError, damaged, watchDamage } from "./damaged-rows.ts";

it("a damaged row is counted each time, and told of once a minute, by table and key", () => {
  let now = 0;
  const told: string[] = [];
  const watch = watchDamage(
    (message) => told.push(message),
    () => now,
  );
  const meet = (key: string) => damaged({ table: "tokens", key });
  meet("a");
  meet("a");
  meet("b");
  expect(told).toHaveLength(2);
  now = 59_999;
  meet("a");
  expect(told).toHaveLength(2);
  now = 60_000;
  meet("a");
  expect(told).toHaveLength(3);
  expect(told[0]).toBe(
    `storage is corrupted: the row of tokens "a" failed its integrity check; requests that need the row fail until it is restored`,
  );
  expect(watch.counts()).toEqual({ tokens: 5 });
  watch.stop();
  meet("a");
  expect(watch.counts()).toEqual({ tokens: 5 });
});

it("however many rows are damaged, and whatever their keys are, what is remembered and told is bounded", () => {
  const told: string[] = [];
  const watch = watchDamage(
    (message) => told.push(message),
    () => 0,
  );
  for (let n = 0; n < 2500; n++) damaged({ table: "roles", key: `${n}\n${"x".repeat(10_000)}` });
  watch.stop();
  expect(told).toHaveLength(2500);
  expect(Math.max(...told.map(({ length }) => length))).toBeLessThan(300);
  expect(told.some((line) => line.includes("\n"))).toBe(false);
});

it("a start that meets it says so in one line", () => {
  const error = asStartError(damaged({ table: "meta", key: "setting/edition" }));
  expect(error).toBeInstanceOf(StartError);
  expect(String(error)).toContain(
    `storage is corrupted: the row of meta "setting/edition" failed its integrity check. Restore a backup`,
  );
  const other = new Error("other");
  expect(asStartError(other)).toBe(other);
});

import { expect, test } from "vitest";
import { createWaitingTime } from "./waiting-time.ts";

function started(isOwnWork = () => false) {
  const state = { now: 1000 };
  const time = createWaitingTime(500, isOwnWork, () => state.now);
  const began = time.now();
  return {
    pass(milliseconds: number): void {
      state.now += milliseconds;
      time.look();
    },
    waited: () => time.now() - began,
  };
}

test("time passes as the clock does while looks come on time", () => {
  const { pass, waited } = started();
  for (let look = 0; look < 10; look++) pass(510);
  expect(waited()).toBe(5100);
});

test("a moment in which the process stood still counts as two looks at most", () => {
  const { pass, waited } = started();
  pass(8000);
  expect(waited()).toBe(1000);
});

test("the store's own work counts a quarter", () => {
  const { pass, waited } = started(() => true);
  for (let look = 0; look < 10; look++) pass(500);
  expect(waited()).toBe(1250);
});

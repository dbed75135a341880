import { expect, test } from "vitest";
import { createTrustedClock, JUMP_MS, STAND_MS, type TrustedClockOptions } from "./trusted.ts";

const START = Date.parse("2026-03-01T00:00:00Z");
const DAY = 86_400_000;
const SECOND = 1000;

function clockAt(more: Partial<TrustedClockOptions> = {}) {
  const time = { wall: START, monotonic: 0 };
  const told: unknown[] = [];
  const clock = createTrustedClock({
    wall: () => time.wall,
    monotonic: () => time.monotonic,
    lastTrusted: START,
    isAccepted: false,
    catchUp: undefined,
    onDoubt: (ahead) => told.push(ahead),
    onBelieved: (catchUp) => told.push(catchUp ?? "back"),
    ...more,
  });
  return {
    clock,
    told,
    /** Lets time pass. @param jump by which the wall clock is set meanwhile */
    pass(milliseconds: number, jump = 0) {
      time.monotonic += milliseconds;
      time.wall += milliseconds + jump;
    },
  };
}

test("incident 63: a clock that is 410 days ahead for 45 s is not believed, and is when it has come back", () => {
  const { clock, told, pass } = clockAt();
  pass(10 * SECOND);
  expect(clock.now()).toBe(START + 10 * SECOND);
  pass(SECOND, 410 * DAY);
  expect([clock.now(), clock.pruningNow(), clock.isInDoubt()]).toEqual([
    START + 11 * SECOND,
    START + 11 * SECOND,
    true,
  ]);
  pass(45 * SECOND);
  expect(clock.now()).toBe(START + 56 * SECOND);
  pass(SECOND, -410 * DAY);
  expect([clock.now(), clock.isInDoubt()]).toEqual([START + 57 * SECOND, false]);
  expect(told).toEqual([410 * DAY, "back"]);
});

test("it is believed when it has stood for an hour, and audit then loses twice the time that really passed", () => {
  const { clock, told, pass } = clockAt();
  pass(0, 410 * DAY);
  expect(clock.isInDoubt()).toBe(true);
  pass(STAND_MS - 1);
  expect(clock.isInDoubt()).toBe(true);
  pass(1);
  expect([clock.now(), clock.isInDoubt()]).toEqual([START + 410 * DAY + STAND_MS, false]);
  expect(clock.pruningNow()).toBe(START + STAND_MS);
  pass(DAY);
  expect(clock.pruningNow()).toBe(START + STAND_MS + 2 * DAY);
  pass(400 * DAY);
  // Each look is within an hour, as those of a server are: this one jump is in doubt again, and what is pruned stands still.
  expect(clock.pruningNow()).toBeLessThanOrEqual(START + STAND_MS + 802 * DAY);
  expect(told.slice(0, 2)).toEqual([410 * DAY, { trusted: START + STAND_MS, wall: START + 410 * DAY + STAND_MS }]);
});

test("a clock that goes on jumping does not stand, and many small jumps are a large one", () => {
  const { clock, pass } = clockAt();
  for (let hour = 0; hour < 5; hour++) {
    pass(STAND_MS / 2, 2 * JUMP_MS);
    expect(clock.isInDoubt()).toBe(true);
  }
  const small = clockAt();
  for (let jump = 0; jump < 3; jump++) small.pass(SECOND, JUMP_MS / 2);
  expect([small.clock.now(), small.clock.isInDoubt()]).toEqual([START + 3 * SECOND, true]);
});

test("incident 63: its time is whole while the wall clock is in doubt, as it is otherwise", () => {
  const { clock, pass } = clockAt();
  pass(0.75, 410 * DAY + 0.25);
  expect([clock.isInDoubt(), clock.now()]).toEqual([true, START]);
});

test("a start that is days from what was last trusted is in doubt, unless the operator accepts its clock", () => {
  const far = { lastTrusted: START - 3 * DAY };
  const doubted = clockAt(far);
  expect([doubted.clock.now(), doubted.clock.isInDoubt()]).toEqual([START - 3 * DAY, true]);
  const accepted = clockAt({ ...far, isAccepted: true });
  expect([accepted.clock.now(), accepted.clock.isInDoubt()]).toEqual([START, false]);
  expect(accepted.clock.pruningNow()).toBe(START - 3 * DAY);
  const behind = clockAt({ lastTrusted: START + 3 * DAY });
  expect([behind.clock.now(), behind.clock.pruningNow(), behind.clock.isInDoubt()]).toEqual([START, START, true]);
  expect(clockAt({ lastTrusted: undefined }).clock.now()).toBe(START);
});

test("what is left to catch up is known after a restart, and is over when the clock is set back", () => {
  const { clock, pass } = clockAt({ catchUp: { trusted: START - 400 * DAY, wall: START - DAY } });
  expect(clock.pruningNow()).toBe(START - 398 * DAY);
  pass(0, -DAY / 2);
  expect(clock.pruningNow()).toBe(START - 399 * DAY);
  const set = clockAt({ catchUp: { trusted: START - 400 * DAY, wall: START + DAY } });
  expect(set.clock.pruningNow()).toBe(START);
});

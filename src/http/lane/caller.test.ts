import { expect, test, vi } from "vitest";
import { CallerGone } from "../../callers.ts";
import { LaneCaller } from "./caller.ts";

test("a caller is the address that it comes from until its token is known", () => {
  const caller = new LaneCaller({ isGone: () => false, address: "192.0.2.1" });
  expect(caller.owner).toEqual({ name: "address 192.0.2.1", group: "anonymous" });
});

test("whoever waits for the end of a caller is told of it, and looks no longer once the work is done", () => {
  vi.useFakeTimers();
  try {
    let isGone = false;
    const [one, other] = [1, 2].map(() => new LaneCaller({ isGone: () => isGone, address: "" }));
    const [gone, never] = [one?.gone, other?.gone];
    expect(vi.getTimerCount()).toBe(2);
    other?.end();
    expect(vi.getTimerCount()).toBe(1);
    isGone = true;
    vi.advanceTimersByTime(200);
    expect(gone?.reason).toBeInstanceOf(CallerGone);
    expect([never?.aborted, vi.getTimerCount()]).toEqual([false, 0]);
  } finally {
    vi.useRealTimers();
  }
});
